"""Pairs of agents: how often one ranks before the other, and how much luck the shared decks take out of that."""

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
        one: the first entrant.
        other: the second entrant.
        deck: the deck of every game, the first one 0, shape (games,).
        share: how far the first was ahead: 1 before the other, 0 behind, 1/2 with the same rank; where one of them sits
            in several seats, the mean over the pairs of seats. Shape (games,).
    """

    one: int
    other: int
    deck: Int64Array
    share: Float64Array


def meetings(outcomes: Outcomes) -> Iterator[Meeting]:
    """Every pair that met, the entrants in ascending order."""
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
    """The sum of the shares, and the number of games, of every deck."""
    sums = np.bincount(meeting.deck, meeting.share, decks).astype(np.float64)
    return sums, np.bincount(meeting.deck, minlength=decks).astype(np.float64)


def pair_shares(outcomes: Outcomes, samples: Float64Array) -> dict[str, dict[str, dict[str, Any]]]:
    """For every row and every column it met: the share, its 95 % interval, the games."""
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
    """The variance of a mean share: as it is, with games that share decks, and if all games were independent.

    The first comes from how the means of the decks differ, the second from how the games differ, as if each had a deck
    of its own. At least two decks are needed, all with the same number of games.
    """
    games = np.bincount(deck)
    means = (np.bincount(deck, share)[games > 0]) / games[games > 0]
    return float(means.var(ddof=1) / len(means)), float(share.var(ddof=1) / len(share))


def pairing(outcomes: Outcomes) -> dict[str, Any]:
    """What the shared decks are worth: how many times as many independent games would tell as much.

    For every pair that met, and for all of them together (the sums of the variances). None stands for more than can be
    told: too few decks, or decks whose means do not differ at all.
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
    """None where a figure cannot be given; nothing is made of rounding errors."""
    return independent / paired if paired > 1e-12 else None
