"""Large minibatches are learned from in parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_magnet import learner
from thurn_env import make_rules
from thurn_env.training import parts
from thurn_env.training.cloning import Cloning
from thurn_env.training.exchange import exported
from thurn_env.training.pool import PoolVecEnv
from thurn_env.training.teacher import Lessons


def test_parts_make_up_the_minibatch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.ROWS, "city", 4)
    cpu = list(parts.parts(10, torch.device("cpu"), "city"))
    assert cpu == [(slice(0, 4), 0.4), (slice(4, 8), 0.4), (slice(8, 10), 0.2)]
    assert list(parts.parts(10, torch.device("cuda"), "city")) == [(slice(0, 10), 1.0)]


@pytest.mark.parametrize("magnet", [0.0, 0.5])
def test_large_minibatches_are_computed_in_parts(monkeypatch: pytest.MonkeyPatch, magnet: float) -> None:
    """The last part is smaller; one step of the optimiser changes the weights as with the whole minibatch."""
    found = []
    for rows in (32, 7):
        monkeypatch.setitem(parts.ROWS, "mlp", rows)
        # Plain gradient descent: Adam would turn the rounding of tiny gradients into whole steps.
        model = learner(
            n_steps=4, n_epochs=1, policy_kwargs={"optimizer_class": torch.optim.SGD, "optimizer_kwargs": {}}
        )
        model.magnet = magnet
        assert isinstance(model.env, PoolVecEnv)
        model.attract_to(exported(model.policy, model.env.rules, {}))
        weights: Any = model.policy.action_net.weight
        with torch.no_grad():
            weights.mul_(-40)
        model.learn(32)
        figures = {name: value for name, value in model.logger.name_to_value.items() if name.startswith("train/")}
        found.append(([weights.detach().clone() for weights in model.policy.parameters()], figures))
    (whole, said), (split, told) = found
    for one, other in zip(whole, split, strict=True):
        assert torch.allclose(one, other, rtol=0, atol=1e-6)
    assert told == pytest.approx(said, rel=1e-4, abs=1e-6)
    assert not magnet or said["train/magnet_kl"] > 0.01


@pytest.mark.parametrize("rows", [5, 32])
def test_pupils_learn_in_parts(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """The gradient of a lesson's minibatch is that of its mean loss, worked out at once."""
    monkeypatch.setitem(parts.ROWS, "mlp", rows)
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    pupil = Cloning(rules, "mlp", 16, 2, 1e-3, 0.5, seed=3)
    lesson = Lessons(rules, "greedy", 1).next(pupil)
    monkeypatch.setattr(pupil.optimizer, "step", lambda: None)
    there = np.arange(32)
    pupil.learn(lesson, there, 32, 0.0)
    mine = [weights.grad.clone() for weights in pupil.policy.parameters() if weights.grad is not None]
    pupil.optimizer.zero_grad()
    logits, values = pupil._forward(lesson.observations[there], lesson.masks[there])
    returns = torch.from_numpy(lesson.returns[there])
    loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(lesson.actions[there]))
    (loss + 0.5 * (values - returns).square().mean()).backward()
    wanted = [weights.grad for weights in pupil.policy.parameters() if weights.grad is not None]
    for one, other in zip(mine, wanted, strict=True):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-6)
    assert any(weights.abs().max() > 1e-3 for weights in wanted)
