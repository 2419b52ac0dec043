"""Observations in whole numbers: the counts behind the scaled ones, in all faces that offer them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thurn_env import Batch, OptionError
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.vector import LearnerVectorEnv

GAMES = {"thurn_und_taxis": {"board": "tiny"}, "zug_um_zug_deutschland": {}}


def chosen(masks: Any, chance: np.random.Generator) -> Any:
    return (chance.random(masks.shape, np.float32) * masks).argmax(axis=1)


@pytest.mark.parametrize("game", GAMES)
def test_scaled_whole_numbers_are_the_observations(game: str) -> None:
    """Every step, in all lanes, to the last bit; and the games are the same."""
    floats, counts = (Batch(5, game=game, observation=form, **GAMES[game]) for form in ("float32", "int8"))
    assert counts.observations.dtype == counts.rules.count_dtype
    assert floats.observations.dtype == np.float32
    chance, ends = np.random.default_rng(1), 0
    for batch in (floats, counts):
        batch.reset(seed=3)
    while ends < 5:
        for batch in (floats, counts):
            scaled = batch.scaled_observations(np.arange(5))
            assert scaled.dtype == np.float32
            assert np.array_equal(scaled, floats.observations)
        actions = chosen(floats.masks, chance)
        for batch in (floats, counts):
            batch.step(actions)
        assert np.array_equal(floats.masks, counts.masks)
        assert np.array_equal(floats.rewards, counts.rewards)
        ended = floats.ended
        ends += len(ended)
        seats = np.zeros(len(ended), np.int64)
        scaled = counts.final_observations(ended, seats) * counts.rules.observation_scale
        assert np.array_equal(scaled, floats.final_observations(ended, seats))


def test_int16_where_int8_is_too_narrow() -> None:
    """The type is the narrowest that holds the bounds that the tables name."""
    for game, given in GAMES.items():
        for board in (given.get("board"), None):
            rules = Batch(1, game=game, board=board).rules
            widest = max(rules.observation.bounds.values())  # type: ignore[attr-defined]
            assert rules.count_dtype == (np.int8 if widest <= 127 else np.int16)
            assert 1 / rules.observation_scale.min() == pytest.approx(widest)
            with pytest.raises(ValueError, match="read-only"):
                rules.observation_scale[0] = 1


def test_the_whole_numbers_stay_in_their_space() -> None:
    env = LearnerVectorEnv(4, board="tiny", observation="int8", opponents="greedy")
    observations, infos = env.reset(seed=1)
    chance = np.random.default_rng(2)
    for _ in range(60):
        assert env.observation_space.contains(observations)
        observations, _, ended, cut, infos = env.step(chosen(infos["action_mask"], chance))
        for lane in np.flatnonzero(ended | cut):
            assert env.single_observation_space.contains(infos["final_obs"][lane])


class Seen:
    """Plays the first legal action and keeps what it was shown."""

    name = "seen"

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def reset_batch(self, rules: Any, seed: int) -> None:
        pass

    def act_batch(self, observations: Any, masks: Any) -> Any:
        self.rows.append(observations.copy())
        return masks.argmax(axis=1)


def test_opponents_see_scaled_numbers_all_the_same() -> None:
    """An opponent need not know how its learner wants to see."""
    shown = []
    for form in ("flat", "int8"):
        opponent = Seen()
        env = LearnerVectorEnv(3, board="tiny", observation=form, opponents=opponent)
        _, infos = env.reset(seed=5)
        for _ in range(10):
            infos = env.step(infos["action_mask"].argmax(axis=1))[-1]
        shown.append(opponent.rows)
    assert len(shown[0]) > 5
    for scaled, whole in zip(*shown, strict=True):
        assert scaled.dtype == whole.dtype == np.float32
        assert np.array_equal(scaled, whole)


def test_stable_baselines_learns_from_whole_numbers() -> None:
    """Snapshots of the learner see what it sees."""
    from sb3_contrib import MaskablePPO

    env = LearnerVecEnv(4, board="tiny", observation="int8", opponents="self", seed=1)
    assert env.observation_space.dtype == env.rules.count_dtype
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=1)
    env.refresh_opponents(model)
    model.learn(64)
    observations: Any = env.reset()
    assert observations.dtype == env.rules.count_dtype


@pytest.mark.parametrize("make", [Batch, LearnerVectorEnv, LearnerVecEnv])
def test_other_forms_are_refused(make: Any) -> None:
    with pytest.raises(OptionError, match="observation"):
        make(2, board="tiny", observation="int32")
