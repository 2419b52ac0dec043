"""Tuning the heuristic, small."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.boards import as_toml, tiny_data
from tests.interrupting import interrupted
from tests.programs import thurn
from thurn_env import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match
from thurn_env.table.replay import last_position
from thurn_env.table.style import style_of
from thurn_env.training.tune import Tuning, TuningConfig, duel

COMMAND = ["--board", "tiny", "--players", "3", "--decks", "4", "--held-out", "8", "--seed", "3", "--jobs", "1"]


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


def test_ctrl_c_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Tuning, "step", interrupted)
    assert thurn("tune", [*COMMAND, "--out", str(tmp_path)]) == 130
    assert "stopped; the same command continues after the last finished generation" in capsys.readouterr().err


def test_with_the_weights_it_has_it_is_the_heuristic(rules: GameRules) -> None:
    states = rules.new_states(3)
    for index, seed in enumerate((5, 6, 7)):
        rules.deal(states, index, seed)
        moves = rules.play_weighted(states, index, [rules.heuristic_weights()] * 3)
        record = play_match(rules, [make_agent("heuristic", rules.bots) for _ in range(3)], seed=seed)
        assert record.moves == [rules.action_texts[move] for move in moves]
        assert record.result is not None
        assert record.result["scores"] == rules.scores(states, index)


def test_nothing_gained_by_the_same_weights(rules: GameRules) -> None:
    """Each seat plays with the weights in question once, so the returns of a deck cancel out."""
    returns = duel(("thurn_und_taxis", 3, "tiny", {}, [1, 2, 3, 4], rules.heuristic_weights(), ()))
    assert np.allclose(returns, 0)


def test_bad_weights_lose(rules: GameRules) -> None:
    hasty = {**rules.heuristic_weights(), "turn": 50.0, "end_behind": 50.0, "carriage": -50.0}
    returns = duel(("thurn_und_taxis", 3, "tiny", {}, list(range(40)), hasty, ()))
    assert returns.mean() < -0.1


def test_style_is_counted_in_the_same_games(rules: GameRules) -> None:
    """The counts of a seat, as means over all seats that the weights play in."""
    usual = rules.heuristic_weights()
    row = duel(("thurn_und_taxis", 3, "tiny", {}, [3], usual, ("routes", "houses left")))[0]
    record = play_match(rules, [make_agent("heuristic", rules.bots) for _ in range(3)], seed=3)
    counts = style_of(last_position(record))
    assert row.tolist() == pytest.approx(
        [0, *(np.mean([one.get(name, 0) for one in counts]) for name in ("routes", "houses left"))]
    )


def test_style_may_be_worth_more_than_winning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reward for houses that are left: two generations are enough to leave more of them."""
    command = [*COMMAND, "--decks", "20", "--generations", "6", "--style", "houses left=100", "ended by houses=-1"]
    assert thurn("tune", [*command, "--out", str(tmp_path)]) == 0
    found = result(tmp_path)
    assert list(found["style"]) == ["houses left", "ended by houses"]
    assert found["history"][-1] > found["history"][0]
    assert "houses left: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("houses lost=1", "--style must be figure=reward, not 'houses lost=1'; figures: houses left"),
        ("routes", "--style must be figure=reward, not 'routes'; figures: routes"),
        ("cities per route=1", "not 'cities per route=1'"),
        ("routes=many", "--style routes must be a finite number, not 'many'"),
        ("routes=1e9", "--style routes must be from -1,000 to 1,000, not 1000000000.0"),
    ],
)
def test_a_style_that_cannot_be_rewarded(
    style: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert thurn("tune", [*COMMAND, "--style", style, "--out", str(tmp_path)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def result(folder: Path) -> dict[str, Any]:
    """What was written, less what names the run."""
    found: dict[str, Any] = json.loads((folder / "weights.json").read_text("utf-8"))
    del found["command"]
    return found


def test_a_tuning_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two generations at once and one after the other find the same weights."""
    assert thurn("tune", [*COMMAND, "--generations", "2", "--out", str(tmp_path / "whole")]) == 0
    for generations in ("1", "2"):
        assert thurn("tune", [*COMMAND, "--generations", generations, "--out", str(tmp_path / "parts")]) == 0
    whole, parts = result(tmp_path / "whole"), result(tmp_path / "parts")
    assert whole == parts
    assert whole["decks"] == 8
    assert len(whole["history"]) == 2
    assert whole["weights"] != whole["before"]
    low, high = whole["interval"]
    assert low <= whole["wins"] <= high
    assert "win rate against the previous weights" in capsys.readouterr().out


def test_another_tuning_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert thurn("tune", [*COMMAND, "--generations", "1", "--out", str(tmp_path)]) == 0
    kept = result(tmp_path)
    assert thurn("tune", [*COMMAND, "--decks", "5", "--generations", "1", "--out", str(tmp_path)]) == 2
    assert "holds a tuning run with other settings; choose another folder" in capsys.readouterr().err
    assert result(tmp_path) == kept


def test_a_board_that_was_edited_is_another_tuning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The runs of earlier versions noted no digest of the board, and go on."""
    board, out = tmp_path / "own.toml", tmp_path / "out"
    board.write_text(as_toml(tiny_data()), "utf-8")
    place = COMMAND.index("--board") + 1
    command = [*COMMAND[:place], str(board), *COMMAND[place + 1 :], "--out", str(out)]
    assert thurn("tune", [*command, "--generations", "1"]) == 0
    state = pickle.loads((out / "state.pickle").read_bytes())
    del state["identity"]["board"]
    (out / "state.pickle").write_bytes(pickle.dumps(state))
    assert thurn("tune", [*command, "--generations", "2"]) == 0
    edited = re.sub(r"(houses_per_player = )\d+", r"\g<1>7", board.read_text("utf-8"))
    board.write_text(edited, "utf-8")
    capsys.readouterr()
    assert thurn("tune", [*command, "--generations", "3"]) == 2
    assert "holds a tuning run with other settings; choose another folder" in capsys.readouterr().err


def test_a_damaged_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state.pickle").write_bytes(b"nothing")
    assert thurn("tune", [*COMMAND, "--generations", "1", "--out", str(tmp_path)]) == 2
    assert "is damaged" in capsys.readouterr().err


def test_numbers_out_of_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert thurn("tune", [*COMMAND, "--generations", "0", "--out", str(tmp_path / "new")]) == 2
    assert "--generations must be from 1 to 1,000,000, not 0" in capsys.readouterr().err
    assert thurn("tune", [*COMMAND, "--seed", "-1", "--out", str(tmp_path / "new")]) == 2
    assert "--seed must be from 0 to 4,294,967,295, not -1" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_run_begins_with_the_weights_of_another(rules: GameRules, tmp_path: Path) -> None:
    usual = rules.heuristic_weights()
    begin = {**usual, "carriage": -3.0}
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"weights": begin, "wins": 0.4}), "utf-8")
    tuning = Tuning(TuningConfig(tmp_path / "out", 3, "tiny", start=file))
    assert tuning.weights(np.zeros(len(usual))) == pytest.approx(begin, abs=1e-3)
    assert tuning.usual == usual, "the opponents keep theirs"


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON", '{"weights": {"carriage": 1}}', '{"weights": [1]}'])
def test_a_file_without_weights_is_refused(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text, "utf-8")
    assert thurn("tune", [*COMMAND, "--start", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "does not hold weights of this game; give a weights.json of thurn tune" in capsys.readouterr().err
    assert not (tmp_path / "out" / "state.pickle").exists()


def test_decks_that_all_agree_prove_little(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--board", "tiny", "--generations", "1", "--decks", "2", "--held-out", "1", "--jobs", "1"]
    assert thurn("tune", [*few, "--out", str(tmp_path)]) == 0
    result = json.loads((tmp_path / "weights.json").read_text("utf-8"))
    low, high = result["interval"]
    assert low <= 0.025 * result["wins"] + 1e-4
    assert high >= 1 - 0.025 * (1 - result["wins"]) - 1e-4
