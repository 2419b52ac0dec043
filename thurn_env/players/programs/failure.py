"""Failures of programs."""

from __future__ import annotations

from thurn_env.errors import AgentError, clipped


class ProgramFailed(AgentError):
    """A program ended, broke the protocol or could not be started; the message is one sentence about the program.

    Args:
        reason: what happened, without the name of the program.
        name: spec of the program; empty where it is not known.
    """

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(f"{clipped(name)} {reason}" if name else reason)
        self.reason = reason


class Refused(ProgramFailed):
    """A program sent a message that the protocol does not allow; the message is the reason."""


class Late(ProgramFailed):
    """A program did not answer in time."""
