"""Puzzles: damaged files, and the commands that show, find and judge them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.puzzles import command, mine, prove
from eval.puzzles.puzzle import FOLDER, Puzzle, load_puzzle, load_puzzles
from tests.puzzlers import PUZZLES
from thurn_env.errors import ThurnError
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules

NAMES = [puzzle.name for puzzle in PUZZLES]
PROVED = [puzzle for puzzle in PUZZLES if not puzzle.games]


# Damaged files


def damaged(folder: Path, change: Callable[[dict[str, Any]], Any]) -> str:
    """The message about a puzzle's file with a change."""
    data = json.loads((FOLDER / f"{NAMES[0]}.json").read_text("utf-8"))
    change(data)
    (folder / "odd-1.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(ThurnError) as caught:
        load_puzzle(folder / "odd-1.json")
    message = str(caught.value)
    assert message.startswith("puzzle 'odd-1': ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format="thurn-puzzle/0"), "format 'thurn-puzzle/1'"),
        (lambda data: data.update(colour="red"), "unknown entry 'colour'"),
        (lambda data: data.pop("games"), "'games' is missing"),
        (lambda data: data.update(best="end"), "'best' has a wrong value: end"),
        (lambda data: data.update(theme="chess"), "no theme 'chess'; the themes are last house, "),
        (lambda data: data.update(reason=""), "the reason is missing"),
        (lambda data: data.update(seat=9), "is to move, not 9"),
        (lambda data: data.update(best=[]), "no best move"),
        (lambda data: data.update(best=["discard Basel"]), "the best move 'discard Basel' is not legal; legal are "),
        (lambda data: data.update(best=list(data["values"])), "every legal move is a best one"),
        (lambda data: data["values"].popitem(), "values must be given for all legal moves"),
        (lambda data: data["record"]["moves"].__setitem__(3, "close"), "move 4 of "),
        (lambda data: data["record"]["decks"][0].reverse(), "move "),
        (lambda data: data["record"].pop("players"), "the record lacks 'players'"),
    ],
)
def test_damage_is_named(tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    assert message in damaged(tmp_path, change)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ThurnError, match="there are no puzzles"):
        load_puzzles(tmp_path)
    (tmp_path / "closing-1.json").write_text("{", "utf-8")
    with pytest.raises(ThurnError, match=r"puzzle 'closing-1': .*is not JSON that can be read"):
        load_puzzles(tmp_path)
    with pytest.raises(ThurnError, match=r"puzzle 'closing-2': .*no such file"):
        load_puzzle(tmp_path / "closing-2.json")


# The commands


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of `python -m eval.puzzles`."""
    code = command.main(list(arguments))
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with three of the puzzles, two themes."""
    for name in ("closing-1", "closing-2", "route-1"):
        (tmp_path / f"{name}.json").write_bytes((FOLDER / f"{name}.json").read_bytes())
    return tmp_path


