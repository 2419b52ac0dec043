"""Policies that learn from a scripted bot's advice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tests.interrupting import interrupted
from tests.test_policy import some_policy
from tests.zug_um_zug.test_zug_ways import with_ways
from thurn_env import make_rules
from thurn_env.commands.imitate import main as imitate
from thurn_env.players.agent import make_agent
from thurn_env.players.policy import load as load_policy
from thurn_env.players.policy import save
from thurn_env.players.policy_agent import PolicyAgent
from thurn_env.training import school, teacher
from thurn_env.training.cloning import Cloning
from thurn_env.training.teacher import LANES, STEPS, BotTeacher, Lesson, Lessons, make_teacher, resolved, returns_of

SMALL = ["--players", "3", "--board", "tiny", "--width", "16", "--depth", "1", "--threads", "1"]


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons from 64 games side by side, 4,096 decisions in all."""
    monkeypatch.setattr(BotTeacher, "lanes", 64)


@contextmanager
def stopped_in_lesson(number: int) -> Iterator[None]:
    """Ctrl-C after that many lessons, before the pupil learns from the last one."""
    taught, lessons = Lessons.next, count(1)

    def stopped(self: Lessons, pupil: Cloning) -> Lesson:
        lesson = taught(self, pupil)
        if next(lessons) == number:
            raise KeyboardInterrupt
        return lesson

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lessons, "next", stopped)
        yield


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
    views = [lessons.games[0].batch.view(lane) for lane in range(LANES)]
    agent.reset(0, rules, seed=1)
    expected = [agent.act(view) for view in views]
    observations = lessons.games[0].observations.copy()
    lesson = lessons.next(Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1))
    assert lesson.actions[:LANES].tolist() == expected
    assert np.array_equal(lesson.observations[:LANES], observations)
    assert lesson.masks[np.arange(LANES * STEPS), lesson.actions].all()


def test_a_policy_as_teacher_gives_its_probabilities() -> None:
    """Those of its legal actions sum to one, the most probable is its action, and the best bot plays the others."""
    rules = make_rules("thurn_und_taxis", 2)
    lessons = Lessons(rules, "ppo:thurn_und_taxis-south-2", seed=1)
    agent = PolicyAgent("thurn_und_taxis-south-2")
    agent.reset_batch(rules, 1)
    expected = agent.act_batch(lessons.games[0].observations, lessons.games[0].masks)
    actions, probabilities = lessons.teacher.label(lessons.games[0])
    assert probabilities is not None
    assert actions.tolist() == expected.tolist() == probabilities.argmax(axis=1).tolist()
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert not probabilities[lessons.games[0].masks == 0].any()
    assert lessons.teacher.opponents == ("heuristic",)


def test_the_published_teacher_is_the_policy_of_the_table_or_the_best_bot() -> None:
    assert resolved(make_rules("thurn_und_taxis", 2), "published") == "ppo:thurn_und_taxis-south-2"
    assert resolved(make_rules("thurn_und_taxis", 2, "tiny"), "published") == "heuristic"
    assert resolved(make_rules("thurn_und_taxis", 2), "greedy") == "greedy"


def test_the_published_teacher_of_a_run_that_goes_on() -> None:
    """It is the one of before, if it can be."""
    rules = make_rules("thurn_und_taxis", 2)
    assert resolved(rules, "published", "heuristic") == "heuristic"
    assert resolved(rules, "published", "greedy") == "ppo:thurn_und_taxis-south-2"
    assert resolved(rules, "published", "ppo:thurn_und_taxis-south-3") == "ppo:thurn_und_taxis-south-2"
    assert resolved(rules, "greedy", "heuristic") == "greedy"


@pytest.mark.usefixtures("few_games")
def test_lessons_whose_published_teacher_is_another_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["--teacher", "published", "--decisions", "5000", *SMALL, "--out", str(tmp_path / "pupil.npz")]

    with monkeypatch.context() as patch:
        patch.setattr(Cloning, "learn", interrupted)
        assert imitate(command) == 130
    save(some_policy(make_rules("thurn_und_taxis", 3, "tiny")), tmp_path / "new.npz")
    monkeypatch.setattr(teacher, "published", lambda: [str(tmp_path / "new.npz")])
    assert imitate([*command, "--resume"]) == 0
    assert load_policy(tmp_path / "pupil.npz").made["teacher"] == "heuristic"


def test_what_a_policy_with_ways_needs_to_teach_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced before the first lesson."""
    rules = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
    save(with_ways(rules), tmp_path / "teacher.npz")
    stages = list[str]()
    monkeypatch.setattr(type(rules), "prepare", lambda _, *names: stages.extend(names))
    make_teacher(rules, f"ppo:{tmp_path / 'teacher.npz'}", 1)
    assert "ways" in stages


def test_a_pupil_learns_from_probabilities() -> None:
    """They move it towards the whole distribution, which the most probable actions alone do not tell."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    teacher, pupil = (Cloning(rules, "mlp", 16, 1, 1e-2, 0.0, seed=seed) for seed in (1, 2))
    lesson = Lessons(rules, "greedy", seed=1).next(pupil)
    rows = np.arange(LANES * STEPS)
    logits = teacher._forward(lesson.observations, lesson.masks)[0].detach()
    wanted = torch.softmax(logits, dim=1).numpy()

    def divergence() -> float:
        own = torch.log_softmax(pupil._forward(lesson.observations, lesson.masks)[0].detach(), dim=1).numpy()
        return float(np.sum(wanted * (np.log(np.maximum(wanted, 1e-30)) - own), axis=1, where=lesson.masks != 0).mean())

    before = divergence()
    for epoch in range(4):
        pupil.learn(lesson, rows, 1024, epoch / 4, wanted)
    assert divergence() < before / 4


