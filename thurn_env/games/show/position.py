"""Positions as plain values for pictures of all games: the drawing code gets no hidden information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thurn_env.drawing.heading import asked_in_words, outcome_in_words


@dataclass(frozen=True, kw_only=True)
class Position:
    """Contents of a picture.

    Attributes:
        table: public information, as returned by `GameRules.public`.
        hands: cards in every hand; None for hands that are not shown.
        sources: scores by source, without those that cannot be known.
        scores: sums of `sources`.
        ranks: current ranks by seat; empty before the end if they cannot be known.
        names: names of the players.
        over: whether the game is over.
        truncated: whether it was cut off.
        asked: decision of the player to move, in words.
        when: progress of the game, in words.
    """

    table: dict[str, Any]
    hands: list[dict[str, int] | None]
    sources: list[dict[str, int]]
    scores: list[int]
    ranks: list[int]
    names: list[str]
    over: bool
    truncated: bool
    asked: str
    when: str

    @property
    def players(self) -> list[dict[str, Any]]:
        """Public information about every player."""
        players: list[dict[str, Any]] = self.table["players"]
        return players

    @property
    def seat(self) -> int:
        """Seat of the player to move; after the end, of the first winner."""
        return self.ranks.index(1) if self.over else int(self.table["seat"])

    def in_words(self, names: Sequence[str]) -> str:
        """Return who has to decide what, or who has won, with these names of the players."""
        if self.over:
            return outcome_in_words(names, self.scores, self.ranks, self.truncated)
        return asked_in_words(names[self.seat], self.asked)


def all_names(names: Sequence[str], players: int) -> list[str]:
    """Return a name for every player; players without one are called by their number."""
    return [names[seat] if seat < len(names) else f"player {seat}" for seat in range(players)]
