"""Failures of programs."""

from __future__ import annotations

from thurn_env.errors import AgentError


class ProgramFailed(AgentError):
    """A program ended, broke the protocol or could not be started; the message is one sentence about the program."""


class Refused(ProgramFailed):
    """A program sent a message that the protocol does not allow; the message is the reason."""


class Late(ProgramFailed):
    """A program did not answer in time."""
