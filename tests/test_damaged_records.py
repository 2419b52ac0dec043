"""Damaged records of both games: each is refused in one short sentence, or what was damaged does not matter."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from thurn_env import Game, Record, RecordError, make_rules
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.players.match import play_scripted
from thurn_env.table.replay import last_position, replay, verify

LONGEST_SENTENCE = 400
Damage = Callable[[Random, Any, Any], None]
"""Changes what lies in a list or an object at an index or under a key."""


@cache
def played(kind: str) -> Record:
    """A finished game; on a board that does not come with the package, if the kind says so."""
    if kind == "zug_um_zug_deutschland":
        rules = make_rules(kind, 3, "tiny_rails")
    else:
        facts = load_board("tiny")
        rules = make_rules("thurn_und_taxis", 2, facts if kind == "thurn_und_taxis" else renamed())
    return play_scripted(rules, ["sensible-random"] * rules.players, 11)


@cache
def renamed() -> Any:
    from dataclasses import replace

    return replace(load_board("tiny"), name="My board")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object in a JSON value with every index or key of it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [found for key in keys for found in [(value, key), *places(value[key])]]


def delete(_: Random, parent: Any, key: Any) -> None:
    del parent[key]


def duplicate(_: Random, parent: Any, key: Any) -> None:
    if isinstance(parent, list):
        parent.insert(key, deepcopy(parent[key]))
    else:
        parent[f"{key}{key}"] = deepcopy(parent[key])


def swap(random: Random, parent: Any, key: Any) -> None:
    other = random.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    parent[key], parent[other] = parent[other], parent[key]


def another_type(random: Random, parent: Any, key: Any) -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    strange: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "", "x" * 9000, "\ud800", "a\nb")
    parent[key] = deepcopy(random.choice((*strange, [], {}, [[]], {"": []}, deep, ["y"] * 5000)))


def another_text(random: Random, parent: Any, key: Any) -> None:
    """Nearly the same text, or number."""
    value = parent[key]
    if isinstance(value, str):
        parent[key] = random.choice(
            (f"{value} ", f" {value}", f"{value}\n", value.upper(), value[1:], value.replace(" ", "  "), value * 500)
        )
    elif type(value) is int:
        parent[key] = value + random.choice((-1, 1, 1000))


def another_key(random: Random, parent: Any, key: Any) -> None:
    if isinstance(parent, dict):
        parent[random.choice((f"{key} ", key.upper(), key * 500, ""))] = parent.pop(key)


def truncate(_: Random, parent: Any, key: Any) -> None:
    if isinstance(parent, list):
        del parent[key:]


DAMAGES: tuple[Damage, ...] = (delete, duplicate, swap, another_type, another_text, another_key, truncate)
KINDS = ("thurn_und_taxis", "a board of one's own", "zug_um_zug_deutschland")


def refused(data: Any) -> str:
    """Why a record is refused; empty if it holds."""
    try:
        verify(Record.from_json(json.dumps(data), "file.json"))
    except RecordError as error:
        return str(error)
    return ""


def canonical(chance: Any) -> Any:
    """Outcomes of chance without the order of passengers, which does not matter."""
    waiting = {place: sorted(there) for place, there in chance.get("passengers", {}).items() if there}
    return chance | {"passengers": waiting}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damage_is_refused_in_a_sentence_or_harmless(kind: str, damage: Damage) -> None:
    random = Random(f"{kind} {damage.__name__}")
    whole = played(kind).as_dict()
    for _ in range(40):
        data = deepcopy(whole)
        # The few entries near the top are damaged as often as the many moves and cards.
        depth = random.randrange(3)
        found = places(data)
        chosen = [place for place in found if place[0] is data] if depth == 0 else found
        damage(random, *random.choice(chosen))
        refusal = refused(data)
        assert len(refusal) <= LONGEST_SENTENCE, refusal
        assert not refusal or refusal.isprintable(), refusal
        if not refusal:
            record = Record.from_json(json.dumps(data))
            again = last_position(record).record(record.agents)
            assert (again.moves, again.result) == (record.moves, record.result)
            assert canonical(again.chance) == canonical(record.chance)


@pytest.mark.parametrize("kind", KINDS)
def test_truncated_texts(kind: str) -> None:
    text = played(kind).to_json()
    for size in range(0, len(text) - 1, len(text) // 60):
        with pytest.raises(RecordError) as refused:
            Record.from_json(text[:size], "file.json")
        assert len(str(refused.value)) <= LONGEST_SENTENCE


@pytest.mark.parametrize("kind", KINDS)
def test_every_illegal_move_is_refused_in_a_sentence(kind: str) -> None:
    """With many legal actions in a position a message names ten at most, and how many more there are."""
    record = played(kind)
    for number, game in enumerate(replay(record)):
        if number % 12:
            continue
        legal = set(game.legal)
        for text in game.rules.action_texts[:: max(1, len(game.rules.action_texts) // 40)]:
            if text not in legal:
                with pytest.raises(RecordError) as refused:
                    verify(
                        Record.from_dict(
                            record.as_dict() | {"moves": [*record.moves[:number], text, *record.moves[number:]]}
                        )
                    )
                sentence = str(refused.value)
                assert sentence.startswith(f"move {number + 1} of ")
                assert len(sentence) <= LONGEST_SENTENCE, sentence
                break


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "south"), ("zug_um_zug_deutschland", "germany")])
def test_a_refusal_names_ten_legal_actions_at_most(game: str, board: str) -> None:
    rules = make_rules(game, 2, board)
    position = Game.from_rules(rules, 1)
    random, most = Random(1), 0
    while not position.over:
        legal = list(position.legal)
        wrong = next(text for text in rules.action_texts if text not in legal)
        with pytest.raises(ValueError, match="is not legal") as refused:
            position.play(wrong)
        named = str(refused.value).partition(". Legal: ")[2]
        first, _, rest = named.partition(" and ")
        assert first.split(", ") == legal[: first.count(", ") + 1]
        assert first.count(", ") + 1 <= 10
        assert rest == (f"{len(legal) - first.count(', ') - 1} more" if rest else "")
        assert bool(rest) == (len(legal) > first.count(", ") + 1)
        assert len(str(refused.value)) <= LONGEST_SENTENCE - 60
        most = max(most, len(legal))
        position.play(random.choice(legal))
    assert most > 10, "no position had more legal actions than a message names"


EXACT = {
    "thurn_und_taxis": [("moves", 0), ("decks", 0, 0), ("game",), ("board",), ("format",)],
    "zug_um_zug_deutschland": [
        *(("moves", 0), ("decks", 0, 0), ("game",), ("board",), ("format",)),
        *(("tickets", "short", 0), ("ticket_shuffles", "long", 0), ("passengers", "Hof", 0)),
    ],
}


@pytest.mark.parametrize(("kind", "path"), [(kind, path) for kind, paths in EXACT.items() for path in paths])
def test_texts_are_exact(kind: str, path: tuple[Any, ...]) -> None:
    """People may type blanks; a record must not hold them."""
    for change in ("{} ", " {}", "{}\n", "{}\u00a0"):
        data: Any = json.loads(played(kind).to_json())
        *front, last = path
        parent = data
        for key in front:
            parent = parent[key]
        parent[last] = change.format(parent[last])
        with pytest.raises(RecordError):
            verify(Record.from_dict(data))


@pytest.mark.parametrize("kind", ["thurn_und_taxis", "zug_um_zug_deutschland"])
def test_keys_and_options_are_exact(kind: str) -> None:
    whole = played(kind).as_dict()
    for key in whole:
        data = {f"{name} " if name == key else name: value for name, value in whole.items()}
        with pytest.raises(RecordError):
            verify(Record.from_dict(data))
    with pytest.raises(RecordError, match=r"unknown option 'max_rounds '; did you mean max_rounds\?"):
        Record.from_dict(whole | {"options": {"max_rounds ": 200}})


def test_letters_taken_apart_are_the_same_letters() -> None:
    """Editors and file systems write an ö as an o and two dots; what is read has the canonical letters."""
    record = played("thurn_und_taxis")
    apart = unicodedata.normalize("NFD", record.to_json())
    assert apart != record.to_json()
    assert Record.from_json(apart) == record


def test_names_of_agents_are_text() -> None:
    """Half characters, which no file and no terminal takes, are refused; all else is a name."""
    data = played("thurn_und_taxis").as_dict()
    with pytest.raises(RecordError, match=r"agents: '\\ud800' is not Unicode text"):
        Record.from_json(json.dumps(data | {"agents": ["\ud800", "b"]}))
    assert Record.from_dict(data | {"agents": ["Žofie 🏇", ""]}).agents == ["Žofie 🏇", ""]
