"""Search results for a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from thurn_env.table.game import View

__all__ = ["Analysis", "Analyst", "Line", "MoveAnalyst"]


@dataclass(frozen=True)
class Line:
    """Search results for one action.

    Attributes:
        action: action as text.
        visits: number of visits.
        chance: estimated win probability after the action; with `mcts` the margin is a small part of it.
        score: expected final score of the searching seat: the mean over the games of the search, played to the end; NaN
            if the search recorded no scores.
        best: best continuation found, only the searching seat's moves (with `opponents=tree`, all moves).
        chances: estimated win probability of every seat after the action; empty if the search reports only `chance`.
            The sum may differ from 1 by a few percent, since the margin is part of it.
    """

    action: str
    visits: int
    chance: float
    score: float
    best: tuple[str, ...]
    chances: tuple[float, ...] = ()


@dataclass(frozen=True)
class Analysis:
    """Search results for a position; as text, a table of its actions.

    Attributes:
        seat: seat that searched.
        iterations: number of iterations behind the figures.
        lines: all actions that were tried, by descending visits; those of `MoveAnalyst.analyse_move` by the visits
            before it measured the action that was played.
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


@runtime_checkable
class MoveAnalyst(Analyst, Protocol):
    """Protocol of an analyst that can search with part of its budget, and measures an action that was played."""

    def analyse_move(self, view: View, played: int, effort: float, scored: bool) -> Analysis:
        """Search a position in which `played` was chosen.

        Args:
            view: view of the seat to move, which has a choice.
            played: index of the action to measure, even if the search prefers others.
            effort: share of the analyst's usual budget, from 0 to 1.
            scored: whether to record expected scores.
        """
