"""Strengths of the agents on a list, and how well the games determine them.

The choice of games needs this after every few games, so intervals come from the Fisher information here. Published
intervals come from resampled decks, see `figures.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from thurn_env.games.contract import Float64Array
from thurn_env.tournament.arena.store import Lineup, Outcome
from thurn_env.tournament.ratings import ELO, STRANGERS, Comparisons

NORMAL = 1.959964
"""Quantile of the normal distribution for 95 % intervals."""
SCRIPTED_SECONDS = 0.001
"""Assumed seconds of a seat in a game between scripted bots, which is not timed."""
OVERHEAD_SECONDS = 0.01
"""Assumed seconds of a timed game besides the agents' decisions."""


class Meetings:
    """Everything that finished games say, by lineup; grows with `add`."""

    def __init__(self) -> None:
        self.results: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
        self.decks: dict[Lineup, set[int]] = {}
        self.last = 0
        self._ahead: Counter[tuple[Lineup, int]] = Counter()
        self._pairs: Counter[tuple[Lineup, int]] = Counter()
        self._seconds: Counter[int] = Counter()
        self._timed: Counter[int] = Counter()

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Add finished games."""
        for outcome in outcomes:
            self.last = max(self.last, outcome.id)
            self.results[outcome.seats, outcome.ranks] += 1
            self.decks.setdefault(outcome.lineup, set()).add(outcome.deck)
            places = list(zip(outcome.seats, outcome.ranks, strict=True))
            for agent, rank in places:
                for other, its in places:
                    if agent != other:
                        # Counted in halves, since a tie is half a win.
                        self._ahead[outcome.lineup, agent] += 2 * (rank < its) + (rank == its)
                        self._pairs[outcome.lineup, agent] += 2
            if outcome.times is not None:
                for agent, seconds in zip(outcome.seats, outcome.times["seconds"], strict=True):
                    self._seconds[agent] += seconds
                    self._timed[agent] += 1

    def share(self, lineup: Lineup, agent: int) -> float:
        """Return how often an agent ranked before the others of a lineup."""
        return self._ahead[lineup, agent] / self._pairs[lineup, agent]

    def decks_of(self, agent: int) -> int:
        """Return the number of decks that an agent played, summed over its lineups."""
        return sum(len(decks) for lineup, decks in self.decks.items() if agent in lineup)

    def seconds(self, agent: int) -> float:
        """Return the mean seconds that an agent takes for a timed game."""
        timed = self._timed[agent]
        return self._seconds[agent] / timed if timed else OVERHEAD_SECONDS

    @property
    def agents(self) -> list[int]:
        """The agents that played, in ascending order."""
        return sorted({agent for lineup in self.decks for agent in lineup})

    def levels(self) -> Levels:
        """Fit the strengths."""
        agents = self.agents
        place = {agent: number for number, agent in enumerate(agents)}
        kinds = list(self.results)
        # A deck for every kind of result, with its frequency as weight.
        games = ((deck, [place[agent] for agent in seats], ranks) for deck, (seats, ranks) in enumerate(kinds))
        every = Comparisons.of(len(agents), len(kinds), games, STRANGERS)
        weights = np.array([self.results[kind] for kind in kinds], np.float64)
        counted = replace(every, counts=(weights @ every.counts)[None])
        strengths = counted.fit(np.ones(1))
        return Levels(agents, strengths, counted.information(strengths), counted.linked())


@dataclass(frozen=True)
class Levels:
    """Strengths of all agents that played.

    Attributes:
        agents: numbers of the agents.
        strengths: log strengths with mean 0, float64 (agents,).
        information: Fisher information about them, float64 (agents, agents).
        linked: which agents results link, bool (agents, agents); see `Comparisons.linked`.
    """

    agents: list[int]
    strengths: Float64Array
    information: Float64Array
    linked: npt.NDArray[np.bool_]

    @cached_property
    def place(self) -> dict[int, int]:
        """The index of every agent in the arrays."""
        return {agent: number for number, agent in enumerate(self.agents)}

    def is_linked(self, agent: int) -> bool:
        """Return whether results link an agent with another one."""
        return bool(self.linked[self.place[agent]].sum() > 1)

    def contrast(self, agent: int) -> Float64Array:
        """Return the weights of the strengths in an agent's rating, float64 (agents,).

        The rating is the distance to the mean of the linked agents, or of all agents if it is linked with none.
        """
        group = self.linked[self.place[agent]] if self.is_linked(agent) else np.ones(len(self.agents), np.bool_)
        weights: Float64Array = group.astype(np.float64) / -group.sum()
        weights[self.place[agent]] += 1.0
        return weights

    def covariance(self, more: Float64Array | None = None) -> Float64Array:
        """Return the covariance of the strengths, with additional information if given, float64 (agents, agents)."""
        information = self.information if more is None else self.information + more
        # Only differences are determined: the added constant fixes the mean, and contrasts do not depend on it.
        return np.linalg.inv(information + 1.0).astype(np.float64)

    def lineup_information(self, lineup: Lineup) -> Float64Array:
        """Return the expected information of one game of a lineup, float64 (agents, agents)."""
        seats = [self.place[agent] for agent in lineup]
        inner = table_information(self.strengths[seats])
        total = np.zeros((len(self.agents), len(self.agents)))
        np.add.at(total, (np.array(seats)[:, None], np.array(seats)[None, :]), inner)
        return total


def half_width(covariance: Float64Array, contrast: Float64Array) -> float:
    """Return half the width of the 95 % interval of a rating, in Elo points."""
    return float(NORMAL * ELO * np.sqrt(contrast @ covariance @ contrast))


def table_information(strengths: Sequence[float] | Float64Array) -> Float64Array:
    """Return the expected information of one game about the log strengths at a table, float64 (seats, seats)."""
    odds = np.exp(np.asarray(strengths) - np.max(strengths))
    seats = len(odds)
    total = np.zeros((seats, seats))
    # Probability that the seats of a set are those left after some places were drawn.
    reached = {(1 << seats) - 1: 1.0}
    while reached:
        following: dict[int, float] = {}
        for left, probability in reached.items():
            members = [seat for seat in range(seats) if left >> seat & 1]
            drawn = odds[members] / odds[members].sum()
            total[np.ix_(members, members)] += probability * (np.diag(drawn) - np.outer(drawn, drawn))
            if len(members) > 2:
                for seat, chance in zip(members, drawn, strict=True):
                    rest = left & ~(1 << seat)
                    following[rest] = following.get(rest, 0.0) + probability * float(chance)
        reached = following
    return total
