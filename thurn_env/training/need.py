"""Opponents by need: past selves that the learner often loses to play more of its games.

This is prioritised fictitious self-play (Vinyals et al., 2019): with exponent `need`, a past self is drawn with weight
(1 - share of games won against it) ** need. Games against past selves that the learner always beats teach it little.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from thurn_env.games.contract import Float64Array

FADING = 0.5
"""Factor of earlier games at every snapshot, because the learner that played them has changed."""
PRIOR = 8.0
"""Assumed number of earlier games against a snapshot, of which the learner won its fair share."""


class Tally:
    """Games of the learner against its snapshots, by the number of the snapshot; earlier games fade."""

    def __init__(self) -> None:
        self._games: dict[int, float] = {}
        self._won: dict[int, float] = {}

    def add(self, snapshot: int, games: int, won: int) -> None:
        """Count games against a snapshot."""
        self._games[snapshot] = self._games.get(snapshot, 0.0) + games
        self._won[snapshot] = self._won.get(snapshot, 0.0) + won

    def fade(self, kept: Collection[int]) -> None:
        """Reduce the weight of all games so far, and drop those against snapshots that are not in `kept`."""
        self._games = {number: FADING * games for number, games in self._games.items() if number in kept}
        self._won = {number: FADING * won for number, won in self._won.items() if number in kept}

    def share_won(self, snapshot: int, players: int) -> float:
        """Estimate the share of games that the learner wins against a snapshot."""
        won, games = self._won.get(snapshot, 0.0), self._games.get(snapshot, 0.0)
        return (won + PRIOR / players) / (games + PRIOR)

    def probabilities(self, snapshots: Sequence[int], need: float, players: int) -> Float64Array:
        """Return the probability of drawing each snapshot, float64 (snapshots,)."""
        weights = np.array([(1 - self.share_won(number, players)) ** need for number in snapshots])
        probabilities: Float64Array = weights / weights.sum()
        return probabilities
