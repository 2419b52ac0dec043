"""Staggered games: a batch whose games are at different moments.

Games of similar length that begin together stay in step: one rollout then holds only openings, the next one only
endings, and the policy forgets one while it learns the other.
"""

from __future__ import annotations

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.envs.learner import LearnerBatch
from thurn_env.games.contract import UInt64Array

MOMENTS, ADVICE = 1, 2
"""Numbers of the seed streams."""


def step_with_best_bot(games: LearnerBatch, advice: UInt64Array) -> None:
    """Let the game's best bot decide for the learner in every game; `advice` holds its random generators."""
    rules = games.rules
    games.step(rules.bot_actions(games.batch.lanes.states, len(rules.bots) - 1, advice))


def stagger(games: LearnerBatch, seed: int) -> None:
    """Advance games that have just begun to random moments; the game's best bot plays for the learner.

    Args:
        games: the games; a finished game restarts.
        seed: seed of the moments and of the bot.
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
