"""Records: they come back as they were written, replay themselves, and show every damage and every lie."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thurn_env import Game, Record, RecordError, make_rules
from thurn_env.games.thurn_und_taxis.board.shipped import SHIPPED
from thurn_env.players.match import play_scripted
from thurn_env.table.record import save_all
from thurn_env.table.replay import last_position, replay, verify

Data = dict[str, Any]
Damage = Callable[[Data], Any]


@cache
def played(seed: int = 1, players: int = 2, board: str = "tiny") -> Record:
    """A finished game with reshuffles and agents."""
    rules = make_rules("thurn_und_taxis", players, board)
    return play_scripted(rules, ["sensible-random"] * players, seed)


def finished() -> Data:
    """Its record as data, to be damaged."""
    return deepcopy(json.loads(played().to_json()))


def unfinished(moves: int) -> Record:
    """The first moves of the game, recorded as a game under way."""
    record = played()
    game = Game(players=2, board="tiny", seed=1)
    for move in record.moves[:moves]:
        game.play(move)
    return game.record()


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


# Replays


@pytest.mark.parametrize("seed", range(1, 6))
def test_replay_gives_every_position(seed: int) -> None:
    record = played(seed)
    game = Game(players=2, board="tiny", seed=seed)
    positions = list(replay(record))
    assert len(positions) == len(record.moves) + 1
    for number, position in enumerate(positions):
        assert position.public() == game.public()
        assert [position.hand(seat) for seat in range(2)] == [game.hand(seat) for seat in range(2)]
        assert list(position.legal) == list(game.legal)
        if number < len(record.moves):
            game.play(record.moves[number])
    assert positions[-1].over
    assert record.result == {"scores": positions[-1].scores, "ranks": positions[-1].ranks}
    assert last_position(record) == positions[-1]
    assert positions[-1].record(["sensible-random"] * 2) == record
    verify(record)


def test_positions_of_a_replay_are_independent() -> None:
    positions = replay(played())
    first = next(positions)
    first.play("draw")
    second = next(positions)
    assert len(second.moves) == 1
    assert first.moves != second.moves or first.to_bytes() == second.to_bytes()


def test_replaying_leaves_the_record_alone() -> None:
    record = played()
    before = record.to_json()
    verify(record)
    list(replay(record))
    assert record.to_json() == before


def test_options_that_are_not_named_have_their_defaults() -> None:
    data = finished()
    data["options"] = {}
    verify(Record.from_dict(data))


@pytest.mark.parametrize("moves", [0, 1, 17, 60])
def test_unfinished_games(moves: int) -> None:
    """A game under way has a record without result, and only the decks dealt so far."""
    record = unfinished(moves)
    assert record.result is None
    assert "result" not in record.as_dict()
    assert "agents" not in record.as_dict()
    assert Record.from_json(record.to_json()) == record
    verify(record)
    assert len(list(replay(record))) == moves + 1


def test_a_record_does_not_follow_the_game() -> None:
    game = Game(players=2, board="tiny", seed=1)
    record = game.record()
    before = record.to_json()
    while not game.over:
        game.play(int(game.legal_actions[0]))
    assert record.to_json() == before


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes((SHIPPED / "tiny.toml").read_bytes())
    data = {**finished(), "board": str(path)}
    verify(Record.from_dict(data))
    path.unlink()
    with pytest.raises(RecordError, match=r"the record cannot be played: no board is called .*mine.toml"):
        Record.from_dict(data)


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
    (with_entry(options={"players": 2}), "'players' is no option"),
    (with_entry(options={"board": "tiny"}), "'board' is no option"),
    (with_entry(options={"game": "thurn_und_taxis"}), "'game' is no option"),
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
    with pytest.raises(RecordError, match=r"file: holds 3 records; Record.load_all reads several"):
        Record.load(tmp_path / "file")


# Lies that show when a record is replayed


def edited(data: Data, edit: Callable[[Data], object]) -> Record:
    edit(data)
    return Record.from_dict(data)


def first_move_of(kind: str) -> int:
    return next(number for number, move in enumerate(played().moves) if move.startswith(kind))


def swap_cards_in(order: int) -> Callable[[Data], None]:
    """One card too many of one city and one too few of another."""

    def edit(data: Data) -> None:
        deck = data["decks"][order]
        deck[-1] = next(name for name in data["decks"][0] if name != deck[-1])

    return edit


NUMBER_OF_MOVES = "[0-9]+"

LIES: list[tuple[Callable[[Data], object], str]] = [
    (lambda data: data["moves"].__setitem__(4, "fly"), "move 5 of N, 'fly': there is no action 'fly'"),
    (
        lambda data: data["moves"].__setitem__(4, "take Ansbahc"),
        "move 5 of N, 'take Ansbahc': there is no action .*; did you mean 'take Ansbach'",
    ),
    (lambda data: data["moves"].__setitem__(0, "take Basel"), "move 1 of N, 'take Basel': there is no action"),
    (lambda data: data["moves"].__setitem__(0, ""), "move 1 of N, '': there is no action ''"),
    (lambda data: data["moves"].__setitem__(0, "7"), "move 1 of N, '7': there is no action '7'"),
    (
        lambda data: data["moves"].__setitem__(0, "close"),
        "move 1 of N, 'close': 'close' is not legal: draw a card and play a card first. Legal: ",
    ),
    (
        lambda data: data["moves"].insert(2, "administrator"),
        "move 3 of N, 'administrator': 'administrator' is not legal: ",
    ),
    (lambda data: data["moves"].append("draw"), "move (N) of \\1, 'draw': .*not legal: the game is over"),
    (
        lambda data: data.update(unfinished(40).as_dict()),
        "the record has a result, but the game is not over after move 40",
    ),
    (lambda data: data["moves"].clear(), "decks: (N) of N are left over after the last move"),
    (lambda data: data.pop("result"), "the game is over after the last move, but the record has no result"),
    (lambda data: data["result"]["scores"].reverse(), r"result: the scores are \[.*\], the record says \["),
    (lambda data: data["result"]["ranks"].reverse(), r"result: the ranks are \[.*\], the record says \["),
    (lambda data: data["result"]["ranks"].append(3), r"result: the ranks are \[.*\], the record says \["),
    (lambda data: data["result"]["scores"].clear(), r"result: the scores are \[.*\], the record says \[\]"),
    (lambda data: data.update(start_player=2), "start_player must be a seat from 0 to 1, not 2"),
    (lambda data: data.update(start_player=-1), "start_player must be a seat from 0 to 1, not -1"),
    (lambda data: data.update(start_player=10**40), "start_player must be a seat from 0 to 1, not 1000"),
    # F14: the deck orders.
    (lambda data: data["decks"].clear(), "before the first move: decks: cards are shuffled here, but"),
    (
        swap_cards_in(0),
        "before the first move: the deck order does not hold exactly the cards that were to be shuffled",
    ),
    (lambda data: data["decks"][0].pop(), "before the first move: the deck order does not hold exactly"),
    (lambda data: data["decks"][0].clear(), "before the first move: .*empty"),
    (lambda data: data["decks"][0].append("Ansbach"), "before the first move: a deck of 19 cards; the game has 18"),
    (
        lambda data: data["decks"][0].__setitem__(3, "Ansbahc"),
        "before the first move: there is no card 'Ansbahc' on the board tiny; did you mean 'Ansbach'",
    ),
    (lambda data: data["decks"][0].__setitem__(3, ""), "before the first move: there is no card ''"),
    (swap_cards_in(1), "move N of N, '.*': the deck order does not hold exactly the cards"),
    (lambda data: data["decks"][1].pop(), "move N of N, '.*': the deck order does not hold exactly the cards"),
    (lambda data: data["decks"][1].clear(), "move N of N, '.*': .*empty"),
    (lambda data: data["decks"][-1].clear(), "move N of N, '.*': .*empty"),
    (
        lambda data: data["decks"][1].__setitem__(0, "Rom"),
        "move N of N, '.*': there is no card 'Rom' on the board tiny",
    ),
    (lambda data: data["decks"].pop(), "move N of N, '.*': decks: cards are shuffled here, but the record gives no"),
    (lambda data: data["decks"].append([]), "decks: 1 of [0-9]+ are left over after the last move"),
    (
        lambda data: data["decks"].append(data["decks"][0]),
        "decks: 1 of [0-9]+ are left over after the last move",
    ),
    (lambda data: data.update(players=4, agents=[]), "move N of N"),
    (lambda data: data.update(board="small", players=3, agents=[]), "before the first move: "),
    (lambda data: data.update(options={"max_rounds": 3}), "move N of N, '.*': .* is not legal: the game is over"),
]


@pytest.mark.parametrize(("edit", "message"), LIES)
def test_dishonest_records(edit: Callable[[Data], object], message: str) -> None:
    """The error names the move and the reason."""
    record = edited(finished(), edit)
    with pytest.raises(RecordError, match="^" + message.replace("N", NUMBER_OF_MOVES)) as error:
        verify(record)
    for look in (lambda: last_position(record), lambda: list(replay(record))):
        with pytest.raises(RecordError) as again:
            look()
        assert str(again.value) == str(error.value)


def test_the_number_of_the_wrong_move_is_right() -> None:
    """Wherever a move is replaced by one that is not legal, the error names that move, counted from 1."""
    positions = list(replay(played()))
    for number in range(0, len(played().moves), 9):
        data, legal = finished(), positions[number].legal
        data["moves"][number] = next(text for text in positions[number].rules.action_texts if text not in legal)
        with pytest.raises(RecordError, match=f"^move {number + 1} of {len(data['moves'])}, '"):
            verify(Record.from_dict(data))


def test_a_deck_is_named_where_it_is_used() -> None:
    """The reshuffle that does not fit is the one at which the cards run out."""
    shuffles = [int(game.states[0]["shuffles"]) for game in replay(played())]
    shuffled_at = [number for number, (before, after) in enumerate(pairwise(shuffles)) if after > before]
    assert len(shuffled_at) == len(played().chance["decks"]) - 1
    for order, number in enumerate(shuffled_at, start=1):
        with pytest.raises(RecordError, match=f"^move {number + 1} of "):
            verify(edited(finished(), swap_cards_in(order)))


def test_cut_short_but_honest() -> None:
    """Missing moves without a result are a game under way, if the decks fit too."""
    data = finished()
    del data["result"]
    del data["moves"][3:]
    with pytest.raises(RecordError, match="are left over after the last move"):
        verify(Record.from_dict(data))
    del data["decks"][1:]
    verify(Record.from_dict(data))


def test_records_made_by_hand() -> None:
    """A `Record` that was never text is checked too."""
    record = played()
    with pytest.raises(RecordError, match="the record lacks 'decks'"):
        verify(replace(record, chance={}))
    with pytest.raises(RecordError, match="cannot be played"):
        verify(replace(record, players=9))
    with pytest.raises(RecordError, match=r"^move 1 of 1, 'fly'"):
        verify(replace(record, moves=["fly"]))


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
        with pytest.raises(OSError, match="the disk is full"):
            save()
    with pytest.raises(OSError, match="the disk is full"):
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
    with pytest.raises(FileNotFoundError):
        played().save(tmp_path / "no" / "file.json")


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_saved_files_have_the_usual_mode(tmp_path: Path) -> None:
    """Others may read a record if they may read what other programs write."""
    plain = tmp_path / "plain"
    plain.write_text("")
    played().save(tmp_path / "file.json")
    assert (tmp_path / "file.json").stat().st_mode == plain.stat().st_mode


# Fuzz


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from(["draw", "close", "Ansbach", "tiny", "small", "leave", "administrator", "start Ansbach"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)

KEYS = [
    *("format", "game", "board", "options", "players", "start_player", "decks", "moves", "result", "agents"),
    *("scores", "ranks", "optional_houses", "max_rounds", "all_provinces_without_baiern", "chance"),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a JSON value."""
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += places(inner, (*path, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            found += places(inner, (*path, position))
    return found


def mutate(data: Data, draw: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
    """One change somewhere: replaced, removed, doubled, swapped, or added to."""
    # Choosing by depth first lets the few short paths come up as often as the many moves.
    all_places = places(data)
    depth = draw(st.integers(1, max(map(len, all_places))))
    path = draw(st.sampled_from([place for place in all_places if len(place) == depth]))
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    last = path[-1]
    change = draw(st.sampled_from(["replace", "remove", "double", "swap", "add", "renumber"]))
    if change == "remove":
        del parent[last]
    elif change == "double" and isinstance(parent, list):
        parent.insert(last, deepcopy(parent[last]))
    elif change == "swap" and isinstance(parent, list):
        other = draw(st.integers(0, len(parent) - 1))
        parent[last], parent[other] = parent[other], parent[last]
    elif change == "add" and isinstance(parent, dict):
        parent[draw(st.sampled_from(KEYS) | st.text(max_size=5))] = draw(JSON_VALUES)
    elif change == "renumber" and type(parent[last]) is int:
        parent[last] += draw(st.integers(-3, 3))
    else:
        parent[last] = draw(JSON_VALUES)
    return data


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_mutated_records_are_refused_or_true(data: st.DataObject) -> None:
    """Whatever is done to a record, it is a record that holds, or a `RecordError` says why not."""
    mutated: Any = finished()
    for _ in range(data.draw(st.integers(1, 3))):
        if not isinstance(mutated, dict) or not mutated:
            break
        mutated = mutate(mutated, data.draw)
    with suppress(RecordError):
        record = Record.from_json(json.dumps(mutated))
        verify(record)
        assert Record.from_json(record.to_json()) == record
        assert last_position(record).record(record.agents).moves == record.moves


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 10**6), st.integers(0, 40))
def test_damaged_bytes_are_refused_or_true(noise: bytes, place: int, cut: int) -> None:
    """Bytes overwritten, added or lost in a text."""
    raw = played().to_json().encode()
    at = place % len(raw)
    damaged = raw[:at] + noise + raw[at + cut :]
    with suppress(UnicodeDecodeError, RecordError):
        verify(Record.from_json(damaged.decode()))


@settings(max_examples=200, deadline=None)
@given(JSON_VALUES)
def test_any_json_is_refused(value: Any) -> None:
    with pytest.raises(RecordError):
        Record.from_json(json.dumps(value))