def test_the_table(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    perfect = "tests.puzzlers:Knowing"
    code, output, _ = run(capsys, "--folder", str(few), "--agents", perfect, "random", "--deals", "2")
    assert code == 0
    rows = {line.split("│")[1].strip(): line for line in output.splitlines() if line.startswith("│")}
    assert set(rows) == {"closing", "route", "all"} | (rows.keys() & {"theme"})
    assert re.search(r"│\s+2\s+│\s+100.0%\s+│", rows["closing"])
    assert re.search(r"│\s+3\s+│\s+100.0%\s+│", rows["all"])
    assert "shown 2 times" in output


def test_puzzles_for_one_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    """A policy fits one number of players: the other puzzles would only count as wrong answers."""
    fitting = {puzzle.name for puzzle in PUZZLES if puzzle.game.players == 4}
    arguments = ["--players", "4", "--agents", "random", "--deals", "1"]
    code, output, _ = run(capsys, *arguments, "--json")
    assert code == 0
    results = json.loads(output)
    assert results["players"] == 4
    assert set(results["puzzles"]) == set(results["agents"][0]["right"]) == fitting
    code, output, _ = run(capsys, *arguments)
    assert code == 0
    assert "Puzzles for 4 players" in output
    assert re.search(rf"│ all\s+│\s+{len(fitting)} │", output)


def test_failures_are_reported(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = "tests.puzzlers:Failing"
    code, output, _ = run(capsys, "--folder", str(few), "--agents", spec)
    assert code == 0
    assert f"agent {spec!r} failed at 3 puzzles, first at closing-1: " in output


def test_json(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "--folder", str(few), "--agents", "greedy", "--json")
    assert code == 0
    results = json.loads(output)
    assert results["deals"] == 5
    assert set(results["puzzles"]) == {"closing-1", "closing-2", "route-1"}
    (agent,) = results["agents"]
    assert agent["agent"] == "greedy"
    assert set(agent["by_theme"]) == {"closing", "route"}
    assert agent["total"] == pytest.approx(sum(agent["right"].values()) / 3)


@pytest.mark.parametrize(
    "puzzle", [PROVED[0], next(puzzle for puzzle in PUZZLES if puzzle.games)], ids=lambda p: p.name
)
def test_show(puzzle: Puzzle, capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "--show", puzzle.name)
    assert code == 0
    assert f"{puzzle.name} ({puzzle.theme}): seat {puzzle.seat} is to move" in output
    assert f"> player {puzzle.seat}" in output
    assert puzzle.reason in output
    for move in puzzle.values:
        assert re.search(rf"│ {'best' if move in puzzle.best else ' ' * 4} │ {move} ", output)
    code, output, _ = run(capsys, "--show", puzzle.name, "--json")
    assert json.loads(output)["reason"] == puzzle.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--show", "closing-111"], "there is no puzzle 'closing-111' in .*; did you mean closing-"),
        (["--agents", "gredy"], "there is no agent 'gredy'"),
        (["--agents", "greedy", "greedy"], "names an agent twice"),
        (["--players", "6"], "Thurn und Taxis is for 2 to 4 players, not 6"),
        (["--deals", "0"], "deals must be from 1 to 10,000, not 0"),
        (["--folder", "nowhere"], "nowhere: there are no puzzles"),
    ],
)
def test_wrong_arguments(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, _, error = run(capsys, *arguments)
    assert code == 2
    assert error.count("\n") == 1
    assert re.search(message, error)


def test_mining_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = PROVED[0]
    asked = []

    def candidates(rules: GameRules, seed: int, number: int, exact: bool) -> list[Puzzle]:
        asked.append(number)
        if asked == [0, 1]:
            raise KeyboardInterrupt
        return [replace(found, name=f"{found.name}-{seed}-{number}", reason="")]

    monkeypatch.setattr(mine, "candidates", candidates)
    arguments = ["--out", str(tmp_path), "--games", "3", "--seed", "7", "--exact"]
    assert mine.main(arguments) == 130
    assert mine.main(arguments) == 0
    assert asked == [0, 1, 1, 2]
    assert {path.stem for path in tmp_path.glob("*.json")} == {f"{found.name}-7-{number}" for number in range(3)}
    capsys.readouterr()
    code, output, _ = run(capsys, "--folder", str(tmp_path), "--show", f"{found.name}-7-2")
    assert code == 0
    assert "no reason is given yet" in output
    code, _, error = run(capsys, "--folder", str(tmp_path))
    assert code == 2
    assert "the reason is missing" in error


def test_mining_is_reproducible() -> None:
    rules = make_rules("thurn_und_taxis", 2, "south")
    found = list(mine.candidates(rules, 2, 21, exact=True))
    # This game ends with a close that alone wins.
    assert ("last round", ("close",)) in {(puzzle.theme, puzzle.best) for puzzle in found}
    assert found == list(mine.candidates(rules, 2, 21, exact=True))
    for puzzle in found:
        puzzle.check(draft=True)
        assert set(puzzle.proved) == set(puzzle.values)


def test_proving_again_writes_the_same(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (few / f"{PROVED[0].name}.json").write_bytes((FOLDER / f"{PROVED[0].name}.json").read_bytes())
    assert prove.main([PROVED[0].name, "--folder", str(few)]) == 0
    assert (few / f"{PROVED[0].name}.json").read_bytes() == (FOLDER / f"{PROVED[0].name}.json").read_bytes()
    capsys.readouterr()
    assert prove.main(["closing-99", "--folder", str(few)]) == 2
    assert "there is no puzzle 'closing-99'" in capsys.readouterr().err
