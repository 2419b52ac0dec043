"""Something can be learned: a canary for masks, rewards, observations and seats all at once."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

from thurn_env.envs.sb3 import LearnerVecEnv

GAMES_EACH, LANES = 8, 50
MUST_WIN = 0.85


def share_won(model: MaskablePPO) -> float:
    """The share of fresh games against the random bot that sampled play wins; the seat changes from game to game.

    The same number of games in every lane: the first ones to end anywhere would be the short ones.
    """
    env = LearnerVecEnv(LANES, board="tiny", opponents="random", seed=1_000_000)
    won: list[list[bool]] = [[] for _ in range(LANES)]
    seats, seen = set(), cast(Any, env.reset())
    while min(map(len, won)) < GAMES_EACH:
        actions, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=False)
        seen, _, dones, infos = env.step(actions)
        for lane in np.flatnonzero(dones):
            won[lane].append(infos[lane]["won"])
            seats.add(infos[lane]["seat"])
    assert seats == {0, 1}
    return float(np.mean([games[:GAMES_EACH] for games in won]))


def test_a_model_learns_to_beat_the_random_bot() -> None:
    """Untrained it wins half of 400 games; after 24,576 decisions it must win 85 of 100.

    With each of nine seeds it won at least 94 of 100.
    """
    env = LearnerVecEnv(32, board="tiny", opponents="random", seed=1)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        seed=1,
        device="cpu",
    )
    assert 0.35 < share_won(model) < 0.65
    model.learn(24_576)
    assert share_won(model) > MUST_WIN
