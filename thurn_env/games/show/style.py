"""Style figures: how an agent plays, apart from its points.

A game may have a module `show/style.py` with the functions of `Style`. It counts events of a finished game, such as
closed routes, and declares figures, which are quotients of two counts. Counts of several games add up, so figures of
many games are exact. A game without such a module has no style figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from thurn_env.games.contract import GameRules
from thurn_env.games.show.beside import shown_beside

GAMES = "games"
"""Count of the games themselves: 1 for every seat."""
WINS = "wins"
"""Count of the games in which the seat has rank 1, alone or with others."""

Counts = Mapping[str, int]
"""Whole numbers by name for a seat. A name that is missing counts 0."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The quotient of two counts, each summed over all games of an agent.

    Attributes:
        group: subject that it shares with other figures.
        name: name of the figure, unique in its game.
        meaning: its meaning in a sentence.
        title: its name within the group; empty takes `name`.
        count: name of the count that is divided; empty takes `name`.
        per: name of the count that divides it: `GAMES`, `WINS` or a count of the game.
        share: whether it is a share, shown in percent; else it is a mean.
        heading: heading in a table with few columns; empty if such a table leaves it out.
    """

    group: str
    name: str
    meaning: str
    title: str = ""
    count: str = ""
    per: str = GAMES
    share: bool = False
    heading: str = ""

    def __post_init__(self) -> None:
        for field in ("title", "count"):
            object.__setattr__(self, field, getattr(self, field) or self.name)

    def of(self, counts: Counts) -> float | None:
        """Return the figure of summed counts; None if the divisor is 0."""
        divisor = counts.get(self.per, 0)
        return counts.get(self.count, 0) / divisor if divisor else None


class Style(Protocol):
    """The style figures of a game."""

    def figures(self, rules: Any) -> Sequence[Figure]:
        """Return all figures, in the order in which they are shown; figures of a group follow each other."""

    def counts(self, rules: Any, state: Any, moves: Sequence[int], won: Sequence[bool]) -> list[dict[str, int]]:
        """Count the events of a finished game.

        Args:
            rules: the rules.
            state: the state record at the end.
            moves: indices of all actions since the deal.
            won: for every seat whether it has rank 1.

        Returns:
            The counts of every seat, without `GAMES` and `WINS`.
        """


class NoStyle:
    """The style of games without style figures."""

    def figures(self, rules: GameRules) -> Sequence[Figure]:
        """Return no figures."""
        return ()

    def counts(self, rules: GameRules, state: Any, moves: Sequence[int], won: Sequence[bool]) -> list[dict[str, int]]:
        """Return no counts."""
        return [{} for _ in won]


def style_declared_by(rules: GameRules) -> Style:
    """Return the style figures of a game."""
    return cast(Style, shown_beside(rules, "style") or NoStyle())
