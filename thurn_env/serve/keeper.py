"""What keeps a game of the server on disk."""

from __future__ import annotations

from typing import Protocol

from thurn_env.table.game import Game

__all__ = ["Keeper"]


class Keeper(Protocol):
    """Protocol of what keeps a game on disk. Everything is kept before anybody is told."""

    def played(self, game: Game) -> None:
        """Keep the last move, and the record if the game is over."""

    def undone(self, game: Game) -> None:
        """Drop all moves after the position of this game."""

    def seated(self) -> None:
        """Keep the seats."""

    def failed(self) -> None:
        """Note that the game cannot continue."""
