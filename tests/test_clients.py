"""The recipes for other libraries: failures stay in the table with their reason, and results are kept and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs.recipes import scoring
from eval.clients import catalogue, command, outcome, report, run
from eval.clients.catalogue import RECIPES, Recipe, glue
from eval.clients.outcome import Outcome, problem_of, read_outcome
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.errors import ThurnError

Capture = pytest.CaptureFixture[str]

SHARE = {"opponent": "greedy", "games": 1000, "seed": 900_001, "won": 0.7, "low": 0.65, "high": 0.75}
FIGURES: dict[str, Any] = {
    "decisions": 100_000,
    "games": 4000,
    "decisions_per_second": 1234.5,
    "cpu_seconds": 50.0,
    "share": SHARE,
    "versions": {"fake": "1.2"},
}
GOOD = f"print('a greeting'); print('''{json.dumps(FIGURES)}''')"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of recipes, and one for their results."""
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(outcome, "RESULTS", tmp_path / "results")
    return tmp_path


def recipe(folder: Path, name: str, code: str) -> Recipe:
    """A recipe with this code."""
    (folder / f"{name}.py").write_text(code, "utf-8")
    return Recipe(name, "fake", "`Batch`", "nothing")


# The catalogue


def test_every_file_is_in_the_catalogue() -> None:
    modules = {name for each in RECIPES for name in (each.name, *each.modules)}
    files = {file.stem for file in catalogue.FOLDER.glob("*.py")}
    assert files - {"scoring", "__init__"} == modules
    assert {file.stem for file in (catalogue.FOLDER / "requirements").iterdir()} == {each.library for each in RECIPES}


@pytest.mark.parametrize("each", RECIPES, ids=lambda each: each.name)
def test_requirements_are_pinned(each: Recipe) -> None:
    lines = each.requirements.read_text("utf-8").splitlines()
    assert lines
    assert [line for line in lines if "==" not in line] == []


@pytest.mark.parametrize("each", RECIPES, ids=lambda each: each.name)
def test_every_recipe_has_glue_and_training(each: Recipe) -> None:
    text = each.script.read_text("utf-8")
    assert text.count(catalogue.GLUE) == text.count(catalogue.TRAINING) == 1
    assert 0 < each.glue_lines() < 60


def test_glue_is_counted_without_blank_lines_and_comments(folder: Path) -> None:
    text = "import x\n# --- glue ---\ndef f():\n\n    # why\n    return 1  # so\n\n# --- training ---\nf()\n"
    assert recipe(folder, "some", text).glue_lines() == 2
    assert glue("no glue") == []


# The kept results


@pytest.mark.parametrize("each", RECIPES, ids=lambda each: each.name)
def test_every_recipe_has_beaten_greedy(each: Recipe) -> None:
    kept = read_outcome(each)
    assert kept is not None, f"run python -m eval.clients --recipes {each.name} --write"
    assert not kept.problem
    assert problem_of(kept.figures) == ""


def test_rllib_recorded_every_game() -> None:
    (each,) = (each for each in RECIPES if each.name == "rllib_vector")
    kept = read_outcome(each)
    assert kept is not None
    assert kept.figures["games_finished"] == kept.figures["games"] > 0


def test_a_damaged_result_is_one_line(folder: Path) -> None:
    some = recipe(folder, "some", GOOD)
    assert read_outcome(some) is None
    Outcome("some", FIGURES).write()
    assert read_outcome(some) == Outcome("some", FIGURES)
    outcome.file_of("some").write_text("{", "utf-8")
    with pytest.raises(ThurnError, match="is damaged"):
        read_outcome(some)


