"""The 95 % intervals: resampled decks, and an exact bound where all decks agree.

The games of one deck hang together, so decks are drawn, not games. Where every deck gave the same share, every sample
does too, and resampling would tell nothing but that share. What can be said then: with 97.5 % confidence at least
`0.025 ** (1 / decks)` of all decks give this share, for if they were fewer, so many in a row would come up in less than
2.5 % of cases. The others may give anything from none to all, and between these two lies the share of all decks. For
decks that were all won or all lost this is the interval of Clopper and Pearson, with decks for trials.
"""

from __future__ import annotations

import numpy as np

from thurn_env.games.contract import Float64Array

TAIL = 0.025
"""How much of the probability is left out at either end of an interval."""

ALIKE = 1e-9
"""Shares of decks that differ by less are the same; they may have been rounded."""


def resampled(decks: int, count: int, seed: int) -> Float64Array:
    """Bootstrap samples of decks: how often each is drawn, shape (count, decks)."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    return generator.multinomial(decks, np.full(decks, 1 / decks), size=count).astype(np.float64)


def interval(samples: Float64Array) -> list[list[float]]:
    """The 95 % percentile interval of every column."""
    return np.quantile(samples, [TAIL, 1 - TAIL], axis=0).T.tolist() if len(samples) else []


def share_intervals(sums: Float64Array, games: Float64Array, samples: Float64Array) -> list[list[float] | None]:
    """The 95 % interval of the share in every column.

    Args:
        sums: what every deck adds to the shares, shape (decks, columns).
        games: by how many games it is to be divided, shape (decks, columns) or (decks, 1).
        samples: bootstrap samples of the decks, shape (samples, decks); without any there are no intervals.
    """
    if not len(samples):
        return [None] * sums.shape[1]
    bounds = interval((samples @ sums) / np.maximum(samples @ games, 1))
    played = np.broadcast_to(games, sums.shape) > 0
    shares = np.divide(sums, games, out=np.zeros(sums.shape), where=played)
    return [_agreed(row[there]) or bound for row, there, bound in zip(shares.T, played.T, bounds, strict=True)]


def _agreed(shares: Float64Array) -> list[float] | None:
    """The interval if all decks gave the same share; None if they did not."""
    if not len(shares) or np.ptp(shares) > ALIKE:
        return None
    certain, share = TAIL ** (1 / len(shares)), float(shares[0])
    return [certain * share, 1 - certain * (1 - share)]
