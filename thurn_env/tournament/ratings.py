"""Ratings by the Plackett-Luce model, with bootstrap intervals over decks.

Every entrant has a strength. The winner of a game is drawn with probabilities in proportion to the strengths, the
second place is drawn in the same way from the remaining entrants, and so on. With two players this is the Bradley-Terry
model, and Elo's. `fit` computes the maximum-likelihood strengths. The likelihood depends only on how often each entrant
is drawn from each group, so a fit takes less than a millisecond for any number of games.

There are two conventions. First, every pair gets one additional drawn game as a prior: without it an entrant that never
loses has no finite rating. With a win rate near 100 %, the distance to others depends on this prior and on the number
of games. Second, a tie, from a truncated game or from rules with a shared victory, counts as all orders of the tied
players in equal parts; with two players as half a win for each.
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
from thurn_env.tournament.intervals import ALIKE, interval

ELO = 400 / log(10)
"""Elo points per unit of log strength: a factor of ten in strength is 400 points."""

DRAWN_GAMES = 1.0
"""Prior: number of drawn games added to every pair."""

STRANGERS = 0.02
"""Prior for pairs that never met, where most pairs do not meet. Drawn games between the strongest and the weakest
entrants would outweigh the games that connect them."""

STILL = 1e-6
"""Smallest change of a rating that counts as a change; a fit is not more precise."""

MOST_NUMBERS = 100_000
"""Largest number of odds computed at once: samples share the work around them, and a cache holds all of them."""

Stage = tuple[int, tuple[int, ...]]
"""One draw of the model: the entrant drawn, and all that remained (ascending, including the one drawn)."""


def orders(entrants: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the strict orders, best first, that a result stands for, with their weights."""
    seats = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    tied = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat])]
    choices = list(product(*(list(permutations(group)) for group in tied)))
    for choice in choices:
        yield tuple(entrants[seat] for group in choice for seat in group), 1 / len(choices)


def stages(order: tuple[int, ...]) -> Iterator[Stage]:
    """Yield the draws that make an order."""
    for place in range(len(order) - 1):
        yield order[place], tuple(sorted(order[place:]))


