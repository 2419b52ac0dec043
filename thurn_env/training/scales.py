"""Scales that bring the pieces of an observation to a common size for networks.

Observations lie in [-1, 1], but many values stay close to 0: one card of fourteen is 1/14, and a seat has few of 89
tickets. Networks learn slowly from small inputs.
"""

from __future__ import annotations

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.training.matches import games_of
from thurn_env.training.stagger import stagger, step_with_best_bot

GAMES, STEPS = 128, 16
"""Number of games between copies of the best bot, and of decisions sampled in each."""
MOST = 8.0
"""Largest scale: rarely non-zero values must not dominate when they occur."""
SEED = 1


def observation_scales(rules: GameRules) -> Float32Array:
    """Return the scale of every value, float32 (O,): 1 over the root mean square of its piece, from 1 to `MOST`.

    A piece has one scale, so that values of different cities stay comparable.
    """
    games = games_of(rules, GAMES, rules.bots[-1])
    games.reset(SEED)
    stagger(games, SEED)
    advice = seeded(SEED)
    squares = np.zeros(rules.observation_size)
    for _ in range(STEPS):
        squares += np.square(games.observations).mean(axis=0)
        step_with_best_bot(games, advice)
    scales = np.ones(rules.observation_size, np.float32)
    for piece in rules.observation_slices.values():
        size = float(squares[piece].mean() / STEPS) ** 0.5
        scales[piece] = 1 / max(size, 1 / MOST)
    return scales
