"""Records of the second game: there and back, and what is said of damaged and dishonest ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.zug_um_zug.positions import GAME
from thurn_env import Game, Record, RecordError, make_rules
from thurn_env.players.match import play_scripted
from thurn_env.table.replay import last_position, verify

Data = dict[str, Any]
BOTS = ["sensible-random", "random", "greedy"]


@cache
def played() -> Record:
    """A whole game with several reshuffles."""
    return play_scripted(make_rules(GAME, 3, "tiny_rails"), BOTS, 11)


def finished() -> Data:
    return deepcopy(played().as_dict())


def test_the_format() -> None:
    data = finished()
    assert list(data) == [
        "format",
        "game",
        "board",
        "options",
        "players",
        "start_player",
        "decks",
        "tickets",
        "ticket_shuffles",
        "passengers",
        "moves",
        "result",
        "agents",
    ]
    assert data["format"] == "thurn-record/1"
    assert data["game"] == GAME
    assert data["options"] == {"max_rounds": 200}
    assert set(data["tickets"]) == set(data["ticket_shuffles"]) == {"short", "long"}
    assert len(data["tickets"]["short"]) == 10
    assert data["passengers"]["Hof"] == sorted(data["passengers"]["Hof"], key=["white", "black"].index)
    assert sum(map(len, data["passengers"].values())) == 10
    assert len(data["decks"]) > 1
    assert data["agents"] == BOTS


def test_the_page_on_records_names_every_entry() -> None:
    """Other programs replay records by that page and the rules."""
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
    assert [key for key in finished() if f"- `{key}`:" not in page] == []


def test_there_and_back(tmp_path: Path) -> None:
    record = played()
    verify(record)
    assert Record.from_json(record.to_json()) == record
    record.save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json") == record
    assert last_position(record).record(record.agents) == record


def test_native_play_records_what_game_does() -> None:
    """Bots in one kernel, and the same bots asked one by one, make the same record."""
    rules = make_rules(GAME, 3, "tiny_rails")
    record = play_scripted(rules, BOTS, 11)
    game = Game.from_rules(rules, 11)
    for move in record.moves:
        game.play(move)
    assert game.record(BOTS) == record


@pytest.mark.parametrize("moves", [0, 2, 5, 12, 30])
def test_unfinished_games(moves: int) -> None:
    """In the set-up the piles are not shuffled again yet, and the record says so."""
    game = Game(3, "tiny_rails", 11, game=GAME)
    for move in played().moves[:moves]:
        game.play(move)
    record = game.record()
    verify(record)
    assert Record.from_json(record.to_json()) == record
    assert bool(record.chance["ticket_shuffles"]) == (not game.public()["setting_up"])


def test_records_made_by_hand() -> None:
    """Passengers may be listed in any order; moves are exact."""
    data = finished()
    data["passengers"] = {place: there[::-1] for place, there in reversed(data["passengers"].items())}
    verify(Record.from_dict(data))
    data["moves"][0] += " "
    with pytest.raises(RecordError, match=r"^move 1 of [0-9]+, '.* ': there is no action '.* '; did you mean"):
        verify(Record.from_dict(data))


N = "[0-9]+"
ADDITIONAL_TICKET = "Fulda-Hof"


def edit(*keys: Any) -> Callable[[Any], Callable[[Data], None]]:
    """Set what lies at the end of a path."""

    def set_to(value: Any) -> Callable[[Data], None]:
        def change(data: Any) -> None:
            for key in keys[:-1]:
                data = data[key]
            data[keys[-1]] = value

        return change

    return set_to


def swap(key: str, pile: str) -> Callable[[Data], None]:
    """Put a long ticket into the place of a short one, or the other way."""

    def change(data: Data) -> None:
        other = "long" if pile == "short" else "short"
        data[key][pile][0] = data[key][other][0]

    return change


LIES: list[tuple[Callable[[Data], object], str]] = [
    (edit("moves", 0)("long 9"), "move 1 of N, 'long 9': there is no action 'long 9'"),
    (edit("moves", 0)("draw"), "move 1 of N, 'draw': 'draw' is not legal: another decision comes first"),
    (edit("decks")([]), "before the first move: decks: cards are shuffled here, but the record gives no further order"),
    (edit("decks", 0, 0)("pink"), "before the first move: there is no card 'pink'"),
    (
        edit("decks", 0, 0)("locomotiv"),
        "before the first move: there is no card 'locomotiv'; did you mean \"locomotive",
    ),
    (lambda data: data["decks"][0].pop(), "before the first move: decks: the order does not hold exactly the cards"),
    (lambda data: data["decks"][1].append("red"), "move N of N, '.*': decks: the order does not hold exactly"),
    (lambda data: data["decks"].pop(), "move N of N, '.*': decks: cards are shuffled here"),
    (lambda data: data["decks"].append(["red"]), "decks: 1 of N are left over after the last move"),
    (lambda data: data["tickets"].pop("long"), "before the first move: tickets: the record gives no order of the long"),
    (swap("tickets", "short"), "before the first move: tickets: the order of the short tickets does not hold exactly"),
    (edit("tickets", "short", 0)("Rom-Hof"), "before the first move: there is no ticket 'Rom-Hof'"),
    (edit("tickets", "middle")([]), "tickets: 1 of 3 are left over after the last move"),
    (swap("ticket_shuffles", "long"), "move N of N, '.*': ticket_shuffles: the order of the long tickets"),
    (edit("ticket_shuffles")({}), "move N of N, '.*': ticket_shuffles: the record gives no order of the short"),
    (edit("passengers")({}), "before the first move: passengers: Fulda has 0; it must have 1"),
    (edit("passengers", "Rom")(["white"]), "before the first move: there is no place 'Rom'"),
    (edit("passengers", "Hof")(["white"]), "before the first move: passengers: Hof has 1; it must have 2"),
    (edit("passengers", "Hof")(["white", "pink"]), "before the first move: there is no passenger 'pink'"),
    (
        lambda data: data["passengers"].update({place: ["white"] * len(p) for place, p in data["passengers"].items()}),
        "before the first move: passengers: 10 white ones are placed; there are 5",
    ),
    (lambda data: data["result"]["scores"].reverse(), r"result: the scores are \[.*\], the record says \["),
    (lambda data: data["moves"].append("pass"), "move N of N, 'pass': 'pass' is not legal: the game is over"),
    (edit("options")({"max_rounds": 2}), "move N of N, '.*' is not legal: the game is over"),
    (edit("start_player")(3), "start_player must be a seat from 0 to 2, not 3"),
    (edit("board")("germany"), "before the first move: there is no place"),
]


@pytest.mark.parametrize(("change", "message"), LIES)
def test_dishonest_records(change: Callable[[Data], object], message: str) -> None:
    """The error names the move and the reason."""
    data = finished()
    change(data)
    record = Record.from_dict(data)
    with pytest.raises(RecordError, match="^" + message.replace("N", N)):
        verify(record)


DAMAGE: list[tuple[Callable[[Data], object], str]] = [
    (lambda data: data.pop("tickets"), "the record lacks 'tickets'"),
    (lambda data: data.pop("passengers"), "the record lacks 'passengers'"),
    (edit("tickets")([]), r"tickets must be an object of lists, not \[\]"),
    (edit("tickets", "short")("Fulda-Hof"), "tickets: short must be a list"),
    (edit("tickets", "short", 0)(7), "tickets: short: 7 is not a text"),
    (edit("passengers")("none"), "passengers must be an object of lists"),
    (edit("decks")({}), r"decks must be a list, not \{\}"),
    (edit("decks", 0)("red"), "decks: 'red' is not a list"),
    (edit("horses")([]), "unknown entry 'horses'"),
    (edit("game")("zug_um_zug"), "there is no game 'zug_um_zug'"),
    (edit("players")(6), "2 to 5 players, not 6"),
    (edit("options")({"horses": True}), "unknown option 'horses'"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGE)
def test_records_that_cannot_be_read(change: Callable[[Data], object], message: str) -> None:
    data = finished()
    change(data)
    with pytest.raises(RecordError, match=message):
        Record.from_dict(data)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["draw", "Hof", "white", "red"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_mutated_records_are_refused_or_true(data: st.DataObject) -> None:
    """Whatever is done to a record, it is a record that holds, or a `RecordError` says why not."""
    mutated: Any = finished()
    parent, last = mutated, data.draw(st.sampled_from(sorted(mutated)))
    while isinstance(parent[last], dict | list) and parent[last] and data.draw(st.booleans()):
        parent = parent[last]
        inner = sorted(parent) if isinstance(parent, dict) else range(len(parent))
        last = data.draw(st.sampled_from(inner))
    if data.draw(st.booleans()):
        parent[last] = data.draw(JSON_VALUES)
    else:
        del parent[last]
    with suppress(RecordError):
        record = Record.from_json(json.dumps(mutated))
        verify(record)
        assert Record.from_json(record.to_json()) == record
