"""The update of the policy: that of the library, and the magnet in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from tests.test_training import interrupt_at, killed, train
from thurn_env.players.policy import load
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.exchange import exported
from thurn_env.training.network import ILLEGAL, LeanPolicy, divergences, entropies, policy_arguments
from thurn_env.training.pool import PoolVecEnv


def learner(**more: Any) -> RunningPPO:
    """A small learner on the tiny board, before its first rollout."""
    env = PoolVecEnv({"greedy": 1.0}, 8, 1, players=2, board="tiny")
    arguments = {"n_steps": 16, "batch_size": 32, "n_epochs": 3, "learning_rate": 3e-3, "ent_coef": 0.05, **more}
    arguments["policy_kwargs"] = policy_arguments(env.rules, "mlp", 16, 2, False) | more.get("policy_kwargs", {})
    model = RunningPPO(
        LeanPolicy,
        env,
        seed=3,
        device="cpu",
        **arguments,
    )
    model.run_steps, model.first_entropy = 1000, 0.05
    model.set_logger(Logger(None, []))
    return model


@pytest.mark.parametrize("most_divergence", [None, 1e-3])
def test_without_a_magnet_the_update_is_that_of_the_library(
    monkeypatch: pytest.MonkeyPatch, most_divergence: float | None
) -> None:
    """The same weights bit by bit, and the same figures, also if an epoch ends early."""
    ours = learner(target_kl=most_divergence).learn(256)

    def update(self: RunningPPO) -> None:
        self.ent_coef = self._fallen(self.first_entropy)
        MaskablePPO.train(self)

    monkeypatch.setattr(RunningPPO, "train", update)
    monkeypatch.setattr(RunningPPO, "_update_info_buffer", MaskablePPO._update_info_buffer)
    theirs = learner(target_kl=most_divergence).learn(256)
    for one, other in zip(ours.policy.parameters(), theirs.policy.parameters(), strict=True):
        assert torch.equal(one, other)
    figures = {name: value for name, value in ours.logger.name_to_value.items() if name.startswith("train/")}
    assert figures == {name: theirs.logger.name_to_value[name] for name in figures}
    ended = [[(game["r"], game["l"]) for game in model.ep_info_buffer or ()] for model in (ours, theirs)]
    assert ended[0] == ended[1] != []
    assert {"train/loss", "train/approx_kl", "train/explained_variance"} <= figures.keys()


def test_divergences_of_masked_distributions() -> None:
    """KL(p || q) over the legal actions, as defined, and its gradient, p (log p/q - KL)."""
    logits = torch.tensor([[0.3, -1.0, 2.0, ILLEGAL], [0.0, 0.0, ILLEGAL, ILLEGAL]], dtype=torch.float64)
    others = torch.tensor([[1.3, 0.0, -2.0, ILLEGAL], [0.0, 0.0, ILLEGAL, ILLEGAL]], dtype=torch.float64)
    logits.requires_grad_()
    log_p, log_q = torch.log_softmax(logits, dim=1), torch.log_softmax(others, dim=1)
    found = divergences(log_p, log_q)
    p, q = log_p.detach()[0, :3].exp(), log_q[0, :3].exp()
    expected = float((p * (p / q).log()).sum())
    assert found[0].item() == pytest.approx(expected)
    assert found[1].item() == pytest.approx(0)
    found.sum().backward()
    assert logits.grad is not None
    assert logits.grad[0, :3].numpy() == pytest.approx((p * ((p / q).log() - expected)).numpy())
    assert logits.grad[0, 3].item() == pytest.approx(0, abs=1e-9)
    assert logits.grad[1].numpy() == pytest.approx(np.zeros(4), abs=1e-9)
    assert entropies(log_p.detach())[1].item() == pytest.approx(np.log(2))


def test_the_magnet_attracts() -> None:
    """With nothing else to gain, a strong magnet brings the policy back to the mean."""

    def distance(model: RunningPPO, masks: Any) -> float:
        with torch.no_grad():
            observations = model.policy.obs_to_tensor(model._last_obs)[0]
            assert model._attracting is not None
            (_, now), (_, mean) = (one.judged(observations, masks) for one in (model.policy, model._attracting))
        return float(divergences(now, mean).mean())

    far = {}
    for strength in (0.0, 100.0):
        model = learner(n_epochs=5, vf_coef=0.0)
        model.first_entropy = 0.0
        assert isinstance(model.env, PoolVecEnv)
        mean = exported(model.policy, model.env.rules, {})
        weights: Any = model.policy.action_net.weight
        with torch.no_grad():
            weights.mul_(-40)
        model.attract_to(mean)
        model._setup_learn(0, None)
        before = distance(model, model.env.action_masks())
        model.magnet = strength
        model.learn(256, reset_num_timesteps=False)
        far[strength] = distance(model, model.env.action_masks()) / before
    assert far[100.0] < 0.1 < 0.5 < far[0.0]


def test_a_run_with_a_magnet_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The magnet is placed again, and the past that is drawn by need knows its games."""
    given = ["--magnet", "0.5", "--need", "1", "--average", "500"]
    assert train(tmp_path / "whole", 1000, *given) == 0
    with monkeypatch.context() as patch:
        interrupt_at(patch, 700, killed)
        assert train(tmp_path / "parts", 1000, *given) == 130
    assert train(tmp_path / "parts", 1000, *given, "--resume") == 0
    assert train(tmp_path / "without", 1000, "--need", "1", "--average", "500") == 0
    whole, parts, without = (load(tmp_path / name / "last.npz") for name in ("whole", "parts", "without"))
    for one, other in zip(whole.trunk, parts.trunk, strict=True):
        assert np.array_equal(one.weight, other.weight)
    assert not np.array_equal(whole.trunk[0].weight, without.trunk[0].weight)


def test_a_magnet_needs_a_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(tmp_path / "run", 400, "--magnet", "0.1", "--average", "0") == 2
    said = "thurn train: --magnet needs the mean of the weights: give --average a positive number\n"
    assert capsys.readouterr().err == said
    assert not (tmp_path / "run").exists()