@dataclass(frozen=True)
class Comparisons:
    """Sufficient statistics for ratings.

    Attributes:
        entrants: number of entrants.
        drawn: the entrant drawn in every kind of stage, int64 (stages,).
        members: number of times every entrant remains in every kind of stage, float64 (stages, entrants).
        counts: number of times every kind of stage occurs in every deck, float64 (decks, stages).
        credit: number of drawn games added to the pair of each of the first stages, float64 (pairs,).
    """

    entrants: int
    drawn: Int64Array
    members: Float64Array
    counts: Float64Array
    credit: Float64Array

    @classmethod
    def of(
        cls,
        entrants: int,
        decks: int,
        games: Iterable[tuple[int, Sequence[int], Sequence[int]]],
        strangers: float = DRAWN_GAMES,
    ) -> Comparisons:
        """Count the stages of games, each given as deck, entrants by seat and ranks by seat.

        `strangers` is the number of drawn games added to a pair that never met.
        """
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
        together = members[counts.any(axis=0)] > 0
        met = (together.T.astype(np.float64) @ together) > 0
        credit = [DRAWN_GAMES if met[pair] else strangers for _, pair in credited]
        return cls(entrants, drawn, members, counts, np.array(credit))

    def linked(self) -> npt.NDArray[np.bool_]:
        """Return which entrants the games link, without the prior, bool (entrants, entrants).

        Entrant A reaches B if A ranked before or level with B in a game, or reaches an entrant that reaches B. Two
        entrants are linked if each reaches the other. Between entrants that are not linked the likelihood has no
        maximum, and the rating difference depends only on the prior.
        """
        before = np.eye(self.entrants, dtype=np.bool_)
        played = self.counts.any(axis=0)
        np.logical_or.at(before, self.drawn[played], self.members[played] > 0)
        for _ in range(self.entrants.bit_length()):
            before = before @ before
        return before & before.T

    def decks_agree(self) -> npt.NDArray[np.bool_]:
        """Return for every entrant whether it was drawn in the same share of its stages in all decks, bool (entrants,).

        It holds for an entrant without decks.
        """
        stages = self.counts @ (self.members > 0)
        played = stages > 0
        drawn = self.counts @ np.eye(self.entrants)[self.drawn]
        shares = np.divide(drawn, stages, out=np.zeros(stages.shape), where=played)
        most, least = np.where(played, shares, -1).max(axis=0), np.where(played, shares, 2).min(axis=0)
        alike: npt.NDArray[np.bool_] = most - least <= ALIKE
        return alike

    def fit(self, weights: Float64Array, start: Float64Array | None = None) -> Float64Array:
        """Fit the strengths with every deck counted `weights` times.

        Args:
            weights: float64 (decks,).
            start: initial log strengths, float64 (entrants,); None starts from 0.

        Returns:
            The log strengths with mean 0, float64 (entrants,).
        """
        levels: Float64Array = self.fits(weights[None], start)[0]
        return levels

    def fits(self, weights: Float64Array, start: Float64Array | None = None) -> Float64Array:
        """Fit the strengths for every row of weights, float64 (rows, decks): float64 (rows, entrants). See `fit`."""
        levels = np.empty((len(weights), self.entrants))
        levels[:] = 0 if start is None else start
        together = max(1, MOST_NUMBERS // max(1, self.members.size))
        for first in range(0, len(weights), together):
            part = slice(first, first + together)
            self._climb(levels[part], self._credited(weights[part]))
        return levels

    def _climb(self, levels: Float64Array, counts: Float64Array) -> None:
        """Bring log strengths to their maximum, in place, (rows, entrants), for counts of stages (rows, stages)."""
        wins = counts @ np.eye(self.entrants)[self.drawn]
        moving = np.arange(len(levels))
        for _ in range(200):
            # Newton's method; the likelihood is concave, and bounded steps keep it from overshooting.
            expected, curvature = self._moments(levels[moving], counts[moving])
            # Only differences are determined: the added constant fixes the mean.
            steps = np.linalg.solve(curvature + 1.0, (wins[moving] - expected)[..., None])[..., 0]
            steps -= steps.mean(axis=1, keepdims=True)
            largest = np.abs(steps).max(axis=1, initial=0.0)
            levels[moving] += steps * np.minimum(1.0, 1.5 / np.maximum(largest, 1e-300))[:, None]
            moving = moving[~(largest < 1e-8)]
            if not len(moving):
                return
        raise RuntimeError("the ratings did not converge")

    def information(self, level: Float64Array) -> Float64Array:
        """Return the Fisher information of all decks and of the prior about the log strengths, float64 (entrants,) * 2.

        Args:
            level: log strengths, float64 (entrants,).
        """
        curvature: Float64Array = self._moments(level[None], self._credited(np.ones((1, len(self.counts)))))[1][0]
        return curvature

    def _credited(self, weights: Float64Array) -> Float64Array:
        """Return how often every kind of stage occurs, with the prior, float64 (rows, stages)."""
        counts: Float64Array = weights @ self.counts
        counts[:, : len(self.credit)] += self.credit / 2
        return counts

    def _moments(self, levels: Float64Array, counts: Float64Array) -> tuple[Float64Array, Float64Array]:
        """Return the expected draws of every entrant, (rows, entrants), and the curvatures of the negative log
        likelihood, (rows, entrants, entrants)."""
        odds = self.members * np.exp(levels)[:, None]
        probabilities = odds / odds.sum(axis=2, keepdims=True)
        weighted = probabilities * counts[..., None]
        expected: Float64Array = weighted.sum(axis=1)
        diagonal = expected[..., None] * np.eye(self.entrants)
        return expected, diagonal - weighted.transpose(0, 2, 1) @ probabilities


def elo_ratings(comparisons: Comparisons, samples: Float64Array) -> tuple[list[float], list[list[float] | None]]:
    """Return the ratings on the Elo scale, mean 0, and their 95 % intervals.

    Args:
        comparisons: the games.
        samples: bootstrap samples of the decks, float64 (samples, decks).

    Returns:
        Ratings and intervals by entrant. An interval describes the uncertainty among the entrants linked with this one;
        the distance between groups depends on the prior. It is None for an entrant that is linked with no other,
        without samples, and if all its decks agree: then samples show only what others did.
    """
    best = comparisons.fit(np.ones(len(comparisons.counts)))
    fits = comparisons.fits(samples, best)
    linked = comparisons.linked()
    group_means = linked / linked.sum(axis=1, keepdims=True)
    bounds = interval((fits + (best - fits) @ group_means.T) * ELO) or [[0.0, 0.0]] * len(best)
    agree = comparisons.decks_agree()
    known = [
        high - low > STILL and group.sum() > 1 and not alike
        for (low, high), group, alike in zip(bounds, linked, agree, strict=True)
    ]
    return (best * ELO).tolist(), [bound if there else None for bound, there in zip(bounds, known, strict=True)]
