"""Policies that learn from search that they guide."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_policy import some_policy
from tests.test_teacher import stopped_in_lesson
from tests.test_training import train
from thurn_env import make_rules
from thurn_env.commands.imitate import main as imitate
from thurn_env.engine.lanes import BoolArray
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, Float64Array, GameRules
from thurn_env.players.guided import Found, GuidedSearch
from thurn_env.players.policy import load as load_policy
from thurn_env.players.policy import policy_for, save
from thurn_env.training import imitation, school, teacher
from thurn_env.training.cloning import Cloning
from thurn_env.training.config import Config
from thurn_env.training.curriculum import stages
from thurn_env.training.search_teacher import SURE, SearchTeacher, improved
from thurn_env.training.teacher import Lesson, Lessons, returns_of
from train.model_card import rounds_of_search, time_of

NAME = "thurn_und_taxis-south-2"
SMALL = ["--players", "3", "--board", "tiny", "--width", "16", "--depth", "1", "--threads", "1"]


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons of four decisions of every game, 256 in all, and a short match after them."""
    monkeypatch.setattr(SearchTeacher, "steps", 4)
    monkeypatch.setattr(imitation, "DUEL", 10)


@pytest.fixture
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


@pytest.fixture
def path(rules: GameRules, tmp_path: Path) -> Path:
    save(some_policy(rules), tmp_path / "some.npz")
    return tmp_path / "some.npz"


def found(visits: list[int], values: list[float], value: float) -> Found:
    return Found(np.array(visits), np.array(values), value)


def test_what_search_prefers_becomes_more_probable() -> None:
    """By how much it is better, and as far as it was tried; what is illegal stays at 0."""
    before, mask = np.array([0.6, 0.3, 0.1, 0.0], np.float32), np.array([1, 1, 1, 0], np.int8)
    after = improved(before, mask, found([30, 30, 0, 0], [0.1, 0.12, 0.0, 0.0], 0.11))
    assert after.sum() == pytest.approx(1)
    assert after[3] == 0
    # After thirty visits, a quarter of the advantages of -0.01 and 0.01 is doubted.
    logs = np.log(after[:3] / before[:3])
    assert logs - logs[2] == pytest.approx([-0.75, 0.75, 0.0], abs=1e-6)
    doubtful = improved(before, mask, found([1, 1, 0, 0], [0.1, 0.12, 0.0, 0.0], 0.11))
    assert before[1] < doubtful[1] < after[1]


def test_an_impossible_advantage_does_not_overflow() -> None:
    after = improved(np.array([1.0, 0.0], np.float32), np.ones(2, np.int8), found([500, 500], [-1.0, 1.0], 0.0))
    assert after.tolist() == pytest.approx([0, 1])


def test_only_unsure_decisions_are_searched() -> None:
    """Elsewhere the label is the policy's own; how many threads search makes no difference."""
    rules, labels = make_rules("thurn_und_taxis", 2), []
    policy = policy_for(rules, NAME)
    threads = torch.get_num_threads()
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            lessons = Lessons(rules, f"ppo+mcts:{NAME},12", seed=1)
            games = lessons.games[0]
            own = policy.probabilities(games.observations, games.masks)
            labels.append(lessons.teacher.label(games))
    finally:
        torch.set_num_threads(threads)
    (actions, probabilities), (same_actions, same) = labels
    assert actions.tolist() == same_actions.tolist()
    assert probabilities is not None
    assert same is not None
    assert np.array_equal(probabilities, same)
    assert probabilities.argmax(axis=1).tolist() == actions.tolist()
    assert not probabilities[games.masks == 0].any()
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    search = GuidedSearch(f"{NAME},12")
    search.reset(0, rules, 1)
    softened = own ** (1 / search.temperature)
    sure = (softened / softened.sum(axis=1, keepdims=True)).max(axis=1) > SURE
    changed = (probabilities != own).any(axis=1)
    assert 0 < sure.sum() < len(sure)
    assert not changed[sure].any()
    assert changed[~sure].mean() > 0.8


def test_the_search_of_a_lane_is_that_of_its_game(rules: GameRules, path: Path) -> None:
    """It tries actions as often as it iterates, after the root, leaves the games alone, and sees no hidden card."""
    lessons = Lessons(rules, f"ppo+mcts:{path},20", seed=3)
    states, seats = lessons.games[0].batch.lanes.states, lessons.games[0].batch.seats
    search = GuidedSearch(f"{path},20")
    search.reset(0, rules, 1)
    before = states.tobytes()
    first = search.search(states, 4, int(seats[4]), 9)
    assert first.visits.sum() == 20 - 1
    assert not first.visits[lessons.games[0].masks[4] == 0].any()
    assert states.tobytes() == before
    redealt = lessons.games[0].batch.game(4).redeal(int(seats[4]), 5).states
    again = search.search(redealt, 0, int(seats[4]), 9)
    assert again.visits.tolist() == first.visits.tolist()
    assert again.values.tolist() == first.values.tolist()
    assert again.value == first.value