def test_a_pupil_learns_from_a_teacher(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After three lessons it guesses more than half of the greedy bot's choices; at first it guesses fewer."""
    out = tmp_path / "pupil.npz"
    assert imitate(["--teacher", "greedy", "--decisions", "90000", "--out", str(out), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "learned from 98,304 decisions; agreement with the teacher on 32,768 new decisions: " in said
    assert "of 1,500 games" in said
    made = load_policy(out).made
    assert made["teacher"] == "greedy"
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    fresh = Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1)
    lesson = Lessons(rules, "greedy", seed=2).next(fresh)
    assert fresh.judge(lesson, np.arange(LANES * STEPS)).right < made["right"]
    assert made["right"] > 0.5


@pytest.mark.usefixtures("few_games")
def test_lessons_go_on_where_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped in the fourth lesson they go on from the third, and the pupil is the same as if they had not been."""
    monkeypatch.setattr(school, "SAVE_EVERY", 2)
    command = ["--teacher", "greedy", "--decisions", "15000", *SMALL]
    assert imitate([*command, "--out", str(tmp_path / "whole.npz")]) == 0
    out = tmp_path / "parts.npz"
    with stopped_in_lesson(4):
        assert imitate([*command, "--out", str(out)]) == 130
    assert "stopped after 12,288 decisions; --resume continues from 8,192\n" in capsys.readouterr().err
    assert not out.exists()
    assert imitate([*command, "--seed", "2", "--out", str(out), "--resume"]) == 2
    assert "have seed 1, not 2; give the same" in capsys.readouterr().err
    assert imitate([*command, "--out", str(out), "--resume"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts.npz", "whole.npz"]
    mine, whole = load_policy(out), load_policy(tmp_path / "whole.npz")
    seen = np.random.default_rng(1).normal(size=(20, 166)).astype(np.float32)
    for one, other in zip(mine(seen), whole(seen), strict=True):
        assert one.tolist() == other.tolist()


def test_ctrl_c_before_lessons_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(school.School, "save", interrupted)
    assert imitate(["--teacher", "greedy", "--out", str(tmp_path / "pupil.npz"), *SMALL]) == 130
    assert "resume" not in capsys.readouterr().err


def test_no_lessons_to_go_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--teacher", "greedy", "--out", str(tmp_path / "pupil.npz"), "--resume", *SMALL]
    assert imitate(command) == 2
    assert "there are no lessons to continue" in capsys.readouterr().err
    (tmp_path / "pupil.npz.lessons").write_bytes(b"\x80\x05nothing")
    assert imitate(command) == 2
    assert "is damaged or from another version" in capsys.readouterr().err


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_no_gpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert imitate(["--teacher", "greedy", "--out", str(tmp_path / "pupil.npz"), "--device", "cuda", *SMALL]) == 2
    assert "--device cuda: torch finds no GPU on this machine" in capsys.readouterr().err


def test_a_pupil_learns_the_same_after_moving() -> None:
    """What the optimiser knows moves along."""
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    lesson = Lessons(rules, "greedy", seed=2).next(Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1))
    rows, learned = np.arange(2048), []
    for moves in (False, True):
        pupil = Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1, device="cpu")
        for _ in range(2):
            pupil.learn(lesson, rows, 512, 0.0)
            if moves:
                pupil.move("cpu")
        learned.append(pupil.play(lesson.observations, lesson.masks)[1].tolist())
    assert learned[0] == learned[1]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([], "give either --records, files or folders of games, or --teacher, a scripted bot"),
        (["--teacher", "greedy", "--records", "games"], "give either --records"),
        (["--teacher", "greedy", "--won"], "--won applies only with --records; a teacher labels all decisions"),
        (["--teacher", "greedy", "--agents", "greedy"], "--agents applies only with --records; a teacher labels all"),
        (["--teacher", "nobody"], "nobody"),
        (["--teacher", "mcts:10"], "mcts:10"),
        (["--teacher", "greedy", "--decisions", "0"], "--decisions must be from 1 to 1,000,000,000,000, not 0"),
        (["--teacher", "greedy", "--learning-rate", "-1"], "--learning-rate must be more than 0 and at most 1, not -1"),
        (["--teacher", "greedy", "--value", "nan"], "--value must be a finite number, not nan"),
        (["--teacher", "greedy", "--seed", "-1"], "--seed must be from 0 to 4,294,967,295, not -1"),
    ],
)
def test_what_cannot_be_learned_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], message: str
) -> None:
    out = tmp_path / "pupil.npz"
    assert imitate([*command, "--out", str(out), *SMALL]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
