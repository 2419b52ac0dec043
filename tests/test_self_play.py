"""Opponents that are snapshots of the learner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.choices import Chooser
from thurn_env import OptionError

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO

from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.self_play import PolicySnapshot


def self_play(number: int = 8, **arguments: Any) -> LearnerVecEnv:
    return LearnerVecEnv(number, board="tiny", **({"opponents": "self", "seed": 1, "max_rounds": 10} | arguments))


def small_model(env: LearnerVecEnv) -> MaskablePPO:
    sizes = {"n_steps": 16, "batch_size": 32, "n_epochs": 2}
    return MaskablePPO("MlpPolicy", env, seed=1, device="cpu", learning_rate=0.01, **sizes)


def snapshot_of(env: LearnerVecEnv) -> PolicySnapshot:
    assert env.snapshot is not None
    return env.snapshot


def positions(env: LearnerVecEnv, steps: int = 30) -> tuple[Any, Any]:
    """Observations and masks of real positions."""
    choose, seen, masks = Chooser(env.rules), [env.reset()], [env.learner.masks.copy()]
    for _ in range(steps):
        seen.append(env.step(choose(env.learner.masks))[0])
        masks.append(env.learner.masks.copy())
    return np.concatenate(seen), np.concatenate(masks)


def choices(env: LearnerVecEnv, seen: Any, masks: Any) -> Any:
    snapshot = snapshot_of(env)
    snapshot.reset_batch(env.rules, 5)
    return snapshot.act_batch(seen, masks)


def test_before_the_first_refresh_it_plays_at_random() -> None:
    env = self_play()
    seen, masks = positions(env)
    row = int(masks.sum(axis=1).argmax())
    legal = np.flatnonzero(masks[row])
    many = np.repeat(masks[[row]], 20_000, axis=0)
    counts = np.bincount(choices(env, np.repeat(seen[[row]], 20_000, axis=0), many), minlength=47)
    assert counts.sum() == counts[legal].sum()
    assert len(legal) >= 4
    assert np.allclose(counts[legal] / 20_000, 1 / len(legal), atol=0.02)


def test_it_plays_like_the_model() -> None:
    """As often as the model would, and never illegally; after training too, when the model holds gradients."""
    env = self_play()
    model = small_model(env).learn(256)
    env.refresh_opponents(model)
    seen, masks = positions(env)
    assert masks[np.arange(len(masks)), choices(env, seen, masks)].all()
    row = int(masks.sum(axis=1).argmax())
    with torch.no_grad():
        masked: Any = model.policy.get_distribution(torch.as_tensor(seen[[row]]), action_masks=masks[[row]])
    probabilities = masked.distribution.probs.numpy()[0]
    sampled = choices(env, np.repeat(seen[[row]], 20_000, axis=0), np.repeat(masks[[row]], 20_000, axis=0))
    assert np.allclose(np.bincount(sampled, minlength=47) / 20_000, probabilities, atol=0.02)


def test_it_does_not_change_while_the_learner_learns() -> None:
    """Only a refresh does that, and of the model only its policy is looked at."""
    env = self_play()
    model = small_model(env)
    env.refresh_opponents(model)
    seen, masks = positions(env)
    before = choices(env, seen, masks)
    model.learn(256)
    assert np.array_equal(choices(env, seen, masks), before)
    env.refresh_opponents(model)
    after = choices(env, seen, masks)
    assert not np.array_equal(after, before)
    env.refresh_opponents(model.policy)
    assert np.array_equal(choices(env, seen, masks), after)


def test_a_refresh_leaves_the_model_as_it_is() -> None:
    env = self_play()
    model = small_model(env)
    model.policy.set_training_mode(True)
    env.refresh_opponents(model)
    assert model.policy.training
    with torch.no_grad():
        for weights in model.policy.parameters():
            weights.normal_(generator=torch.Generator().manual_seed(1))
    seen, masks = positions(env)
    other = self_play()
    other.refresh_opponents(model)
    assert not np.array_equal(choices(env, seen, masks), choices(other, seen, masks))


@pytest.mark.parametrize("opponents", ["self", ["self", "random"], ["greedy", "self"]], ids=str)
def test_self_play_is_reproducible(opponents: str | list[str]) -> None:
    """Rounds of learning and refreshing give the same weights and games each time."""
    ends = []
    for _ in range(2):
        env = self_play(players=3, opponents=opponents)
        model = small_model(env)
        for _ in range(3):
            model.learn(128, reset_num_timesteps=False)
            env.refresh_opponents(model)
        weights = torch.cat([weights.flatten() for weights in model.policy.parameters()])
        ends.append((weights.detach().numpy().tobytes(), env.learner.batch.lanes.states.tobytes()))
    assert ends[0] == ends[1]


def test_one_snapshot_sits_in_all_places() -> None:
    env = self_play(players=4, opponents=["self", "random", "self"])
    assert env.learner.guests == [env.snapshot]
    env = self_play(players=4)
    assert env.learner.guests == [env.snapshot]


def test_without_a_snapshot() -> None:
    env = self_play(opponents="random")
    assert env.snapshot is None
    with pytest.raises(OptionError, match='no opponent is a snapshot: make the environment with opponents="self"'):
        env.refresh_opponents(small_model(env))


def test_models_that_take_no_masks() -> None:
    env = self_play()
    for model in (PPO("MlpPolicy", env, device="cpu", n_steps=16, batch_size=32), None, "model"):
        with pytest.raises(OptionError, match="a snapshot needs a policy that takes action masks, not "):
            env.refresh_opponents(model)
    # It still plays as before.
    env.reset()
    env.step(Chooser(env.rules)(env.action_masks()))