@pytest.mark.parametrize(
    ("options", "bots"), [("20", ["heuristic"]), ("20,opponents=policy", []), ("20,opponents=greedy", ["greedy"])]
)
def test_games_against_the_policy_and_what_the_search_imagines(
    rules: GameRules, path: Path, options: str, bots: list[str]
) -> None:
    """They take turns, lesson by lesson."""
    lessons = Lessons(rules, f"ppo+mcts:{path},{options}", 1)
    opponents = [*bots, f"ppo:{path}"]
    assert list(lessons.teacher.opponents) == opponents
    assert lessons.teacher.rival == f"ppo:{path}"
    pupil, first = (
        Cloning(rules, "mlp", 16, 1, 1e-3, 0.5, seed=1),
        [games.observations[:, :] for games in lessons.games],
    )
    begun = [observations.copy() for observations in first]
    for place in range(len(opponents)):
        assert np.array_equal(lessons.next(pupil).observations[: lessons.teacher.lanes], begun[place])


def test_a_pupil_of_search(tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lessons are short, since they take longer; it is measured against the policy that guided the search."""
    out = tmp_path / "pupil.npz"
    assert imitate(["--teacher", f"ppo+mcts:{path},6", "--decisions", "500", "--out", str(out), *SMALL]) == 0
    said = capsys.readouterr().out
    assert "learned from 512 decisions; agreement with the teacher on 256 new decisions: " in said
    assert f"win rate against ppo:{path}: " in said
    assert load_policy(out).made["teacher"] == f"ppo+mcts:{path},6"


def test_lessons_of_search_go_on_where_they_were(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(school, "SAVE_EVERY", 1)
    command = ["--teacher", f"ppo+mcts:{path},6", "--decisions", "600", *SMALL]
    assert imitate([*command, "--out", str(tmp_path / "whole.npz")]) == 0
    with stopped_in_lesson(2):
        assert imitate([*command, "--out", str(tmp_path / "parts.npz")]) == 130
    assert "--resume continues from 256\n" in capsys.readouterr().err
    assert imitate([*command, "--out", str(tmp_path / "parts.npz"), "--resume"]) == 0
    seen = np.random.default_rng(1).normal(size=(9, 166)).astype(np.float32)
    mine, whole = (load_policy(tmp_path / name)(seen) for name in ("parts.npz", "whole.npz"))
    assert mine[0].tolist() == whole[0].tolist()


def test_what_cannot_search(rules: GameRules, tmp_path: Path, path: Path) -> None:
    for argument, message in {
        f"{path},ms=5": "needs a number of iterations, not a time",
        f"{path},-3": "iterations must be from 1",
        f"{path},5,opponents=nobody": "opponents must be policy or one of",
        f"{tmp_path / 'none.npz'},5": "none.npz",
    }.items():
        with pytest.raises(AgentError, match=message):
            SearchTeacher(rules, argument, 1)


ROUNDS = ["--search-rounds", "2", "--search-lessons", "300"]


@pytest.mark.usefixtures("ctrl_c")
def test_a_run_ends_with_lessons_from_its_own_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two rounds, of which the second is stopped after its first lesson; the run resumes to the same policy."""
    monkeypatch.setattr(school, "ITERATIONS", 4)
    assert train(tmp_path / "whole", 192, *ROUNDS) == 0
    said = capsys.readouterr().out
    assert "lessons of search, round 2: 512 decisions; agreement with the teacher: " in said
    assert " minutes of lessons from search\n" in said
    taught, rounds = Lessons.next, list[str]()

    def stopped(self: Lessons, pupil: Cloning) -> Lesson:
        if isinstance(self.teacher, SearchTeacher):
            rounds.append(self.teacher.rival)
            if len(rounds) == 4:  # three lessons of the first round: two, and one to judge by
                signal.raise_signal(signal.SIGINT)
        return taught(self, pupil)

    out = tmp_path / "parts"
    with monkeypatch.context() as patch:
        patch.setattr(Lessons, "next", stopped)
        assert train(out, 192, *ROUNDS) == 130
    assert "stopped after 256 decisions of lessons of search, round 2; --resume continues from 256" in (
        capsys.readouterr().err
    )
    # The best policy guides the first round, and the policy of that round the second, whether it is the best or not.
    assert rounds == [f"ppo:{out / name}" for name in ("best.npz", "best.npz", "best.npz", "last.npz")]
    assert (out / "search-lessons-2.pickle").exists()
    # As after a crash between writing what a round gave and deleting its file.
    (out / "search-lessons-1.pickle").touch()
    assert train(out, 192, *ROUNDS, "--resume") == 0
    assert not list(out.glob("search-lessons*"))
    seen = np.random.default_rng(1).normal(size=(4, 166)).astype(np.float32)
    parts, whole = (load_policy(folder / "last.npz") for folder in (out, tmp_path / "whole"))
    assert parts(seen)[0].tolist() == whole(seen)[0].tolist()
    assert whole.made["search_rounds"] == 2
    entries = [json.loads(line) for line in (out / "evaluations.jsonl").read_text().splitlines()]
    assert [(entry["steps"], entry.get("search_rounds")) for entry in entries] == [
        *((0, None), (192, None), (192, 1), (192, 2))
    ]
    assert train(out, 192, *ROUNDS, "--resume") == 0, "everything is done"
    assert len((out / "evaluations.jsonl").read_text().splitlines()) == 4
    assert train(out, 400, *ROUNDS, "--resume") == 2
    assert "came to its lessons from search and makes no more decisions; begin another" in capsys.readouterr().err


@pytest.mark.usefixtures("ctrl_c")
def test_no_more_decisions_in_the_middle_of_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its lessons are those of the policy before these decisions."""
    monkeypatch.setattr(school, "ITERATIONS", 4)
    taught, threads, out = Lessons.next, list[int](), tmp_path / "run"

    def stopped(self: Lessons, pupil: Cloning) -> Lesson:
        threads.append(torch.get_num_threads())
        signal.raise_signal(signal.SIGINT)
        return taught(self, pupil)

    before = torch.get_num_threads()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(Lessons, "next", stopped)
            assert train(out, 192, *ROUNDS, "--overlap", "--threads", "2") == 130
        # Nothing overlaps with these lessons.
        assert threads == [2]
        capsys.readouterr()
        assert train(out, 400, *ROUNDS, "--overlap", "--resume") == 2
    finally:
        torch.set_num_threads(before)
    assert "came to its lessons from search and makes no more decisions; begin another" in capsys.readouterr().err
    for file in ("best.npz", "last.npz", "evaluations.jsonl", "checkpoint.pickle"):
        (out / file).unlink()
    assert train(out, 192, *ROUNDS) == 2
    assert f"{out} holds a run" in capsys.readouterr().err


def test_lessons_have_the_returns_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Second of three is worth 0 if ranks count, else as little as third; of all lessons, those from search too."""
    monkeypatch.setattr(school, "ITERATIONS", 4)
    seen = dict[int, set[float]]()

    def noted(rewards: Float64Array, ended: BoolArray, expected: Float32Array) -> Float32Array:
        seen.setdefault(len(rewards), set()).update(rewards[ended].tolist())
        return returns_of(rewards, ended, expected)

    monkeypatch.setattr("thurn_env.training.teacher.returns_of", noted)
    # Games that are cut off early often end with shared places.
    lessons = ["--reward", "rank", "--teacher", "greedy", "--lessons", "5000", "--option", "max_rounds=20"]
    assert train(tmp_path / "run", 192, *lessons, "--search-rounds", "1", "--search-lessons", "4000") == 0
    assert seen == {teacher.STEPS: {-1.0, 0.0, 1.0}, SearchTeacher.steps: {-1.0, 0.0, 1.0}}


def test_the_card_of_a_policy_that_search_taught() -> None:
    made = {
        **{"config": {"teacher": None, "start": None, "players": 2, "curriculum": [], "search_lessons": 500_000}},
        **{"minutes": 5, "search_minutes": 7.5, "search_rounds": 3},
    }
    assert rounds_of_search(made) == "3 rounds of 500,000 decisions of lessons from its own search"
    assert time_of(made) == "5 minutes and 7.5 of lessons from search without evaluations"


@pytest.mark.parametrize(
    ("folder", "options", "message"),
    [
        ("run", ["--reward", "margin"], "--search-rounds needs --reward win or rank, not margin"),
        ("run", ["--shaping", "0.5"], "--search-rounds needs --shaping 0"),
        ("one,two", [], "--search-rounds needs an --out without a comma"),
        ("run", ["--search-lessons", "0"], "--search-lessons must be from 1"),
        ("run", ["--search-rounds", "-1"], "--search-rounds must be from 0"),
    ],
)
def test_what_search_cannot_teach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str, options: list[str], message: str
) -> None:
    assert train(tmp_path / folder, 192, "--search-rounds", "1", *options) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / folder).exists()


def test_only_the_last_run_of_a_curriculum_ends_with_search() -> None:
    config = Config(Path("runs/three"), players=3, curriculum=("2=100",), search_rounds=2)
    assert [(run.players, run.search_rounds) for run in stages(config)] == [(2, 0), (3, 2)]
