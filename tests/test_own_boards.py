"""Boards of people: given as names or paths of any kind, and kept in records, which replay without the board's file."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.boards import as_toml, tiny_data
from tests.programs import thurn
from thurn_env import Batch, Game, Record, RecordError, make_rules
from thurn_env.commands.cli import main
from thurn_env.envs.aec import GameEnv
from thurn_env.envs.learner import LearnerBatch
from thurn_env.envs.single import LearnerEnv
from thurn_env.games import GAMES
from thurn_env.games.board_tables import BoardError
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.games.zug_um_zug_deutschland.board.shipped import SHIPPED as RAILS
from thurn_env.players.match import play_scripted
from thurn_env.players.review import Reviewer
from thurn_env.serve.menu import Menu
from thurn_env.show.page import replay_page
from thurn_env.table.replay import last_position, resume, verify
from thurn_env.table.transitions import transitions
from thurn_env.tournament import dataset
from thurn_env.tournament.config import Config
from thurn_env.training.config import Config as Training

Capture = pytest.CaptureFixture[str]


def tiny(**changes: Any) -> str:
    """The text of a board file: the tiny board with another name, title and number of houses."""
    data = tiny_data() | {"name": "Mühlbach", "title": "Rund um Mühlbach"} | changes
    data["constants"]["houses_per_player"] = 5
    return as_toml(data)


def rails() -> str:
    return (RAILS / "tiny_rails.toml").read_text("utf-8").replace("points = 2", "points = 3")


BOARDS: dict[str, Callable[[], str]] = {"thurn_und_taxis": tiny, "zug_um_zug_deutschland": rails}


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board for every game, in which the test works until it goes elsewhere."""
    there = tmp_path / "there"
    there.mkdir()
    for game, text in BOARDS.items():
        (there / f"{game}.toml").write_text(text(), "utf-8")
    monkeypatch.chdir(there)
    return there


def recorded(game: str = "thurn_und_taxis", board: Any = None, players: int = 2) -> Record:
    """A finished game; on the board file in the working folder, named by a relative path, if no board is given."""
    rules = make_rules(game, players, board or f"{game}.toml")
    return play_scripted(rules, ["greedy"] * players, 5)


