"""Games side by side that are not all at the same moment.

Games that begin together stay together for long where all take about as many decisions: a round of learning then sees
nothing but openings, the next one nothing but endings, and the policy forgets the one over the other.
"""

from __future__ import annotations

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.envs.learner import LearnerBatch
from thurn_env.games.contract import UInt64Array

MOMENTS, ADVICE = 1, 2
"""The purposes of seeds."""


def step_with_best_bot(games: LearnerBatch, advice: UInt64Array) -> None:
    """Let the game's best bot decide for the learner in every game; `advice` is its generator."""
    rules = games.rules
    games.step(rules.bot_actions(games.batch.lanes.states, len(rules.bots) - 1, advice))


def stagger(games: LearnerBatch, seed: int) -> None:
    """Play games that have just begun on to moments drawn at random; the game's best bot plays for the learner.

    Args:
        games: the games, which begin the next one where one ends.
        seed: of the moments, and of what the bot leaves to chance.
    """
    advice = seeded(seed, ADVICE)
    lengths = np.zeros(len(games.seats), np.int64)
    while not lengths.all():
        step_with_best_bot(games, advice)
        ended = games.ended
        lengths[ended] = games.final_figures(ended)["decisions"]
    usual = int(lengths.mean())
    moments = np.random.default_rng(derived_seed(seed, MOMENTS)).integers(usual, size=len(lengths))
    for moment in range(usual):
        beginning = np.flatnonzero(moments == moment)
        if len(beginning):
            games.reset(None, beginning)
        step_with_best_bot(games, advice)
