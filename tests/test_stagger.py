"""Games side by side that are at different moments."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from thurn_env import make_rules
from thurn_env.training.matches import games_of
from thurn_env.training.pool import PoolVecEnv
from thurn_env.training.stagger import stagger
from thurn_env.training.teacher import Lessons

LANES = 256


def test_games_that_begin_together_are_spread_over_all_moments_of_a_game() -> None:
    """Of moments drawn evenly each quarter of the usual length has about a quarter of the games."""
    games = games_of(make_rules("thurn_und_taxis", 3, "tiny"), LANES, "greedy")
    games.reset(1)
    assert (games.batch.lanes.memory["decisions"] == 0).all()
    stagger(games, 1)
    passed = games.batch.lanes.memory["decisions"].copy()
    quarters = np.histogram(passed, bins=4, range=(0, np.quantile(passed, 0.98)))[0] / LANES
    assert quarters.min() > 0.1
    assert quarters.max() < 0.4


def test_equal_seeds_give_equal_moments() -> None:
    seen = []
    for seed in (1, 1, 2):
        games = games_of(make_rules("thurn_und_taxis", 3, "tiny"), LANES, "greedy")
        games.reset(1)
        stagger(games, seed)
        seen.append(games.observations.copy())
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0], seen[2])


def test_learning_begins_with_games_at_different_moments() -> None:
    """Those of lessons, and every block of a pool."""
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    lessons = Lessons(rules, "heuristic", seed=1)
    assert len(set(lessons.games[0].batch.lanes.memory["decisions"].tolist())) > 10
    pool = PoolVecEnv({"heuristic": 0.5, "greedy": 0.5}, LANES, 1, game="thurn_und_taxis", players=3, board="tiny")
    pool.reset()
    for _, env in pool.blocks:
        assert len(set(env.learner.batch.lanes.memory["decisions"].tolist())) > 10
