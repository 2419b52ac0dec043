"""Agents that follow their games: they get to know every move, also those of others, and the end."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

from thurn_env.errors import clipped
from thurn_env.table.game import Game, View

__all__ = ["Follower", "Logging", "Timed", "Watching", "followers"]


@runtime_checkable
class Watching(Protocol):
    """Protocol of an agent that follows its games.

    Attributes:
        watches: whether it does.
    """

    watches: bool

    def began(self, view: View) -> None:
        """Take notice of the deal; called after `reset`."""

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Take notice of a move of any seat, the agent's own one included.

        Args:
            mover: seat that moved.
            action: index of its action; None if the agent's seat may not know it.
            view: view of the agent's seat after the move.
        """

    def ended(self, game: Game, record: dict[str, Any] | None, reason: str | None) -> None:
        """Take notice of the end of the game.

        Args:
            game: the finished game, or the position in which it was broken off.
            record: its record; None where the same deck is played again.
            reason: why it was broken off; None if it was played to its end.
        """


@runtime_checkable
class Timed(Protocol):
    """Protocol of an agent that wants to know its time limits."""

    def allow(self, decision: float | None, start: float | None) -> None:
        """Set the limits in seconds of a decision and of the start of a game, before `reset`; None for no limit."""


@runtime_checkable
class Logging(Protocol):
    """Protocol of an agent that keeps a log; tournaments store it."""

    def log(self) -> str:
        """Return what was written since the last call."""


class Follower:
    """A seat whose agent follows the game."""

    def __init__(self, seat: int, agent: Watching) -> None:
        self.seat = seat
        self.agent = agent

    def begin(self, game: Game) -> None:
        """Show the agent the first position."""
        self.agent.began(game.view(self.seat))

    def tell(self, mover: int, game: Game) -> None:
        """Tell the agent the last move of a game."""
        move = game.moves[-1]
        secret = mover != self.seat and move in game.rules.secret_actions
        self.agent.saw(mover, None if secret else move, game.view(self.seat))

    def end(self, game: Game, record: dict[str, Any] | None = None, reason: str | None = None) -> None:
        """Tell the agent the end of a game."""
        self.agent.ended(game, record, reason)

    @contextmanager
    def at_the_end(self) -> Iterator[None]:
        """Log a failure of the agent and go on: the game is over, and others are still to be told."""
        try:
            yield
        except Exception as error:  # an agent may fail in any way
            name = getattr(self.agent, "name", "an agent")
            reason = clipped(f"{type(error).__name__}: {error}")
            logging.getLogger(__name__).warning("%s failed at the end of its game: %s", clipped(name), reason)


def followers(agents: Iterable[object]) -> list[Follower]:
    """Return the agents, given by seat, that follow their game."""
    return [Follower(seat, agent) for seat, agent in enumerate(agents) if isinstance(agent, Watching) and agent.watches]
