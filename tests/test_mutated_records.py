"""Whatever is done to a record, it holds, or an error says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recorded import Data, finished, played
from thurn_env import Record, RecordError
from thurn_env.table.replay import last_position, verify

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
