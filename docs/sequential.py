"""Simulated matches of `thurn match` as a table, for docs/evaluation.md."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thurn_env.tournament.evidence import LENGTHS, Evidence, SequentialTest, log_ratios, rejected

Draw = Callable[[np.random.Generator, float, int], npt.NDArray[np.float64]]
"""Draws scores of decks with a given expectation: generator, expectation, number."""

MATCHES = 10_000
MOST_DECKS = 20_000
SHARES = (0.5, 0.525, 0.55, 0.6)


def independent(generator: np.random.Generator, share: float, number: int) -> npt.NDArray[np.float64]:
    """Draw decks of two players whose two games do not depend on each other."""
    return generator.binomial(2, share, number) / 2


class Simulated(NamedTuple):
    """Simulated matches with the same expected score.

    Attributes:
        share: expected score.
        above: share of the matches with the verdict `above`.
        below: share of the matches with the verdict `below`.
        decks: number of decks of every match.
        covered: share of the matches whose 95 % interval contains the expected score.
    """

    share: float
    above: float
    below: float
    decks: npt.NDArray[np.int64]
    covered: float


@cache
def simulated(
    test: SequentialTest,
    share: float,
    draw: Draw = independent,
    most_decks: int = MOST_DECKS,
) -> Simulated:
    """Simulate `MATCHES` matches, all of them deck by deck."""
    generator = np.random.default_rng(1)
    zeros = np.zeros(MATCHES)
    evidence = Evidence(0, zeros, zeros, zeros, zeros)
    number = np.arange(MATCHES)
    # What the intervals' ratios say against the true share, which an interval contains if neither rejects it.
    ratios = np.zeros((len(LENGTHS), 2, MATCHES))
    shares: Any = np.array([[share], [1 - share]])
    verdicts = np.zeros(MATCHES, np.int64)
    decks = np.full(MATCHES, most_decks)
    covered = np.zeros(MATCHES, np.bool_)
    for deck in range(1, most_decks + 1):
        scores = draw(generator, share, len(number))
        ratios += log_ratios(np.stack([scores, 1 - scores]), evidence.variance, shares)
        evidence = test.after(evidence, scores)
        above, below = evidence.above >= test.needed[0], evidence.below >= test.needed[1]
        over = above | below | (deck == most_decks)
        if not over.any():
            continue
        verdicts[number[below]], verdicts[number[above]] = -1, 1
        decks[number[over]] = deck
        covered[number[over]] = ~rejected(ratios[..., over]).any(axis=0)
        left = ~over
        number, ratios = number[left], ratios[..., left]
        evidence = Evidence(deck, *(values[left] for values in evidence[1:]))
        if not len(number):
            break
    return Simulated(share, float((verdicts == 1).mean()), float((verdicts == -1).mean()), decks, float(covered.mean()))


def fixed_decks(test: SequentialTest, variance: float) -> int:
    """Return the number of decks that a test without early stop needs for the same error rates.

    It compares the mean score of all decks with a limit between the bounds; the variance of a score must be known.
    """
    quantiles = sum(NormalDist().inv_cdf(1 - error) for error in (test.alpha, test.beta))
    return ceil((quantiles * sqrt(variance) / test.gap) ** 2)


def table() -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The columns and rows of the table: verdicts and lengths of simulated matches for every true share."""
    test = SequentialTest()
    # The variance of the mean of two independent games that are each won in half of all cases.
    fixed = fixed_decks(test, 0.5 * 0.5 / 2)
    columns = ("true share", "above 50 %", f"mean decks (fixed: {fixed:,})")
    rows = []
    for share in SHARES:
        found = simulated(test, share)
        percentages = (f"{100 * value:.1f} %" for value in (share, found.above))
        rows.append((*percentages, f"{found.decks.mean():,.0f}"))
    return columns, rows
