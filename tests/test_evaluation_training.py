"""Making an evaluation, small."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.boards import as_toml, tiny_data
from tests.programs import thurn
from thurn_env import make_rules
from thurn_env.players.evaluation import evaluation_of, write
from thurn_env.training.evaluation import blind_loss

COMMAND = ["--board", "tiny", "--players", "2", "--seed", "3"]


def test_an_evaluation_knows_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six hundred games on the tiny board tell more than nothing, and the same seed finds the same weights."""
    for name in ("one.json", "two.json"):
        assert thurn("evaluation", [*COMMAND, "--games", "600", "--jobs", "1", "--out", str(tmp_path / name)]) == 0
    made = json.loads((tmp_path / "one.json").read_text("utf-8"))["made"]
    assert made["games"] == 600
    assert made["log_loss"] < made["log_loss_without"] == 0.6931
    assert "log loss" in capsys.readouterr().out
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    one, two = (evaluation_of(rules, str(tmp_path / name)) for name in ("one.json", "two.json"))
    assert one.tolist() == two.tolist()


def test_few_games(tmp_path: Path) -> None:
    """A tenth of them is held out, never all."""
    assert thurn("evaluation", [*COMMAND, "--games", "10", "--jobs", "0", "--out", str(tmp_path / "few.json")]) == 0
    made = json.loads((tmp_path / "few.json").read_text("utf-8"))["made"]
    assert made["games"] == 10
    assert made["positions"] > 0


def test_what_one_knows_without_looking() -> None:
    assert blind_loss(2) == pytest.approx(0.693147)
    assert blind_loss(4) == pytest.approx(0.562335)


def test_bad_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert thurn("evaluation", [*COMMAND, "--games", "3"]) == 2
    assert "games must be from 10 to 1,000,000, not 3" in capsys.readouterr().err
    assert thurn("evaluation", [*COMMAND, "--games", "20", "--seed", "-1"]) == 2
    assert "seed must be from 0 to 4,294,967,295, not -1" in capsys.readouterr().err


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """As when an evaluation is fitted again in a notebook."""
    rules, file = make_rules("thurn_und_taxis", 2, "tiny"), tmp_path / "evaluation.json"
    for weight in (0.0, 0.25, 0.5):
        weights = np.full(rules.observation_size + 1, weight, np.float32)
        write(file, rules, weights, {})
        assert np.array_equal(evaluation_of(rules, str(file)), weights)


def test_a_file_that_cannot_be_written_is_refused_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert thurn("evaluation", ["--board", "tiny", "--games", "20", "--jobs", "1", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"thurn evaluation: {tmp_path} is a folder; name a file in it\n"


@pytest.mark.parametrize(
    ("table", "what"),
    [
        (["--board", "south", "--option", "optional_houses=true"], "with the option optional_houses"),
        (["--board", "north", "--option", "horses=true", "horses_kept=false"], "with the option horses_kept"),
        (["--board", "south", "--option", "max_rounds=30"], "with the option max_rounds"),
        (["--board", "BOARD"], "of the board "),
    ],
)
def test_a_shipped_evaluation_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: list[str], what: str
) -> None:
    """Nor does another one take its place because its name comes first."""
    board = tmp_path / "south.toml"
    board.write_text(as_toml(tiny_data()), "utf-8")
    words = [str(board) if word == "BOARD" else word for word in table]
    assert thurn("evaluation", ["--players", "2", "--games", "10", "--jobs", "0", *words]) == 2
    assert f"name a file with --out: an evaluation {what}" in capsys.readouterr().err
