"""Pairs of agents: how often one ranks before the other, and how much variance the shared decks remove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from thurn_env.games.contract import Float64Array, Int64Array
from thurn_env.tournament.intervals import share_intervals
from thurn_env.tournament.outcomes import Outcomes


@dataclass(frozen=True)
class Meeting:
    """All games in which two entrants met.

    Attributes:
        one: first entrant.
        other: second entrant.
        deck: deck of every game, from 0, int64 (games,).
        share: 1 if `one` ranks before `other`, 0 if behind, 1/2 if tied, float64 (games,); if one of them sits in
            several seats, the mean over the pairs of seats.
    """

    one: int
    other: int
    deck: Int64Array
    share: Float64Array


def meetings(outcomes: Outcomes) -> Iterator[Meeting]:
    """Yield a meeting for every pair that met, the entrants in ascending order."""
    for one, other in combinations(range(len(outcomes.names)), 2):
        mine, theirs = outcomes.seats == one, outcomes.seats == other
        met = mine.any(axis=1) & theirs.any(axis=1)
        if not met.any():
            continue
        pairs = mine[met][:, :, None] & theirs[met][:, None, :]
        own, others = outcomes.ranks[met][:, :, None], outcomes.ranks[met][:, None, :]
        ahead = (own < others) + 0.5 * (own == others)
        share = (pairs * ahead).sum(axis=(1, 2)) / pairs.sum(axis=(1, 2))
        yield Meeting(one, other, outcomes.deck[met], share)


def by_deck(meeting: Meeting, decks: int) -> tuple[Float64Array, Float64Array]:
    """Return the sum of shares and the number of games of every deck, each float64 (decks,)."""
    sums = np.bincount(meeting.deck, meeting.share, decks).astype(np.float64)
    return sums, np.bincount(meeting.deck, minlength=decks).astype(np.float64)


def pair_shares(outcomes: Outcomes, samples: Float64Array) -> dict[str, dict[str, dict[str, Any]]]:
    """Return share, 95 % interval and number of games for every pair that met, by row and column name."""
    shares: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in outcomes.names}
    for meeting in meetings(outcomes):
        sums, games = by_deck(meeting, outcomes.decks)
        share = float(sums.sum() / games.sum())
        (bounds,) = share_intervals(sums[:, None], games[:, None], samples)
        turned = bounds and [1 - bounds[1], 1 - bounds[0]]
        one, other = outcomes.names[meeting.one], outcomes.names[meeting.other]
        count = int(games.sum())
        shares[one][other] = {"share": share, "interval": bounds, "games": count}
        shares[other][one] = {"share": 1 - share, "interval": turned, "games": count}
    return shares


def variances(deck: Int64Array, share: Float64Array) -> tuple[float, float]:
    """Return two variances of the mean share: for games that share decks, and for independent games.

    The first comes from the variance between decks, the second from the variance between games. At least two decks are
    needed, all with the same number of games.
    """
    games = np.bincount(deck)
    means = (np.bincount(deck, share)[games > 0]) / games[games > 0]
    return float(means.var(ddof=1) / len(means)), float(share.var(ddof=1) / len(share))


def pairing(outcomes: Outcomes) -> dict[str, Any]:
    """Return how many times as many independent games would give the same precision as the paired ones.

    This is the ratio of variances, for every pair that met and for the sums over all pairs. It is None if there are too
    few decks or the means of the decks do not differ.
    """
    rows: list[dict[str, Any]] = []
    for meeting in meetings(outcomes):
        if outcomes.decks < 2:
            continue
        paired, independent = variances(meeting.deck, meeting.share)
        rows.append(
            {
                "agents": [outcomes.names[meeting.one], outcomes.names[meeting.other]],
                "games_per_deck": len(meeting.share) // outcomes.decks,
                "variance_paired": paired,
                "variance_independent": independent,
                "worth": _ratio(independent, paired),
            }
        )
    paired, independent = (sum(row[key] for row in rows) for key in ("variance_paired", "variance_independent"))
    return {"worth": _ratio(independent, paired), "pairs": rows}


def _ratio(independent: float, paired: float) -> float | None:
    """Return the ratio, or None if the divisor is 0 up to rounding errors."""
    return independent / paired if paired > 1e-12 else None
