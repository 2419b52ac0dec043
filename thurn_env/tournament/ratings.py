"""Ratings by the Plackett-Luce model, with intervals by bootstrap over decks.

Every entrant has a strength. The winner of a game is drawn in proportion to the strengths, the second among the others
in the same way, and so on; with two players this is the Bradley-Terry model, and Elo's. The strengths are those under
which the rankings seen are most likely. The numbers of games in which somebody comes first among the same entrants are
all that the likelihood depends on, so a fit takes a millisecond however many games there were.

Two conventions. Every pair is credited one more, drawn, game: without it an entrant that never loses has no finite
rating; near 100 % the distance to others comes from that game and the number of games. And a tie, left by a game that
was cut off or whose rules know a shared victory, counts as every order of the tied players in equal parts; with two
players: half a win for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, permutations, product
from math import log

import numpy as np
import numpy.typing as npt

from thurn_env.games.contract import Float64Array, Int64Array
from thurn_env.tournament.intervals import interval

ELO = 400 / log(10)
"""Points of the Elo scale for a strength that is larger by the factor e: 400 points are a factor of ten."""

DRAWN_GAMES = 1.0
"""Games, all drawn, that every pair is credited."""

STILL = 1e-6
"""A rating that resampling moves by less has not moved: the fit is not more exact than that."""

Stage = tuple[int, tuple[int, ...]]
"""One draw of the model: who was drawn, and all who were left (in ascending order, the drawn one included)."""


def orders(entrants: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """The strict orders, best first, that a result stands for, with their weights."""
    seats = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    tied = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat])]
    choices = list(product(*(list(permutations(group)) for group in tied)))
    for choice in choices:
        yield tuple(entrants[seat] for group in choice for seat in group), 1 / len(choices)


def stages(order: tuple[int, ...]) -> Iterator[Stage]:
    """The draws that make an order."""
    for place in range(len(order) - 1):
        yield order[place], tuple(sorted(order[place:]))


@dataclass(frozen=True)
class Comparisons:
    """All that ratings are made from.

    Attributes:
        entrants: number of entrants.
        drawn: the entrant drawn in every kind of stage, shape (stages,).
        members: how often every entrant was among those left, shape (stages, entrants).
        counts: how often every kind of stage happened with every deck, shape (decks, stages).
    """

    entrants: int
    drawn: Int64Array
    members: Float64Array
    counts: Float64Array

    @classmethod
    def of(cls, entrants: int, decks: int, games: Iterable[tuple[int, Sequence[int], Sequence[int]]]) -> Comparisons:
        """From games, each given as deck, entrants by seat and ranks by seat."""
        credited = [(one, tuple(sorted((one, other)))) for one, other in permutations(range(entrants), 2)]
        kinds: dict[Stage, int] = {stage: number for number, stage in enumerate(credited)}
        tally: defaultdict[tuple[int, int], float] = defaultdict(float)
        weights: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, float]]] = {}
        for deck, seats, ranks in games:
            result = (tuple(seats), tuple(ranks))
            if result not in weights:
                weights[result] = [
                    (kinds.setdefault(stage, len(kinds)), weight)
                    for order, weight in orders(seats, ranks)
                    for stage in stages(order)
                ]
            for kind, weight in weights[result]:
                tally[deck, kind] += weight
        counts = np.zeros((decks, len(kinds)))
        for (deck, kind), weight in tally.items():
            counts[deck, kind] = weight
        members = np.zeros((len(kinds), entrants))
        for (_, left), kind in kinds.items():
            for entrant in left:
                members[kind, entrant] += 1
        drawn = np.array([one for one, _ in kinds], np.int64)
        return cls(entrants, drawn, members, counts)

    def linked(self) -> npt.NDArray[np.bool_]:
        """Which entrants the games link, whatever is credited, shape (entrants, entrants).

        Two are linked if each ended before the other or level with it, or before one that is linked so with the other.
        Between any others the likelihood has no maximum without the credited games: they alone say how far apart the
        two are.
        """
        before = np.eye(self.entrants, dtype=np.bool_)
        played = self.counts.any(axis=0)
        np.logical_or.at(before, self.drawn[played], self.members[played] > 0)
        for _ in range(self.entrants.bit_length()):
            before = before @ before
        return before & before.T

    def fit(self, weights: Float64Array, start: Float64Array | None = None) -> Float64Array:
        """The logarithms of the strengths, with mean 0, when every deck counts `weights` times."""
        counts: Float64Array = weights @ self.counts
        pairs = self.entrants * (self.entrants - 1)
        counts[:pairs] += DRAWN_GAMES / 2
        wins = np.bincount(self.drawn, counts, self.entrants)
        level: Float64Array = np.zeros(self.entrants) if start is None else start
        for _ in range(200):
            # Newton's method; the likelihood is concave, and bounded steps keep it from overshooting.
            odds = self.members * np.exp(level)
            chances = odds / odds.sum(axis=1, keepdims=True)
            expected = counts @ chances
            curvature = np.diag(expected) - (chances * counts[:, None]).T @ chances
            # Only differences matter: the added constant holds the mean.
            step = np.linalg.solve(curvature + 1.0, wins - expected)
            step -= step.mean()
            largest = np.abs(step).max(initial=0.0)
            level = level + step * min(1.0, 1.5 / max(largest, 1e-300))
            if largest < 1e-8:
                return level
        raise RuntimeError("the ratings did not converge")


def elo_ratings(comparisons: Comparisons, samples: Float64Array) -> tuple[list[float], list[list[float] | None]]:
    """The ratings on the Elo scale, mean 0, and their 95 % intervals.

    An interval tells how well a rating is known among the entrants that it is linked with: how their mean lies to that
    of the others depends on the credited games. None for an interval that cannot be told: of an entrant that is linked
    with no other, without samples, and where no sample moves the rating.
    """
    best = comparisons.fit(np.ones(len(comparisons.counts)))
    fits = np.array([comparisons.fit(weights, best) for weights in samples]).reshape(-1, len(best))
    linked = comparisons.linked()
    group_means = linked / linked.sum(axis=1, keepdims=True)
    bounds = interval((fits + (best - fits) @ group_means.T) * ELO) or [[0.0, 0.0]] * len(best)
    known = [high - low > STILL and group.sum() > 1 for (low, high), group in zip(bounds, linked, strict=True)]
    return (best * ELO).tolist(), [bound if there else None for bound, there in zip(bounds, known, strict=True)]