def leave(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to another folder and delete the boards."""
    elsewhere = away.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for file in away.glob("*.toml"):
        file.unlink()


# Records


@pytest.mark.parametrize("game", GAMES)
def test_a_record_replays_without_the_file(game: str, away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded(game)
    record.save(away / "game.json")
    leave(away, monkeypatch)
    loaded = Record.load(away / "game.json")
    assert loaded == record
    verify(loaded)
    assert loaded.board == f"{game}.toml"
    assert loaded.rules.board == record.rules.board
    assert last_position(loaded).record(loaded.agents) == record
    assert loaded.rules.tables().keys() == record.rules.tables().keys()


def test_a_record_of_a_board_that_comes_with_the_package_has_no_further_key() -> None:
    for game, board in (("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")):
        by_name = Game(players=2, board=board, game=game, seed=1).record()
        by_path = Game(players=2, board=Path(board), game=game, seed=1).record()
        by_board = Game(players=2, board=make_rules(game, 2, board).board, game=game, seed=1).record()
        assert by_name == by_path == by_board
        assert by_name.own_board is None
        assert "own_board" not in by_name.as_dict()


def test_the_facts_are_those_of_the_file(away: Path) -> None:
    """The record has the contents of the file as JSON, so that other programs need not know TOML."""
    own = recorded().as_dict()["own_board"]
    data = tiny_data() | {"name": "Mühlbach", "title": "Rund um Mühlbach"}
    data["constants"]["houses_per_player"] = 5
    assert own["facts"] == data
    assert own["digest"] == make_rules("thurn_und_taxis", 2, "thurn_und_taxis.toml").board_digest
    assert json.loads(json.dumps(own)) == own


def test_a_board_made_in_python_is_kept_too() -> None:
    """Even one that has the name of a shipped board, but other facts."""
    board = replace(load_board("tiny"), houses_per_player=4)
    record = recorded(board=board)
    assert record.board == "tiny"
    loaded = Record.from_json(record.to_json())
    verify(loaded)
    assert loaded.rules.board == board
    assert loaded.rules.board_digest != make_rules("thurn_und_taxis", 2, "tiny").board_digest


@pytest.mark.parametrize("name", make_rules("thurn_und_taxis", 2).boards)
def test_every_kind_of_fact_survives(name: str) -> None:
    """Free cities, horses, kinds of stacks and statuses: the shipped boards have them all."""
    board = replace(load_board(name), name="another")
    rules = make_rules("thurn_und_taxis", 2, board)
    loaded = Record.from_json(Game.from_rules(rules, 1).record().to_json())
    assert loaded.rules is rules
    assert loaded.rules.board == board


def test_every_kind_of_fact_survives_in_the_second_game() -> None:
    for name in make_rules("zug_um_zug_deutschland", 2).boards:
        board = replace(make_rules("zug_um_zug_deutschland", 2, name).board, name="another")
        rules = make_rules("zug_um_zug_deutschland", 2, board)
        assert Record.from_json(Game.from_rules(rules, 1).record().to_json()).rules.board == board


def test_facts_that_were_changed_are_refused(away: Path) -> None:
    data = json.loads(recorded().to_json())
    data["own_board"]["facts"]["stacks"][0]["values"][0] += 1
    with pytest.raises(RecordError, match=r"^own_board: the digest of the facts begins with '[0-9a-f]{16}'"):
        Record.from_dict(data)
    data = json.loads(recorded().to_json())
    data["own_board"]["facts"]["cities"][0]["province"] = "Nirgends"
    with pytest.raises(RecordError, match=r'cannot be played: own_board: .*no province is called "Nirgends"'):
        Record.from_dict(data)
    for damaged in (3, {}, {"digest": "x"}, {"digest": "x", "facts": []}, {"digest": 1, "facts": {}}):
        data["own_board"] = damaged
        with pytest.raises(RecordError, match=r"^own_board"):
            Record.from_dict(data)
    del data["own_board"]
    (away / "thurn_und_taxis.toml").unlink()
    with pytest.raises(RecordError, match="no board is called"):
        Record.from_dict(data)


def test_a_record_of_an_older_version_finds_its_file(away: Path) -> None:
    """It has the path alone."""
    data = recorded().as_dict()
    del data["own_board"]
    record = Record.from_dict(data)
    verify(record)
    assert record.own_board is None
    assert last_position(record).record().own_board is not None


def test_rules_and_records_are_pickled_and_copied(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded()
    rules = record.rules
    packed = pickle.dumps((rules, record, Game.from_rules(rules, 1).record()))
    leave(away, monkeypatch)
    for twin, of_twin in (pickle.loads(packed)[:2], copy.deepcopy((rules, record))):
        assert twin.board_digest == rules.board_digest
        assert of_twin == record
        verify(of_twin)
        assert Game.from_rules(twin, 1).record() == pickle.loads(packed)[2]


def test_a_game_goes_on_without_the_file(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(players=2, board="thurn_und_taxis.toml", seed=2)
    for _ in range(9):
        game.play(game.legal[0])
    record = game.record(["human", "greedy"])
    leave(away, monkeypatch)
    resumed = resume(Record.from_json(record.to_json()), 1)
    assert resumed.public() == game.public()
    while not resumed.over:
        resumed.play(resumed.legal[-1])
    verify(resumed.record())


def test_commands_show_such_records(away: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    watch = ["watch", "--agents", "greedy", "greedy", "--board", "./thurn_und_taxis.toml", "--seed", "4"]
    assert main([*watch, "--save", "game.json"]) == 0
    leave(away, monkeypatch)
    file = str(away / "game.json")
    assert main(["replay", file]) == 0
    assert main(["replay", file, "--verify"]) == 0
    assert main(["replay", file, "--html", "page.html"]) == 0
    assert "thurn_und_taxis.toml board" in Path("page.html").read_text("utf-8")
    assert "1 game verified" in capsys.readouterr().out


def test_pages_and_reviews(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded()
    leave(away, monkeypatch)
    loaded = Record.from_json(record.to_json())
    assert "<svg" in replay_page(loaded, "a game")
    *_, review = Reviewer(loaded.rules, "greedy").review(loaded)
    assert len(review.moves) == len(record.moves)


def test_a_tournament_and_its_data_set(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    arguments = ["--agents", "greedy", "random", "--games", "2", "--seed", "1", "--jobs", "0", "--bootstrap", "0"]
    command = [*arguments, "--board", "thurn_und_taxis.toml", "--out", str(away.parent / "games")]
    assert thurn("tournament", command) == 0
    leave(away, monkeypatch)
    files = list((away.parent / "games" / "games").iterdir())
    records = [record for file in files for record in Record.load_all(file)]
    assert len(records) == 4
    for record in records:
        verify(record)
        assert record.own_board is records[0].own_board, "the board is in memory once for every file"
    assert thurn("dataset", [str(away.parent / "games"), "--out", "data"]) == 0
    assert len(dataset.load(Path("data"))) > 0


def test_decisions_of_two_boards_do_not_mix(away: Path) -> None:
    """By their facts: one board may have two paths, and two boards one path."""
    record = recorded()
    renamed = replace(record, board="another/path.toml")
    assert len(transitions([record, renamed])) == 2 * len(transitions([record]))
    other = recorded(board=replace(record.rules.board, hand_limit=5))
    with pytest.raises(ValueError, match="record 2 is of another game than the first: board digest"):
        transitions([record, replace(other, board=record.board)])


# Boards as paths


def test_boards_are_taken_as_paths_everywhere(away: Path) -> None:
    """As a text, as a path, as bytes that a path consists of; by the name of a shipped board, too."""
    file = away / "thurn_und_taxis.toml"
    for board, name in ((Path("tiny"), "tiny"), (b"tiny", "tiny"), (file, str(file)), (str(file).encode(), str(file))):
        rules = make_rules("thurn_und_taxis", 2, board)
        assert rules.board_name == name
        assert Game(board=board, seed=1).rules is rules
        assert Batch(2, board=board).rules is rules
        assert LearnerBatch(2, board=board).rules is rules
        assert LearnerEnv("thurn_und_taxis", 2, board).rules is rules
        assert GameEnv("thurn_und_taxis", 2, board).rules is rules
        assert Config(("greedy", "random"), board=board).rules is rules
        assert Config(("greedy", "random"), board=board) == Config(("greedy", "random"), board=name)
        assert json.loads(json.dumps(Config(("greedy", "random"), board=board).identity()))["board"] == name
        assert Training(Path("out"), board=board) == Training(Path("out"), board=name)
        assert json.loads(json.dumps(Training(Path("out"), board=board).as_dict()))["board"] == name
        assert Path(name).name in Menu(boards=(board,)).for_page()[0]["boards"]
        assert replace(Game(board=board, seed=1).record(), board=board).rules is rules


@pytest.mark.parametrize("board", [3, 2.5, ["tiny"], {"name": "tiny"}, np.zeros(2)])
def test_what_is_no_board(board: Any) -> None:
    for game in GAMES:
        with pytest.raises(BoardError, match=r"^a board is a name or the path of a \.toml file, not "):
            make_rules(game, 2, board)


def test_a_name_that_is_no_board() -> None:
    for board in ("tinny", Path("tinny")):
        with pytest.raises(BoardError, match=r'^no board is called "tinny"; did you mean "tiny"\?'):
            make_rules("thurn_und_taxis", 2, board)
