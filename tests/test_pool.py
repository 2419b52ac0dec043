"""The pool of opponents: who plays how many games, which past selves stay, and whose time is whose."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from tests.test_policy import some_policy
from thurn_env import OptionError, make_rules
from thurn_env.players.policy import save
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
