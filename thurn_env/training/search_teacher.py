"""A teacher that searches: a policy whose probabilities search has improved.

Imitating search that the pupil itself guides is expert iteration (Anthony, Tian and Barber, 2017). The teacher is a
policy; where it is unsure, search guided by it compares the actions, and each probability is multiplied by the
exponential of the action's advantage. That is the policy that search itself approaches, near the one it started from
(Grill and others, 2020). Visits as the label, as in AlphaZero, need far more search to be right.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np
import torch

from thurn_env.engine.generator import derived_seed
from thurn_env.envs.learner import LearnerBatch
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, Float64Array, GameRules, Int8Array, Int64Array
from thurn_env.players.guided import Found, GuidedSearch
from thurn_env.players.policy import policy_to_play

__all__ = ["SearchTeacher"]

SURE = 0.7
"""Prior of the favourite above which a decision is not searched, since search would hardly ever prefer another."""
STEP = 0.01
"""Advantage, on the scale from -1 to 1, that multiplies a probability by e. The smaller, the further a label leads away
from the policy.
"""
DOUBT = 10
"""Number of visits at which half of an advantage is believed."""
LEAST = 1e-8
"""Least probability that an advantage multiplies."""


class SearchTeacher:
    """Search guided by a policy as teacher.

    The other seats are played by the policy, and every other lesson by the scripted bot that the search imagines there,
    unless it imagines the policy.

    Args:
        rules: rules of the game.
        argument: the policy and the options of the search, as in `ppo+mcts:PATH,48`.
        seed: seed of the searches.

    Raises:
        AgentError: there is no such policy, it is for another game, or an option is invalid.
    """

    lanes, steps = 64, 32
    opponents: tuple[str, ...]

    def __init__(self, rules: GameRules, argument: str, seed: int) -> None:
        self._rules, self._argument, self._seed = rules, argument, seed
        self._searches = [self._new_search()]
        first = self._searches[0]
        if not first.options.iterations:
            raise AgentError(f"the teacher ppo+mcts:{argument} needs a number of iterations, not a time")
        self.rival, model = f"ppo:{first.path}", first.options.opponents
        self.opponents = (self.rival,) if model == "policy" else (model, self.rival)
        self._policy = policy_to_play(rules, first.path)
        self._asked = 0

    def _new_search(self) -> GuidedSearch:
        search = GuidedSearch(self._argument)
        search.reset(0, self._rules, self._seed)
        return search

    def label(self, games: LearnerBatch) -> tuple[Int64Array, Float32Array]:
        """Return the most probable actions, int64 (N,), and the improved probabilities, float32 (N, A).

        They are the same for any number of threads, which is that of torch.
        """
        probabilities = self._policy.probabilities(games.observations, games.masks)
        unsure = np.flatnonzero(self._favourites(probabilities) <= SURE)
        threads = max(1, min(torch.get_num_threads(), len(unsure)))
        while len(self._searches) < threads:
            self._searches.append(self._new_search())
        with ThreadPoolExecutor(threads) as pool:
            parts = [unsure[first::threads] for first in range(threads)]
            results = pool.map(self._searched, self._searches[:threads], parts, repeat(games))
            for lanes, found in zip(parts, results, strict=True):
                for lane, one in zip(lanes, found, strict=True):
                    probabilities[lane] = improved(probabilities[lane], games.masks[lane], one)
        self._asked += 1
        return probabilities.argmax(axis=1), probabilities

    def _favourites(self, probabilities: Float32Array) -> Float32Array:
        """Return the highest prior of every decision, float32 (N,)."""
        highest = probabilities.max(axis=1, keepdims=True)
        shares: Float32Array = 1 / ((probabilities / highest) ** (1 / self._searches[0].temperature)).sum(axis=1)
        return shares

    def _searched(self, search: GuidedSearch, lanes: Int64Array, games: LearnerBatch) -> list[Found]:
        states, seats = games.batch.lanes.states, games.batch.seats
        return [
            search.search(states, lane, int(seats[lane]), derived_seed(self._seed, self._asked, lane))
            for lane in lanes.tolist()
        ]


def improved(probabilities: Float32Array, mask: Int8Array, found: Found) -> Float64Array:
    """Return the probabilities of a position after search, float64 (A,).

    Args:
        probabilities: those of the policy, float32 (A,).
        mask: legal actions, int8 (A,).
        found: what the search found out.
    """
    advantages = (found.values - found.value) * found.visits / (found.visits + DOUBT)
    weights = np.where(mask != 0, np.maximum(probabilities, LEAST), 0.0) * np.exp(advantages / STEP)
    shares: Float64Array = weights / weights.sum()
    return shares
