"""Two small boards made for the oracle, and positions on them, for its tests.

The one is a line of six cities, ``Aa-Ab-Ac-Ba-Bb-Ca``, in provinces A, B and C; the display has 3 slots.
The other has free cities and horses: ``Aa-Ab-Fa-Ba-Bb-Fb-Ca-Cb-Cc``, where Fa and Fb are free.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from tests.oracle import Oracle

CITIES = ["Aa", "Ab", "Ac", "Ba", "Bb", "Ca"]

BOARD: dict[str, Any] = {
    "roads": [["Aa", "Ab"], ["Ab", "Ac"], ["Ac", "Ba"], ["Ba", "Bb"], ["Bb", "Ca"]],
    "constants": {
        "houses_per_player": 6,
        "copies_per_city": 3,
        "display_size": 3,
        "minimum_route": 3,
        "hand_limit": 3,
        "cartwright_reach": 2,
    },
    "provinces": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
    "cities": [{"name": city, "province": city[0].upper()} for city in CITIES],
    "stacks": [
        {"name": "five", "kind": "distance", "length": 5, "values": [4]},
        {"name": "four", "kind": "distance", "length": 4, "values": [3, 2]},
        {"name": "A", "kind": "provinces", "provinces": ["A"], "values": [4, 3]},
        {"name": "B and C", "kind": "provinces", "provinces": ["B", "C"], "values": [3]},
        {"name": "all", "kind": "all_provinces", "first_edition_without": "A", "values": [6, 5]},
        {"name": "end", "kind": "game_end", "values": [1]},
    ],
    "carriages": [{"length": 3, "points": 2}, {"length": 4, "points": 3}, {"length": 6, "points": 9}],
}


NORTH_CITIES = ["Aa", "Ab", "Fa", "Ba", "Bb", "Fb", "Ca", "Cb", "Cc"]

NORTH: dict[str, Any] = {
    "roads": [[*pair, "reconstructed"] for pair in pairwise(NORTH_CITIES)],
    "constants": {**BOARD["constants"], "houses_per_player": 7, "status": {"hand_limit": "confirmed"}},
    "horses": {"own": 2, "most_cards": 6, "status": {"own": "confirmed"}},
    "provinces": BOARD["provinces"],
    "cities": [
        {"name": "Aa", "province": "A", "horses": [1, 2, 3]},
        {"name": "Ab", "province": "A", "horses": [1, 2, 3]},
        {"name": "Fa", "horses": [1, 2, 3]},
        {"name": "Ba", "province": "B", "horses": [1, 2, 3]},
        {"name": "Bb", "province": "B", "horses": [1, 2, 3], "status": {"name": "confirmed"}},
        {"name": "Fb", "horses": [1, 2, 3]},
        {"name": "Ca", "province": "C", "horses": [1, 2, 3]},
        {"name": "Cb", "province": "C", "horses": [1, 2, 3]},
        {"name": "Cc", "province": "C", "horses": [2, 2], "copies": 2},
    ],
    "stacks": [
        {"name": "eight", "kind": "distance", "length": 8, "values": [5]},
        {"name": "seven", "kind": "distance", "length": 7, "values": [4]},
        {"name": "six", "kind": "distance", "length": 6, "values": [3]},
        {"name": "five", "kind": "distance", "length": 5, "values": [2]},
        {"name": "A", "kind": "provinces", "provinces": ["A"], "values": [4, 3]},
        {"name": "B and C", "kind": "provinces", "provinces": ["B", "C"], "values": [3]},
        {"name": "all", "kind": "all_provinces", "values": [6, 5]},
        {"name": "Fa", "kind": "free_city", "city": "Fa", "values": [1]},
        {"name": "Fb", "kind": "free_city", "city": "Fb", "values": [1]},
        {"name": "end", "kind": "game_end", "values": [1]},
    ],
    "carriages": BOARD["carriages"],
}

THROUGH_BOTH = ["Ab", "Fa", "Ba", "Bb", "Fb"]
"""A route with one city of A, two of B and both free cities."""


def all_cards(board: dict[str, Any], horses: bool = False) -> list[str]:
    """Name all cards of a board, in board order."""
    if horses:
        return [f"{city['name']}/{number}" for city in board["cities"] for number in city["horses"]]
    return [city["name"] for city in board["cities"] for _ in range(city.get("copies", 3))]


def deck(*first: str, board: dict[str, Any] = BOARD, horses: bool = False) -> list[str]:
    """Build a whole deck that begins with the given cards; the rest follows in board order."""
    rest = Counter(all_cards(board, horses))
    rest.subtract(first)
    return [*first, *rest.elements()]


def play(oracle: Oracle, moves: str) -> None:
    """Play moves that are separated by commas."""
    for move in moves.split(","):
        oracle.play(move.strip())


def restart(oracle: Oracle) -> None:
    """Begin the start player's turn again, after a test has arranged the position."""
    oracle._course = oracle._game()
    oracle._advance(None)


def closing(
    route: list[str],
    *,
    board: dict[str, Any] = BOARD,
    hand: tuple[str, ...] = ("Aa",),
    houses: tuple[str, ...] = (),
    houses_left: int | None = None,
    carriages: int = 0,
    options: dict[str, Any] | None = None,
) -> Oracle:
    """Arrange seat 0 to draw a card, add the last city of ``route`` on the right, and close."""
    oracle = Oracle(board, 2, 0, [deck("Ca", "Ca", "Ca", "Aa", "Aa", "Aa", board=board)], options)
    player = oracle._players[0]
    player.hand = [*hand, route[-1]]
    player.route = route[:-1]
    player.houses = set(houses)
    player.houses_left -= len(houses)
    if houses_left is not None:
        player.houses_left = houses_left
    player.carriages = carriages
    restart(oracle)
    play(oracle, f"draw, right {route[-1]}, close")
    return oracle


def tiles(oracle: Oracle) -> list[tuple[str, int]]:
    """The tiles of seat 0, in the order in which they were taken."""
    return [(tile["stack"], tile["value"]) for tile in oracle.public()["players"][0]["tiles"]]


def with_horses(
    *hand: str,
    route: tuple[str, ...] = (),
    harnessed: tuple[str, ...] = (),
    houses_left: int = 7,
    options: dict[str, Any] | None = None,
) -> Oracle:
    """Arrange the start of seat 0's turn on the northern board; Aa/1, Aa/2 and Aa/3 are face up."""
    oracle = Oracle(NORTH, 2, 0, [deck(board=NORTH, horses=True)], {"horses": True, **(options or {})})
    player = oracle._players[0]
    player.hand = list(hand)
    player.route = list(route)
    player.harnessed = list(harnessed)
    player.houses_left = houses_left
    restart(oracle)
    return oracle
