"""What pictures of all games show of a position, as plain values: nothing hidden reaches the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thurn_env.drawing.heading import asked_in_words, outcome_in_words


@dataclass(frozen=True, kw_only=True)
class Position:
    """What a picture shows.

    Attributes:
        table: everything that lies open, as `GameRules.public` gives it.
        hands: the cards in every hand; None for hands that are not shown.
        sources: the scores by source, without those that cannot be known.
        scores: the sums of these.
        ranks: as they stand, by seat; empty before the end where they cannot be known.
        names: what to call the players.
        over: whether the game is over.
        truncated: whether it was cut off.
        asked: what the player to move is asked, in words.
        when: how far the game has come, in words.
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
        """What lies open of every player."""
        players: list[dict[str, Any]] = self.table["players"]
        return players

    @property
    def seat(self) -> int:
        """The player to move; after the end the first of the winners."""
        return self.ranks.index(1) if self.over else int(self.table["seat"])

    def in_words(self, names: Sequence[str]) -> str:
        """Who is to move and what for, or who has won; the players by these names."""
        if self.over:
            return outcome_in_words(names, self.scores, self.ranks, self.truncated)
        return asked_in_words(names[self.seat], self.asked)


def all_names(names: Sequence[str], players: int) -> list[str]:
    """What to call the players: those without a name by their number."""
    return [names[seat] if seat < len(names) else f"player {seat}" for seat in range(players)]