# Running


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({}, ""),
        ({"share": SHARE | {"low": 0.5}}, "won 70.0% (50.0% to 75.0%) against greedy"),
        ({"cpu_seconds": 601.0}, "took 601 s of processor time, more than 600 s"),
        ({"games_finished": 4000}, ""),
        ({"games_finished": 4001}, "the library recorded 4,000 of 4,001 games"),
    ],
)
def test_what_counts(change: dict[str, Any], problem: str) -> None:
    assert problem_of(FIGURES | change) == problem


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (GOOD, ""),
        ("raise ModuleNotFoundError(\"No module named 'nowhere'\")", "ModuleNotFoundError: No module named 'nowhere'"),
        ("print('no JSON')", "it printed no figures"),
        ("print('[1]')", "it printed no figures"),
        ("print('{\"games\": 1}')", "it printed no figures"),
        ("", "it printed no figures"),
    ],
)
def test_failures_are_kept_with_their_reason(folder: Path, code: str, problem: str) -> None:
    [result] = run.outcomes([recipe(folder, "some", code)], None)
    assert result.problem == problem
    assert result.figures == ({} if problem else FIGURES)
    assert result.machine["python"]


def test_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    recipes = (recipe(folder, "good", GOOD), recipe(folder, "bad", "raise SystemExit(3)"))
    for place in (catalogue, command, report):
        monkeypatch.setattr(place, "RECIPES", recipes)
    assert command.main(["--here", "--recipes", "good", "--json"]) == 0
    assert [entry["recipe"] for entry in json.loads(capsys.readouterr().out)] == ["good"]
    assert not list(report.kept())
    assert command.main(["--here", "--write"]) == 1
    output = capsys.readouterr()
    assert "70.0%" in output.out
    assert "bad failed: ended with exit code 3" in output.err
    columns, rows = report.table()
    assert {len(row) for row in rows} == {len(columns)}
    assert rows[0][4:] == ("2,000", "70.0% (65.0% to 75.0%)")
    assert rows[1][-1].startswith("failed: ended with exit code 3")


def test_an_unknown_recipe_is_one_line(capsys: Capture) -> None:
    assert command.main(["--recipes", "chess"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("python -m eval.clients: there is no recipe 'chess'; the recipes are cleanrl_ppo, ")
    assert error.count("\n") == 1


# Scoring


def legal_at_random(seed: int) -> scoring.Choose:
    """A policy that draws legal actions."""
    generator = np.random.default_rng(seed)
    return lambda observations, masks: (generator.random(masks.shape) * masks).argmax(axis=1)


def test_a_tie_counts_as_half_a_game() -> None:
    """After one round nobody has scored: all games end in a tie."""
    share = scoring.share_won(legal_at_random(1), "random", 60, max_rounds=1)
    assert 0.4 < share.won < 0.6


def test_the_share_is_that_of_the_games_played() -> None:
    """A random policy is even with the bot `random`, and loses to a better one."""
    share = scoring.share_won(legal_at_random(1), "random", 200)
    assert (share.games, share.opponent) == (200, "random")
    assert share.low < 0.5 < share.high
    assert share.low < share.won < share.high
    assert scoring.share_won(legal_at_random(1), "heuristic", 50).won < 0.1


def test_both_seats_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[Sequence[int]] = []
    reset = LearnerVectorEnv.reset

    def noted(self: LearnerVectorEnv, **arguments: Any) -> Any:
        observations, infos = reset(self, **arguments)
        seats.append(infos["seat"].tolist())
        return observations, infos

    monkeypatch.setattr(LearnerVectorEnv, "reset", noted)
    scoring.share_won(legal_at_random(1), "random", 8)
    assert sorted(seats[0]) == [0] * 4 + [1] * 4


def test_a_recipe_prints_its_figures_last(capsys: Capture) -> None:
    clock = scoring.Clock()
    share = clock.report(legal_at_random(2), 10, 2, ["numpy"], "random", games_finished=2)
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["share"]["won"] == share.won
    assert figures.keys() >= run.FIGURES
    assert figures["versions"] == {"numpy": np.__version__}
    assert figures["games_finished"] == figures["games"] == 2
