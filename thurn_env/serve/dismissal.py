"""The end of agents that hold something, such as a process."""

from __future__ import annotations

import threading
from typing import Protocol, runtime_checkable

from thurn_env.players.agent import Agent


@runtime_checkable
class Closing(Protocol):
    """Protocol of an agent that holds something, such as a process."""

    def close(self) -> None:
        """Let go of it."""


def dismiss(agent: Agent | None) -> None:
    """End the program of an agent, if it has one; that may take long if the program hangs."""
    if isinstance(agent, Closing):
        threading.Thread(target=agent.close, daemon=True).start()
