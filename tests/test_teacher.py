"""Policies that learn from a scripted bot's advice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from agents.policy import load as load_policy
from thurn_env import make_rules
from thurn_env.agent import make_agent
from train import teacher
from train.cloning import Cloning
from train.imitate import main as imitate
from train.teacher import LANES, STEPS, Lessons, returns_of

SMALL = ["--players", "3", "--board", "tiny", "--width", "16", "--depth", "1", "--threads", "1"]


def test_returns_reach_back_to_the_start_of_every_game() -> None:
    """The first game ends in the second step; the second one goes on, and 0.25 is expected of it."""
    rewards = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    ended = np.array([[False, False], [True, False], [False, False]])
    expected = np.array([-0.5, 0.25])
    assert returns_of(rewards, ended, expected).tolist() == [[1.0, 0.25], [1.0, 0.25], [-0.5, 0.25]]


def test_the_teacher_advises_what_the_bot_plays() -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    lessons = Lessons(rules, "heuristic", seed=1)
    agent = make_agent("heuristic", rules.bots)
    views = [lessons.games.batch.view(lane) for lane in range(LANES)]
    agent.reset(0, rules, seed=1)
    expected = [agent.act(view) for view in views]
    observations = lessons.games.observations.copy()
    lesson = lessons.next(Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1))
    assert lesson.actions[:LANES].tolist() == expected
    assert np.array_equal(lesson.observations[:LANES], observations)
    assert lesson.masks[np.arange(LANES * STEPS), lesson.actions].all()


def test_a_pupil_learns_from_a_teacher(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After three lessons it guesses more than half of the greedy bot's choices; at first it guesses fewer."""
    out = tmp_path / "pupil.npz"
    assert imitate(["--teacher", "greedy", "--decisions", "90000", "--out", str(out), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "learned from 98,304 decisions; of 32,768 new ones" in said
    assert "of 1,500 games against its teacher" in said
    made = load_policy(out).made
    assert made["teacher"] == "greedy"
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    fresh = Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1)
    lesson = Lessons(rules, "greedy", seed=2).next(fresh)
    assert fresh.judge(lesson, np.arange(LANES * STEPS)).right < made["right"]
    assert made["right"] > 0.5


def test_what_was_learned_is_kept_when_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taught = Lessons.next

    def stopped(self: Lessons, pupil: Cloning) -> teacher.Lesson:
        if hasattr(self, "second"):
            raise KeyboardInterrupt
        self.second = True  # type: ignore[attr-defined]
        return taught(self, pupil)

    monkeypatch.setattr(Lessons, "next", stopped)
    out = tmp_path / "pupil.npz"
    assert imitate(["--teacher", "greedy", "--out", str(out), *SMALL]) == 130
    assert f"--start {out} begins with it" in capsys.readouterr().err
    assert load_policy(out).made["decisions"] == LANES * STEPS


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([], "give either --records, files or folders of games, or --teacher, a scripted bot"),
        (["--teacher", "greedy", "--records", "games"], "give either --records"),
        (["--teacher", "nobody"], "nobody"),
        (["--teacher", "mcts:10"], "mcts:10"),
        (["--teacher", "greedy", "--decisions", "0"], "--decisions must be at least 1, not 0"),
    ],
)
def test_what_cannot_be_learned_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], message: str
) -> None:
    out = tmp_path / "pupil.npz"
    assert imitate([*command, "--out", str(out), *SMALL]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
