"""Search results for a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from thurn_env.table.game import View

__all__ = ["Analysis", "Analyst", "Line"]


@dataclass(frozen=True)
class Line:
    """Search results for one action.

    Attributes:
        action: action as text.
        visits: number of visits.
        chance: estimated win probability after the action; with `mcts` the margin is a small part of it.
        score: expected final score of the searching seat: the mean over the games of the search, played to the end.
        best: best continuation found, only the searching seat's moves (with `opponents=tree`, all moves).
    """

    action: str
    visits: int
    chance: float
    score: float
    best: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """Search results for a position; as text, a table of its actions.

    Attributes:
        seat: seat that searched.
        iterations: number of iterations behind the figures.
        lines: all actions that were tried, by descending visits.
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
                f"{line.action:{width}}  {line.visits:6,}  {line.chance:6.1%}  {line.score:z5.1f}  {then}".rstrip()
            )
        return "\n".join(rows)


@runtime_checkable
class Analyst(Protocol):
    """Protocol of an agent that can report search results."""

    def analyse(self, view: View) -> Analysis:
        """Search a position in which the seat to move has a choice, and return the results."""
