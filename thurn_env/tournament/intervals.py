"""95 % intervals by bootstrap over decks, with an exact bound where all decks agree.

Games of one deck are correlated, so decks are resampled, not games. If every deck gave the same share, so does every
sample, and the bootstrap interval has width 0. The exact bound then applies: with 97.5 % confidence at least `0.025 **
(1 / decks)` of all possible decks give this share, since otherwise a run of `decks` equal ones would have probability
below 2.5 %. The remaining decks may give any share from 0 to 1, which bounds the overall share. If all decks were won
or all were lost, this is the Clopper-Pearson interval with decks as trials.
"""

from __future__ import annotations

import numpy as np

from thurn_env.games.contract import Float64Array

TAIL = 0.025
"""Probability beyond each end of an interval."""

ALIKE = 1e-9
"""Shares that differ by less count as equal; they may have been rounded."""


def resampled(decks: int, count: int, seed: int) -> Float64Array:
    """Draw `count` bootstrap samples: how often each deck is drawn, float64 (count, decks)."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    chances, samples = np.full(decks, 1 / decks), np.empty((count, decks))
    # Row by row: with many decks, all integers at once would take as much memory again.
    for sample in samples:
        sample[:] = generator.multinomial(decks, chances)
    return samples


def interval(samples: Float64Array) -> list[list[float]]:
    """Return the 95 % percentile interval of every column of `samples`, shape (samples, columns)."""
    return np.quantile(samples, [TAIL, 1 - TAIL], axis=0).T.tolist() if len(samples) else []


def share_intervals(sums: Float64Array, games: Float64Array, samples: Float64Array) -> list[list[float] | None]:
    """Return the 95 % interval of the share in every column.

    Args:
        sums: contribution of every deck to the shares, float64 (decks, columns).
        games: games of every deck, the divisor of the shares, float64 (decks, columns) or (decks, 1).
        samples: bootstrap samples of the decks, float64 (samples, decks).

    Returns:
        The intervals; None without samples, or where no deck has games.
    """
    if not len(samples):
        return [None] * sums.shape[1]
    played = np.broadcast_to(games, sums.shape) > 0
    shares = np.divide(sums, games, out=np.zeros(sums.shape), where=played)
    drawn = np.broadcast_to(samples @ games, (len(samples), sums.shape[1]))
    sampled = np.divide(samples @ sums, drawn, out=np.full(drawn.shape, np.nan), where=drawn > 0)
    # A sample may have none of a column's decks; it says nothing about this column.
    bounds = [interval(column[~np.isnan(column), None]) for column in sampled.T]
    return [
        _agreed(row[there]) or (bound[0] if bound else None)
        for row, there, bound in zip(shares.T, played.T, bounds, strict=True)
    ]


def normal_interval(shares: Float64Array) -> tuple[float, float]:
    """Return the 95 % interval of the mean share of so many decks, float64 (decks,), that resampling would take long.

    It is the normal approximation, and the exact bound if all decks agree.
    """
    if exact := _agreed(shares):
        return exact[0], exact[1]
    mean, width = float(shares.mean()), 1.96 * float(shares.std()) / len(shares) ** 0.5
    return max(0.0, mean - width), min(1.0, mean + width)


def _agreed(shares: Float64Array) -> list[float] | None:
    """Return the exact interval if all decks, float64 (decks,), gave the same share, otherwise None."""
    if not len(shares) or np.ptp(shares) > ALIKE:
        return None
    certain, share = TAIL ** (1 / len(shares)), float(shares[0])
    return [certain * share, 1 - certain * (1 - share)]
