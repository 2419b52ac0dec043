"""Lessons before a training run: stopped and resumed, with the teacher that they began with, and how long they took."""

from __future__ import annotations

import signal
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from tests.test_policy import some_policy
from tests.test_training import train
from thurn_env import make_rules
from thurn_env.files import write_bytes
from thurn_env.players.policy import load, save
from thurn_env.training import school, teacher
from thurn_env.training.cloning import Cloning
from thurn_env.training.teacher import BotTeacher, Lesson, Lessons
from train.model_card import time_of


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons of eight decisions in each of 64 games."""
    monkeypatch.setattr(BotTeacher, "lanes", 64)
    monkeypatch.setattr(BotTeacher, "steps", 8)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("learning", [["--learning-rate", "1e-30"], ["--critic", "state"]], ids=["not", "all-hands"])
def test_lessons_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], learning: list[str]
) -> None:
    """Stopped in the lessons, a run goes on to the same policy, whether it then learns, with any critic, or not."""
    command = ["--teacher", "greedy", "--lessons", "600", "--bfloat16", *learning]
    taught, lessons = Lessons.next, []

    def stopped(self: Lessons, pupil: Cloning) -> Lesson:
        lessons.append(taught(self, pupil))
        assert pupil.policy.features_extractor.autocast
        if len(lessons) == 1:
            signal.raise_signal(signal.SIGINT)
        return lessons[-1]

    with monkeypatch.context() as patch:
        patch.setattr(Lessons, "next", stopped)
        assert train(tmp_path / "run", 192, *command) == 130
    assert "stopped after 512 decisions of lessons; --resume continues from 512" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "run").iterdir()} == {".lock", "config.json", "lessons.pickle"}
    assert train(tmp_path / "run", 192, *command) == 2
    assert "holds a run; add --resume to continue it" in capsys.readouterr().err
    noted = (tmp_path / "run" / "config.json").read_bytes()
    assert train(tmp_path / "run", 192, *command, "--entropy", "0.5", "--resume") == 2
    assert "entropy 0.01, not 0.5; give the same" in capsys.readouterr().err
    assert (tmp_path / "run" / "config.json").read_bytes() == noted, "what is refused leaves no trace"
    assert train(tmp_path / "run", 192, *command, "--resume") == 0
    assert "lessons: 1,024 decisions" in capsys.readouterr().out
    assert not (tmp_path / "run" / "lessons.pickle").exists()
    assert train(tmp_path / "whole", 192, *command) == 0
    seen = np.random.default_rng(1).normal(size=(4, 166)).astype(np.float32)
    resumed, whole = (load(tmp_path / name / "last.npz")(seen)[0] for name in ("run", "whole"))
    assert resumed.tolist() == whole.tolist()


@pytest.mark.usefixtures("ctrl_c")
def test_lessons_that_could_not_be_saved_are_not_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second Ctrl-C may come while the state is written."""
    taught = Lessons.next

    def stopped(self: Lessons, pupil: Cloning) -> Lesson:
        signal.raise_signal(signal.SIGINT)
        return taught(self, pupil)

    def interrupted(path: Path, content: bytes) -> None:
        if path.exists():
            raise KeyboardInterrupt
        write_bytes(path, content)

    monkeypatch.setattr(Lessons, "next", stopped)
    monkeypatch.setattr(school, "write_bytes", interrupted)
    assert train(tmp_path / "run", 192, "--teacher", "greedy", "--lessons", "600") == 130
    assert "stopped after 512 decisions of lessons; --resume continues from 0" in capsys.readouterr().err


def test_another_policy_is_published_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The teacher `published` of a run stays the one that it began with."""
    command = ["--teacher", "published", "--lessons", "100"]
    assert train(tmp_path / "run", 192, *command) == 0
    save(some_policy(make_rules("thurn_und_taxis", 3, "tiny", max_rounds=8)), tmp_path / "new.npz")
    monkeypatch.setattr(teacher, "published", lambda: [str(tmp_path / "new.npz")])
    assert train(tmp_path / "run", 400, *command, "--resume") == 0
    assert load(tmp_path / "run" / "last.npz").made["config"]["teacher"] == "heuristic"
    capsys.readouterr()
    assert train(tmp_path / "run", 400, "--teacher", "greedy", "--lessons", "100", "--resume") == 2
    assert "has teacher heuristic, not greedy; give the same" in capsys.readouterr().err


def test_how_long_lessons_and_training_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy says it of both, and its card; one without lessons says it of the training alone."""
    clock = count(step=300)
    monkeypatch.setattr(school, "time", SimpleNamespace(perf_counter=lambda: next(clock), process_time=lambda: 0.0))
    given = ["--teacher", "greedy", "--lessons", "1", "--learning-rate", "1e-30"]
    assert train(tmp_path / "taught", 192, *given) == train(tmp_path / "alone", 192) == 0
    taught, alone = (load(tmp_path / name / "last.npz").made for name in ("taught", "alone"))
    assert taught["lesson_minutes"] == 5
    assert time_of(taught) == f"5 minutes of lessons, then {taught['minutes']:g} without evaluations"
    assert "lesson_minutes" not in alone
    assert time_of(alone) == f"{alone['minutes']:g} minutes without evaluations"
