"""Scales that bring the pieces of an observation to a common size for networks.

Observations lie in [-1, 1], but many values stay close to 0: one card of fourteen is 1/14, and a seat has few of 89
tickets. Networks learn slowly from small inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.way_rules import Ways, sizes
from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.players.ways import ways_from
from thurn_env.training.matches import games_of
from thurn_env.training.stagger import stagger, step_with_best_bot

GAMES, STEPS = 128, 16
"""Number of games between copies of the best bot, and of decisions sampled in each."""
MOST = 8.0
"""Largest scale: rarely non-zero values must not dominate when they occur."""
SEED = 1


def observation_scales(rules: GameRules) -> Float32Array:
    """Return the scale of every value, float32 (O,): 1 over the root mean square of its piece, at most `MOST`.

    A piece has one scale, so that values of different cities stay comparable.
    """
    sizes = [piece.stop - piece.start for piece in rules.observation_slices.values()]
    return _scales(rules, sizes, lambda observations: observations)


def way_scales(rules: GameRules, ways: Ways) -> Float32Array:
    """Return the scale of every value that ways add to the observation, float32 (E,), in the same way."""
    return _scales(rules, sizes(ways).values(), partial(ways_from, ways))


def _scales(
    rules: GameRules, sizes: Collection[int], values_of: Callable[[Float32Array], Float32Array]
) -> Float32Array:
    """Return the scales of values, which are those of an observation or follow from it, in pieces of these sizes."""
    games = games_of(rules, GAMES, rules.bots[-1])
    games.reset(SEED)
    stagger(games, SEED)
    advice = seeded(SEED)
    squares = np.zeros(sum(sizes))
    for _ in range(STEPS):
        squares += np.square(values_of(games.observations)).mean(axis=0)
        step_with_best_bot(games, advice)
    parts = np.split(squares / STEPS, np.cumsum([*sizes])[:-1])
    return np.concatenate(
        [np.full(len(part), 1 / max(float(part.mean()) ** 0.5, 1 / MOST), np.float32) for part in parts]
    )
