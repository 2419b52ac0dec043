"""The pool of opponents: who plays how many games, which past selves stay, and whose time is whose."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from tests.test_policy import some_policy
from thurn_env import OptionError, make_rules
from thurn_env.players.policy import save
from thurn_env.training.need import Tally
from thurn_env.training.pool import PoolVecEnv, kept, lanes_of


def test_shares_of_the_pool() -> None:
    assert lanes_of({"a": 0.5, "b": 0.25, "c": 0.25}, 8) == {"a": 4, "b": 2, "c": 2}
    assert lanes_of({"a": 0.98, "b": 0.01, "c": 0.01}, 10) == {"a": 8, "b": 1, "c": 1}
    assert sum(lanes_of({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}, 10).values()) == 10
    with pytest.raises(OptionError, match="2 lanes are too few for 3 kinds of opponents"):
        lanes_of({"a": 0.4, "b": 0.3, "c": 0.3}, 2)


def test_past_selves_stay_evenly_spaced() -> None:
    assert list(kept(4, 3)) == [1, 2, 3]
    assert list(kept(5, 3)) == [2, 4]
    assert list(kept(9, 1)) == [8], "the untrained policy does not stay for ever"
    for most in (1, 2, 3, 16):
        before = {1}
        for newest in range(2, 100):
            numbers = list(kept(newest, most))
            assert min(newest - 1, (most + 1) // 2) <= len(numbers) <= most
            assert set(numbers) <= before, "what is gone does not come back"
            before = {*numbers, newest}


def test_blocks_play_different_games() -> None:
    env = PoolVecEnv({"random": 0.5, "greedy": 0.5}, 8, 1, players=3, board="tiny")
    seen = env.reset()
    assert env.opponent_of == ["random"] * 4 + ["greedy"] * 4
    assert len({row.tobytes() for row in seen}) == 8


def test_what_policies_think_is_not_the_environments_time(tmp_path: Path) -> None:
    """Not that of policies in files either."""
    save(some_policy(make_rules("thurn_und_taxis", 3, "tiny"), width=16), tmp_path / "file.npz")
    name = f"ppo:{tmp_path / 'file.npz'}"
    env, plain = (PoolVecEnv({opponent: 1.0}, 4, 1, players=3, board="tiny") for opponent in (name, "greedy"))
    for games in (env, plain):
        games.reset()
        for _ in range(20):
            games.step(games.action_masks().argmax(axis=1))
    assert min(env.seconds().values()) > 0
    assert plain.seconds()["policies"] == 0


def test_snapshots_that_the_learner_loses_to_are_drawn_more_often() -> None:
    tally = Tally()
    tally.add(1, games=92, won=92)
    tally.add(2, games=92, won=46)
    tally.add(3, games=92, won=0)
    assert tally.share_won(1, players=2) == 0.96
    assert tally.probabilities([1, 2, 3], need=1, players=2) == pytest.approx([0.04 / 1.5, 0.5 / 1.5, 0.96 / 1.5])
    assert tally.probabilities([1, 2, 3], need=0, players=2) == pytest.approx([1 / 3] * 3)
    easy, even, hard = tally.probabilities([1, 2, 3], need=2, players=2)
    assert hard / even == pytest.approx((0.96 / 0.5) ** 2)
    assert even / easy == pytest.approx((0.5 / 0.04) ** 2)


def test_a_snapshot_without_games_counts_as_an_equal() -> None:
    tally = Tally()
    assert tally.share_won(7, players=2) == 0.5
    assert tally.share_won(7, players=4) == 0.25


def test_early_games_fade_and_dropped_snapshots_are_forgotten() -> None:
    tally = Tally()
    tally.add(1, games=16, won=16)
    tally.add(2, games=16, won=0)
    tally.fade([1])
    assert tally.share_won(1, players=2) == (8 + 4) / (8 + 8)
    assert tally.share_won(2, players=2) == 0.5


def test_the_pool_draws_the_past_by_need() -> None:
    """With a large exponent every block plays the one snapshot that wins, and its games are counted for it."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    policies = {number: some_policy(rules, width=8) for number in (1, 2, 3)}
    env = PoolVecEnv({"past": 1.0}, 8, 1, need=50.0, players=2, board="tiny")
    env.tally.add(1, games=1000, won=900)
    env.tally.add(2, games=1000, won=100)
    env.tally.add(3, games=1000, won=900)
    env.refresh(policies[3], policies, seed=5)
    assert [snapshot.number for snapshot in env.snapshots["past"]] == [2] * 4
    env.reset()
    before, ended = env.tally.share_won(2, 2), 0
    while ended < 40:
        _, _, dones, _ = env.step(env.action_masks().argmax(axis=1))
        ended += int(dones.sum())
    assert env.tally.share_won(2, 2) != before
    assert env.tally.share_won(1, 2) == pytest.approx(0.9, abs=0.01), "others played no games"
    twin = pickle.loads(pickle.dumps(env))
    assert twin.tally.share_won(2, 2) == env.tally.share_won(2, 2)
    assert twin.blocks[0][1].learner.guests[0] is twin.snapshots["past"][0], "a checkpoint keeps who plays where"


def test_without_need_the_past_is_drawn_as_before() -> None:
    env = PoolVecEnv({"past": 1.0}, 8, 1, players=2, board="tiny")
    policies = dict.fromkeys((2, 4, 6), some_policy(env.rules, width=8))
    env.refresh(policies[2], policies, seed=5)
    drawn = np.random.default_rng(5)
    assert [snapshot.number for snapshot in env.snapshots["past"]] == [(2, 4, 6)[drawn.integers(3)] for _ in range(4)]
