"""Sequential test of an agent's share of games, and an interval for that share that allows for the early stop.

A deck is the unit. It is played in all seatings, so its score, the mean share of the games in which the agent ranks
before the other one, is a number from 0 to 1. Two claims compete: the expected score is *above* one bound, or *below* a
higher one. Between the bounds both are true.

The test is a generalised sequential probability ratio test (GSPRT), as fishtest applies it to pairs of chess games. In
the normal approximation with variance v, a deck with score x adds d (x - (s0 + s1) / 2) / v to the log-likelihood ratio
of s1 against s0, where d = s1 - s0 (M. Van den Bergh, https://www.cantate.be/Fishtest/GSPRT_approximation.pdf). With
the variance estimated from the same decks, this test exceeds its error rates if decks are few.

Here a deck adds log(1 + d/v (x - s0)), which is the same up to second order, and v is estimated from the *earlier*
decks. If the expected score is s0 or less, the ratio is then a non-negative supermartingale: its expectation never
exceeds 1, whatever the distribution of the scores. By Ville's inequality it reaches 1 / alpha with a probability of at
most alpha, however often one looks. The claim `below` has a ratio of its own, for 1 - x.

The interval consists of the shares that such ratios do not reject (I. Waudby-Smith and A. Ramdas, "Estimating means of
bounded random variables by betting", Journal of the Royal Statistical Society B 86, 2024). It covers the true share
with a probability of at least 95 % whenever and for whatever reason the match stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any, Literal, NamedTuple

import numpy as np

from thurn_env.checks import checked_number
from thurn_env.errors import OptionError
from thurn_env.games.contract import Float64Array

Verdict = Literal["above", "below", "undecided"]

LARGEST_VARIANCE = 0.25
"""Variance of a score that is always 0 or 1; the estimate begins with one deck of this variance."""
MOST_AT_STAKE = 0.5
"""Largest fraction by which one deck can lower the ratio of a claim: no single deck ruins a test."""

LENGTHS = (10.0, 100.0, 1000.0, 10_000.0)
"""Numbers of decks whose best ratios are averaged for the interval, so that it is narrow whenever the match stops."""
MOST_AT_STAKE_FOR_INTERVAL = 0.75
TAIL = 0.025
"""Probability beyond each end of the interval."""
HALVINGS = 40
"""Steps of the search for an end of the interval."""

LEAST_SHARE, MOST_SHARE = 0.01, 0.99
LEAST_ERROR, MOST_ERROR = 1e-6, 0.5


class Evidence(NamedTuple):
    """Decks so far and what they show. All numbers but `decks` may be arrays with a match in every place.

    Attributes:
        decks: number of decks.
        mean: mean score.
        squares: sum of the squared deviations from the mean.
        above: log-likelihood ratio of the claim `above`.
        below: log-likelihood ratio of the claim `below`.
    """

    decks: int = 0
    mean: Any = 0.0
    squares: Any = 0.0
    above: Any = 0.0
    below: Any = 0.0

    @property
    def variance(self) -> Any:
        """Estimated variance of a score."""
        return (LARGEST_VARIANCE + self.squares) / (1 + self.decks)


@dataclass(frozen=True)
class SequentialTest:
    """Claims about an agent's share of games, and the error rates of the decision between them.

    Attributes:
        above: the claim `above` says that the share is higher than this.
        below: the claim `below` says that the share is lower than this.
        alpha: largest probability of the verdict `above` if the claim is false.
        beta: largest probability of the verdict `below` if the claim is false.
    """

    above: float = 0.5
    below: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("above", "below"):
            object.__setattr__(self, name, checked_number(name, getattr(self, name), LEAST_SHARE, MOST_SHARE))
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, checked_number(name, getattr(self, name), LEAST_ERROR, MOST_ERROR))
        if self.above >= self.below:
            raise OptionError(f"above must be less than below, not {self.above} and {self.below}")

    @property
    def gap(self) -> float:
        """Distance between the bounds."""
        return self.below - self.above

    @property
    def needed(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the claims `above` and `below` are accepted."""
        return -log(self.alpha), -log(self.beta)

    def after(self, evidence: Evidence, score: Any) -> Evidence:
        """Return the evidence after one more deck."""
        decks, variance = evidence.decks + 1, evidence.variance
        deviation = score - evidence.mean
        mean = evidence.mean + deviation / decks
        return Evidence(
            decks,
            mean,
            evidence.squares + deviation * (score - mean),
            evidence.above + log_ratio(score, variance, self.above, self.gap),
            evidence.below + log_ratio(1 - score, variance, 1 - self.below, self.gap),
        )

    def verdict(self, evidence: Evidence) -> Verdict:
        """Return the claim that the evidence of a match accepts first, or `undecided`."""
        above, below = self.needed
        if evidence.above >= above:
            return "above"
        return "below" if evidence.below >= below else "undecided"


def log_ratio(score: Any, variance: Any, share: float, gap: Any, most_at_stake: float = MOST_AT_STAKE) -> Any:
    """Return what a deck adds to the log-likelihood ratio of the expected score `share + gap` against `share`."""
    return np.log1p(np.minimum(gap / variance, most_at_stake / share) * (score - share))


def log_ratios(score: Any, variance: Any, share: float) -> Float64Array:
    """Return the log-likelihood ratios of decks against `share` for all lengths of a match, (lengths, ...)."""
    gaps = [np.sqrt(-2 * log(TAIL) * variance / length) for length in LENGTHS]
    return np.stack([log_ratio(score, variance, share, gap, MOST_AT_STAKE_FOR_INTERVAL) for gap in gaps])


def rejected(ratios: Float64Array) -> Any:
    """Return whether the log-likelihood ratios of a match for all lengths, (lengths, ...), reject a share."""
    return np.logaddexp.reduce(ratios, axis=0) - log(len(LENGTHS)) >= -log(TAIL)


def interval(scores: Float64Array, variances: Float64Array) -> tuple[float, float]:
    """Return the 95 % interval of the share.

    Args:
        scores: scores of the decks in their order, (decks,).
        variances: estimated variance before each deck, (decks,).
    """
    return _least(scores, variances), 1 - _least(1 - scores, variances)


def _least(scores: Float64Array, variances: Float64Array) -> float:
    """Return the largest share that is rejected as too small; the ratios fall as the share rises."""
    too_small, kept = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (too_small + kept) / 2
        if rejected(log_ratios(scores, variances, middle).sum(axis=-1)):
            too_small = middle
        else:
            kept = middle
    return too_small
