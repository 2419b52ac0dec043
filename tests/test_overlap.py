"""Learning from a rollout while the next one is collected."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_training import evaluations, interrupt_at, killed, train
from thurn_env.players.policy import load
from thurn_env.training import device
from thurn_env.training import run as training
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.figures import GameFigures

GIVEN = ["--overlap", "--magnet", "0.2", "--average", "500", "--opponents", "learner=0.5", "past=0.5"]


def test_a_run_goes_on_where_it_was_whenever_it_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run is saved after every round and stopped twice, the other one only at evaluations."""
    assert train(tmp_path / "whole", 1500, *GIVEN) == 0
    with monkeypatch.context() as patch:
        patch.setattr(training, "SAVE_EVERY", 0.0)
        interrupt_at(patch, 500, killed)
        assert train(tmp_path / "parts", 1500, *GIVEN) == 130
    with monkeypatch.context() as patch:
        patch.setattr(training, "SAVE_EVERY", 0.0)
        interrupt_at(patch, 1000, killed)
        assert train(tmp_path / "parts", 1500, *GIVEN, "--resume") == 130
    assert train(tmp_path / "parts", 1500, *GIVEN, "--resume") == 0
    assert evaluations(tmp_path / "whole") == evaluations(tmp_path / "parts")
    whole, parts = (load(tmp_path / name / "last.npz") for name in ("whole", "parts"))
    for one, other in zip(whole.trunk, parts.trunk, strict=True):
        assert np.array_equal(one.weight, other.weight)


def test_rollouts_are_collected_while_the_learner_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The update waits here for steps of the next rollout, which it would wait for in vain without an overlap."""
    update, count, stepped, beside = RunningPPO._update, GameFigures._on_step, threading.Event(), []

    def slow(self: RunningPPO, policy: Any, rollout: Any) -> dict[str, float]:
        if threading.current_thread() is not threading.main_thread():
            stepped.clear()
            beside.append(stepped.wait(60))
        return update(self, policy, rollout)

    def step(self: GameFigures) -> bool:
        stepped.set()
        return count(self)

    monkeypatch.setattr(RunningPPO, "_update", slow)
    monkeypatch.setattr(GameFigures, "_on_step", step)
    assert train(tmp_path / "run", 700, *GIVEN, "--evaluate-every", "1000000") == 0
    assert beside == [True] * 3, "four rollouts, of which the last one is learned from at the end"


@pytest.mark.parametrize(
    ("given", "used"), [([], [2, 2, 2, 2]), (["--overlap"], [2, 1, 2, 1]), (["--overlap", "--threads=1"], [1, 1, 1, 1])]
)
def test_threads_are_shared_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], used: list[int]
) -> None:
    """NumPy, with which past policies play, and torch would otherwise keep more threads busy than allowed.

    Lessons and evaluations have nothing beside them.
    """
    of_numpy: list[int] = []
    of_torch: list[int] = []
    monkeypatch.setattr(device, "limit_threads", of_numpy.append)
    monkeypatch.setattr(torch, "set_num_threads", of_torch.append)
    assert train(tmp_path / "run", 200, "--threads", "2", *given) == 0
    assert of_numpy == of_torch == used


def test_an_overlapping_run_learns(tmp_path: Path) -> None:
    assert (
        train(tmp_path / "run", 700, *GIVEN) == train(tmp_path / "still", 700, *GIVEN, "--learning-rate", "1e-30") == 0
    )
    learned, still = (load(tmp_path / name / "last.npz").trunk[0].weight for name in ("run", "still"))
    assert not np.allclose(learned, still)
