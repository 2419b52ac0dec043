"""What a search found about a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from thurn_env.table.game import View

__all__ = ["Analysis", "Analyst", "Line"]


@dataclass(frozen=True)
class Line:
    """What a search found about one action.

    Attributes:
        action: the action as text.
        visits: how often it was followed.
        chance: the chance to win after it, as the search sees it; with `mcts` the margin is a small part of it.
        score: the own score that is expected: the mean at the end of the games of the search, played on as it plays
            where it does not choose.
        best: the moves that the search holds to be best from there on, its own seat's (with `opponents=tree`, all).
    """

    action: str
    visits: int
    chance: float
    score: float
    best: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """What a search found, the action that it would play first.

    Attributes:
        seat: the seat that searched.
        iterations: how many iterations the figures rest on.
        lines: all actions that were tried, by visits.
    """

    seat: int
    iterations: int
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        width = max(len(line.action) for line in self.lines)
        rows = [f"seat {self.seat}, {self.iterations:,} iterations", f"{'action':{width}}  visits  chance  score  then"]
        for line in self.lines:
            then = ", ".join(line.best)
            rows.append(
                f"{line.action:{width}}  {line.visits:6,}  {line.chance:6.1%}  {line.score:5.1f}  {then}".rstrip()
            )
        return "\n".join(rows)


@runtime_checkable
class Analyst(Protocol):
    """An agent that can say what it found."""

    def analyse(self, view: View) -> Analysis:
        """Search the position of a seat to move that has a choice."""
