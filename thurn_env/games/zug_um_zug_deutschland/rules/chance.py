"""Outcomes of chance in the form of records: read from a state, and written into it when they are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from thurn_env.checks import quoted
from thurn_env.errors import RecordError
from thurn_env.games.board_tables import did_you_mean
from thurn_env.games.contract import Chance, Int8Array
from thurn_env.games.show.words import State, by_name
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.rules.names import LOCOMOTIVE

FORMS: Mapping[str, type] = MappingProxyType(
    {"decks": list, "tickets": dict, "ticket_shuffles": dict, "passengers": dict}
)
"""Keys of records: orders of the train cards; orders of the ticket piles, at the start and after the set-up; and the
passengers by place. All orders begin with the top.
"""
PILES = ("short", "long")
"""The ticket piles."""
NO_ORDER: Int8Array = np.empty(0, np.int8)


def kinds_of(board: Board) -> tuple[str, ...]:
    """Return the names of the train cards, by kind."""
    return (*board.colours, LOCOMOTIVE)


def deck(board: Board, state: State) -> list[str]:
    """Return the deck at its last shuffle: top card first, while the state has the top card last."""
    return [kinds_of(board)[kind] for kind in state["deck"][: state["shuffled_size"]][::-1]]


def piles(board: Board, state: State) -> dict[str, list[str]]:
    """Return the ticket piles, top first."""
    tickets = board.tickets
    return {
        name: [tickets[number].name for number in pile[:size][::-1]]
        for name, pile, size in zip(PILES, state["pile"], state["pile_size"], strict=True)
    }


def placed_passengers(board: Board, state: State) -> dict[str, list[str]]:
    """Return the passengers that wait in every place, without empty places."""
    return {
        place.name: [
            colour for colour, number in by_name(board.passenger_colours, counts).items() for _ in range(number)
        ]
        for place, counts in zip(board.places, state["waiting"], strict=True)
        if counts.any()
    }


def next_deck(board: Board, state: State, given: Chance) -> Int8Array:
    """Return the next given order of the discards, top card last."""
    if not given["decks"]:
        raise RecordError("decks: cards are shuffled here, but the record gives no further order")
    order = given["decks"].pop(0)
    kinds = _numbers("card", order, kinds_of(board))
    discards = {kind: int(number) for kind, number in enumerate(state["discard"]) if number}
    if Counter(kinds) != discards:
        raise RecordError("decks: the order does not hold exactly the cards that were to be shuffled")
    return np.array(kinds[::-1], np.int8)


def put_piles(board: Board, state: State, given: Chance, key: str) -> None:
    """Arrange both ticket piles, which are present in any order, in the given orders."""
    names = [ticket.name for ticket in board.tickets]
    for number, name in enumerate(PILES):
        if name not in given[key]:
            raise RecordError(f"{key}: the record gives no order of the {name} tickets")
        order = _numbers("ticket", given[key].pop(name), names)
        there = [int(ticket) for ticket in state["pile"][number][: state["pile_size"][number]]]
        if sorted(order) != sorted(there):
            raise RecordError(f"{key}: the order of the {name} tickets does not hold exactly those that nobody holds")
        state["pile"][number][: len(order)] = order[::-1]


def put_passengers(board: Board, state: State, given: Chance) -> None:
    """Place the given passengers (G4)."""
    wanted: dict[str, list[str]] = given["passengers"]
    names = [place.name for place in board.places]
    _numbers("place", list(wanted), names)
    state["waiting"][:] = 0
    for number, place in enumerate(board.places):
        there = _numbers("passenger", wanted.pop(place.name, []), board.passenger_colours)
        if len(there) != place.passengers:
            raise RecordError(f"passengers: {place.name} has {len(there)}; it must have {place.passengers}")
        for kind in there:
            state["waiting"][number][kind] += 1
    for colour, total in zip(board.passenger_colours, state["waiting"].sum(axis=0), strict=True):
        if total > board.constants.passengers_per_colour:
            raise RecordError(
                f"passengers: {total} {colour} ones are placed; there are {board.constants.passengers_per_colour}"
            )


def _numbers(thing: str, order: list[str], known: Any) -> list[int]:
    """Return the numbers of names; raise `RecordError` for an unknown one."""
    numbers = {name: number for number, name in enumerate(known)}
    for name in order:
        if name not in numbers:
            raise RecordError(f"there is no {thing} {quoted(name)}{did_you_mean(str(name), known)}")
    return [numbers[name] for name in order]
