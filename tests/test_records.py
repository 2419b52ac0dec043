"""Records are written and read: they come back as they were, and show every damage."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.recorded import Damage, finished, played
from thurn_env import Record, RecordError, ThurnError
from thurn_env.table.record import save_all
from thurn_env.table.replay import replay

# There and back


def test_the_format() -> None:
    """The keys of the published format, in their order; the first deck holds all cards."""
    data = finished()
    assert list(data) == [
        *("format", "game", "board", "options", "players", "start_player"),
        *("decks", "moves", "result", "agents"),
    ]
    assert data["format"] == "thurn-record/1"
    assert data["game"] == "thurn_und_taxis"
    assert data["board"] == "tiny"
    assert data["options"] == {
        "optional_houses": False,
        "all_provinces_without_baiern": False,
        "horses": False,
        "horses_kept": True,
        "open_backs": True,
        "free_city_with_fill": False,
        "max_rounds": 200,
    }
    assert data["agents"] == ["sensible-random"] * 2
    assert set(data["result"]) == {"scores", "ranks"}
    assert len(data["decks"][0]) == 18
    assert len(data["decks"]) > 2


def test_the_first_cards_of_the_first_deck_are_the_display() -> None:
    record = played()
    first = next(replay(record))
    assert first.public()["display"] == record.chance["decks"][0][:4]


def test_json_there_and_back() -> None:
    record = played()
    text = record.to_json()
    assert "\n" not in text
    assert "ö" in text
    assert Record.from_json(text) == record
    assert Record.from_json(json.dumps(json.loads(text), indent=2)) == record
    assert Record.from_dict(json.loads(text)) == record
    assert Record.from_json(text).to_json() == text


def test_files_there_and_back(tmp_path: Path) -> None:
    records = [played(seed) for seed in range(1, 6)]
    path = tmp_path / "one.json"
    records[0].save(path)
    assert Record.load(path) == Record.load(str(path)) == records[0]
    assert list(Record.load_all(path)) == records[:1]
    many = tmp_path / "many.jsonl"
    save_all(many, iter(records))
    assert list(Record.load_all(many)) == records
    assert len(many.read_text("utf-8").splitlines()) == 5
    assert sorted(file.name for file in tmp_path.iterdir()) == ["many.jsonl", "one.json"]
    records[1].save(path)
    assert Record.load(path) == records[1]


def test_files_of_other_programs(tmp_path: Path) -> None:
    """Over several lines, with blank lines, with other line ends, without a last line end."""
    path = tmp_path / "file"
    record = played()
    path.write_text(json.dumps(json.loads(record.to_json()), indent=4), "utf-8")
    assert Record.load(path) == record
    path.write_bytes(f"\n{record.to_json()}\r\n\r\n{record.to_json()}".encode())
    assert list(Record.load_all(path)) == [record, record]
    path.write_text(json.dumps(json.loads(record.to_json()), ensure_ascii=True), "utf-8")
    assert Record.load(path) == record


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\u00a0", "ß", "\U0001f3c7"])
def test_names_with_unusual_characters(tmp_path: Path, character: str) -> None:
    """Only a line feed ends a line; what else Unicode calls a line end may stand in a name."""
    record = replace(played(), agents=[f"a{character}b", "c"])
    save_all(tmp_path / "file", [record, record])
    assert list(Record.load_all(tmp_path / "file")) == [record, record]


# Damage that shows when a record is read


def without(key: str) -> Damage:
    return lambda data: {name: value for name, value in data.items() if name != key}


def with_entry(**entries: Any) -> Damage:
    return lambda data: {**data, **entries}


UNREADABLE: list[tuple[Damage, str]] = [
    (lambda data: [data], "a record is a JSON object, not list"),
    (lambda data: None, "a record is a JSON object, not NoneType"),
    (lambda data: "text", "a record is a JSON object, not str"),
    (without("format"), "format must be 'thurn-record/1', not None"),
    (with_entry(format="thurn-record/2"), "format must be 'thurn-record/1', not 'thurn-record/2'"),
    (with_entry(format=["thurn-record/1"]), "format must be 'thurn-record/1', not"),
    *((without(key), f"the record lacks '{key}'") for key in ("game", "board", "options", "players")),
    *((without(key), f"the record lacks '{key}'") for key in ("start_player", "moves", "decks")),
    (with_entry(colour="red"), "unknown entry 'colour'"),
    (with_entry(chance={}), "unknown entry 'chance'"),
    (with_entry(game=3), "game must be a text, not 3"),
    (with_entry(board=None), "board must be a text, not None"),
    (with_entry(options=[]), r"options must be an object, not \[\]"),
    (with_entry(players="2"), "players must be a whole number, not '2'"),
    (with_entry(players=True), "players must be a whole number, not True"),
    (with_entry(players=2.0), "players must be a whole number, not 2.0"),
    (with_entry(start_player=False), "start_player must be a whole number, not False"),
    (with_entry(start_player=None), "start_player must be a whole number, not None"),
    (with_entry(moves={}), "moves must be a list, not {}"),
    (with_entry(moves=["draw", 7]), "moves: 7 is not a text"),
    (with_entry(moves=["x", ["y" * 90]]), r"moves: \['y{55}\.\.\. is not a text"),
    (with_entry(agents="random"), "agents must be a list, not 'random'"),
    (with_entry(agents=None), "agents must be a list, not None"),
    (with_entry(agents=["random", None]), "agents: None is not a text"),
    (with_entry(agents=["random"]), "agents: 1 names for 2 players"),
    (with_entry(agents=["random"] * 3), "agents: 3 names for 2 players"),
    (with_entry(result=[1, 2]), r"result must be an object with scores and ranks, not \[1, 2\]"),
    (with_entry(result={}), r"result must have scores and ranks, not \[\]"),
    (with_entry(result={"scores": [1, 2]}), r"result must have scores and ranks, not \['scores'\]"),
    (with_entry(result={"scores": [], "ranks": [], "x": 1}), "result must have scores and ranks"),
    (with_entry(result={"scores": 3, "ranks": []}), "result scores must be a list, not 3"),
    (with_entry(result={"scores": [1.5], "ranks": []}), "result scores: 1.5 is not a whole number"),
    (with_entry(result={"scores": [1, 2], "ranks": [True, 2]}), "result ranks: True is not a whole number"),
    (with_entry(decks="x"), "decks must be a list, not 'x'"),
    (with_entry(decks={}), "decks must be a list, not {}"),
    (with_entry(decks=["Ansbach"]), "decks: 'Ansbach' is not a list"),
    (with_entry(decks=[["Ansbach", 3]]), "an order of decks: 3 is not a text"),
    (with_entry(game="chess"), "the record cannot be played: there is no game 'chess'"),
    (with_entry(board="tinny"), 'the record cannot be played: no board is called "tinny"'),
    (with_entry(board="x" * 5000), "the record cannot be played: "),
    (with_entry(board="~nobody-of-this-name/x"), "the record cannot be played: "),
    (with_entry(board="\0"), "the record cannot be played: "),
    (with_entry(board="/dev/null"), "the record cannot be played: no board is called"),
    (with_entry(board="."), "the record cannot be played: no board is called"),
    (with_entry(players=1), "the record cannot be played: Thurn und Taxis is for 2 to 4 players, not 1"),
    (with_entry(players=10**40), "the record cannot be played: Thurn und Taxis is for 2 to 4 players"),
    (with_entry(players=-2), "the record cannot be played: Thurn und Taxis is for 2 to 4 players, not -2"),
    # F14: unknown options.
    (with_entry(options={"oxen": True}), "the record cannot be played: unknown option 'oxen'"),
    (with_entry(options={"horses": True}), "the record cannot be played: option horses: the board tiny has no horses"),
    (with_entry(options={"max_round": 9}), "unknown option 'max_round'; did you mean max_rounds?"),
    (with_entry(options={"players": 2}), "'players' is not an option"),
    (with_entry(options={"board": "tiny"}), "'board' is not an option"),
    (with_entry(options={"game": "thurn_und_taxis"}), "'game' is not an option"),
    (with_entry(options={"": 1}), "unknown option ''"),
    (with_entry(options={"max_rounds": "9"}), "option max_rounds must be a whole number, not '9'"),
    (with_entry(options={"max_rounds": [9]}), r"option max_rounds must be a whole number, not \[9\]"),
    (with_entry(options={"optional_houses": 1}), "option optional_houses must be True or False, not 1"),
    (with_entry(options={"optional_houses": None}), "option optional_houses must be True or False"),
]


@pytest.mark.parametrize(("damage", "message"), UNREADABLE)
def test_records_that_cannot_be_read(damage: Damage, message: str) -> None:
    """The error names the source and the entry, and says what it should be."""
    with pytest.raises(RecordError, match=f"^my source: .*{message}"):
        Record.from_json(json.dumps(damage(finished())), "my source")


def test_text_that_is_not_json() -> None:
    with pytest.raises(RecordError, match=r"^record: not JSON: Expecting value \(line 1, column 1\)"):
        Record.from_json("")
    with pytest.raises(RecordError, match=r"^x: not JSON: .* \(line 3, column 1\)"):
        Record.from_json('{\n"format": 3,\n}', "x")
    with pytest.raises(RecordError, match=r"^x: not JSON"):
        Record.from_json(played().to_json()[:-20], "x")
    with pytest.raises(RecordError, match=r"^x: not JSON"):
        Record.from_json('{"players": ' + "9" * 5000 + "}", "x")
    with pytest.raises(RecordError, match=r"^x: a record is a JSON object, not float"):
        Record.from_json("NaN", "x")


def test_nothing_is_said_twice() -> None:
    with pytest.raises(RecordError, match=r"^x: 'seed' is given twice$"):
        Record.from_json('{"game": "thurn_und_taxis", "seed": 1, "seed": 2}', "x")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting(tmp_path: Path, opening: str) -> None:
    text = opening * 200_000
    with pytest.raises(RecordError, match=r"x: (nested too deeply|not JSON)"):
        Record.from_json(text, "x")
    (tmp_path / "file").write_text(f"{text}\n{text}\n")
    with pytest.raises(RecordError, match=r"(nested too deeply|not JSON)"):
        Record.load(tmp_path / "file")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    with pytest.raises(RecordError, match=r"file\.json: there is no such file"):
        Record.load(path)
    with pytest.raises(RecordError, match=f"{tmp_path}: .*directory"):
        Record.load(tmp_path)
    for empty in ("", "\n\n  \n"):
        path.write_text(empty)
        with pytest.raises(RecordError, match=r"file\.json: the file is empty"):
            Record.load(path)
    path.write_bytes(b"{\xff\xfe}")
    with pytest.raises(RecordError, match=r"file\.json: is not UTF-8 text"):
        Record.load(path)
    path.write_bytes(played().to_json().encode("utf-16"))
    with pytest.raises(RecordError, match=r"file\.json: is not UTF-8 text \(byte 0xff at 0\); save it as UTF-8"):
        Record.load(path)


def test_truncated_files(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    text = played().to_json()
    for size in range(1, len(text) - 1, 97):
        path.write_text(text[:size], "utf-8")
        with pytest.raises(RecordError, match=r"file\.json: not JSON: .* \(line 1, column \d+\)"):
            Record.load(path)


def test_damaged_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    good, bad = played().to_json(), json.dumps(without("moves")(finished()))
    path.write_text(f"{good}\n\n{good}\n{bad}\n{good}\n", "utf-8")
    reader = Record.load_all(path)
    assert next(reader) == next(reader) == played()
    with pytest.raises(RecordError, match=r"file\.jsonl, line 4: the record lacks 'moves'"):
        next(reader)
    path.write_text(f"{good}\n{good[:200]}", "utf-8")
    with pytest.raises(RecordError, match=r"file\.jsonl, line 2: not JSON: .*column"):
        list(Record.load_all(path))
    with pytest.raises(RecordError, match=r"file\.jsonl, line 2: not JSON"):
        Record.load(path)


def test_one_record_is_asked_for_and_there_are_several(tmp_path: Path) -> None:
    save_all(tmp_path / "file", [played()] * 3)
    with pytest.raises(RecordError, match=r"file: holds 3 records; give a file with one, or read all"):
        Record.load(tmp_path / "file")


# Writing


def failing(*_: Any, **__: Any) -> Any:
    raise OSError("the disk is full")


@pytest.mark.parametrize("broken", ["renaming", "opening"])
def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """When saving fails, an older file is untouched and nothing else is left behind."""
    path = tmp_path / "file.json"
    played(1).save(path)
    before = path.read_bytes()
    if broken == "renaming":
        monkeypatch.setattr(os, "replace", failing)
        monkeypatch.setattr(Path, "replace", failing)
        monkeypatch.setattr(os, "rename", failing)
        monkeypatch.setattr(Path, "rename", failing)
    else:
        monkeypatch.setattr(os, "fdopen", failing)
        monkeypatch.setattr(Path, "open", failing)
        monkeypatch.setattr("builtins.open", failing)
    for save in (lambda: played(2).save(path), lambda: save_all(path, [played(2)])):
        with pytest.raises(ThurnError, match=r"\.json: cannot be written: the disk is full$"):
            save()
    with pytest.raises(ThurnError, match=r"\.json: cannot be written: the disk is full$"):
        played(2).save(tmp_path / "new.json")
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["file.json"]


def test_text_that_cannot_be_written(tmp_path: Path) -> None:
    """Half of a surrogate pair has no UTF-8 form; that shows only while the file is being written."""
    path = tmp_path / "file.json"
    played(1).save(path)
    for name in ("file.json", "new.json"):
        with pytest.raises(UnicodeEncodeError):
            replace(played(), agents=["\ud800", "b"]).save(tmp_path / name)
    assert Record.load(path) == played(1)
    assert [file.name for file in tmp_path.iterdir()] == ["file.json"]


def test_an_error_while_records_are_made(tmp_path: Path) -> None:
    def broken() -> Any:
        yield played()
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        save_all(tmp_path / "file", broken())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ThurnError, match=r"file\.json: there is no folder .*; create it, or name another one"):
        played().save(tmp_path / "no" / "file.json")


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_saved_files_have_the_usual_mode(tmp_path: Path) -> None:
    """Others may read a record if they may read what other programs write."""
    plain = tmp_path / "plain"
    plain.write_text("")
    played().save(tmp_path / "file.json")
    assert (tmp_path / "file.json").stat().st_mode == plain.stat().st_mode
