"""The ladder: its plan, its verdicts, and the small one played."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.ladder import Ladder, Rung, main, read_plan, rungs
from thurn_env.errors import ThurnError


def test_the_plan_names_agents_from_below() -> None:
    plan = read_plan()
    assert plan["full"].players == (2, 3, 4)
    assert plan["full"].games >= 1000
    for ladder in plan.values():
        assert ladder.agents[:4] == ("random", "sensible-random", "greedy", "heuristic")
        assert ladder.agents[4].startswith("mcts:")


def test_a_damaged_plan(tmp_path: Path) -> None:
    path = tmp_path / "ladder.toml"
    for text in ("format = ", 'format = "other"', 'format = "thurn-ladder/1"\n[full]\nboard = "south"'):
        path.write_text(text)
        with pytest.raises(ThurnError, match="this is no plan of ladders"):
            read_plan(path)


def test_rungs_are_neighbours() -> None:
    ladder = Ladder("some", "tiny", (2,), ("a", "b", "c"), 10, 1)
    results = {
        "pairs": {
            "b": {"a": {"share": 0.9, "interval": [0.8, 0.95], "games": 20}},
            "c": {"b": {"share": 0.6, "interval": [0.45, 0.7], "games": 20}},
        }
    }
    found = list(rungs(ladder, results))
    assert found == [Rung("b", "a", 0.9, 0.8, 0.95, 20), Rung("c", "b", 0.6, 0.45, 0.7, 20)]
    assert [rung.holds for rung in found] == [True, False]


def test_the_small_ladder_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order of the rungs, beyond doubt, with 8 decks in 3 rotations each."""
    assert main(["--out", str(tmp_path), "--name", "small", "--jobs", "1"]) == 0
    assert "Every agent against the one below" in capsys.readouterr().out


def test_an_unknown_ladder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--name", "huge"]) == 2
    assert "there is no ladder 'huge'; eval/ladder.toml has full, small" in capsys.readouterr().err
