"""Hand-checked positions for the oracle itself, on two small boards made for it.

The one is a line of six cities, ``Aa-Ab-Ac-Ba-Bb-Ca``, in provinces A, B and C; the display has 3 slots.
The other has free cities and horses: ``Aa-Ab-Fa-Ba-Bb-Fb-Ca-Cb-Cc``, where Fa and Fb are free.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle import Oracle, OracleError

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


def test_empty_hand_forces_the_postmaster() -> None:
    """R1, R5, R6, F2: the second draw is compulsory; slots are refilled at once; no carrier afterwards."""
    oracle = Oracle(BOARD, 2, 1, [deck("Aa", "Ab", "Ab", "Ca", "Ac")])
    assert oracle.seat == 1
    assert oracle.legal() == {"take Aa", "take Ab", "draw"}
    oracle.play("take Ab")
    assert oracle.public()["display"] == ["Aa", "Ca", "Ab"]
    assert oracle.legal() == {"take Aa", "take Ab", "take Ca", "draw"}
    oracle.play("draw")
    assert oracle.hand(1) == {"Ab": 1, "Ac": 1}
    assert oracle.legal() == {"start Ab", "start Ac"}
    oracle.play("start Ab")
    assert oracle.legal() == {"end"}
    oracle.play("end")
    assert oracle.seat == 0


def test_one_official_a_turn() -> None:
    """R4, R5, R7, R12, R13: each official shuts out the others; one card is extended on the right only."""

    def second_turn() -> Oracle:
        oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac", "Ba", "Ca", "Ba", "Ba")])
        play(oracle, "take Aa, take Ab, start Aa, end, draw, draw, start Ba, end")
        assert oracle.legal() == {"administrator", "draw", "take Ac", "take Ba", "take Ca"}
        return oracle

    oracle = second_turn()
    oracle.play("administrator")
    assert oracle.public()["discard"] == {"Ac": 1, "Ba": 1, "Ca": 1}
    assert "administrator" not in oracle.legal()
    oracle.play("draw")
    assert oracle.legal() == {"start Ab", "right Ab"}
    oracle.play("right Ab")
    assert oracle.legal() == {"end"}

    oracle = second_turn()
    oracle.play("take Ac")
    assert {"start Ab", "right Ab", "start Ac", "draw"} <= oracle.legal()
    oracle.play("draw")
    assert oracle.legal() == {"start Aa", "start Ab", "right Ab", "start Ac"}

    oracle = second_turn()
    play(oracle, "take Ac, right Ab")
    assert oracle.legal() == {"right Ac", "end"}
    oracle.play("right Ac")
    assert oracle.legal() == {"end", "close"}


def test_giving_up_a_route() -> None:
    """R12, R13: the old route is discarded, and the carrier may extend the new one."""
    oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac")])
    oracle._players[0].hand = ["Bb", "Ba"]
    oracle._players[0].route = ["Aa", "Ab"]
    restart(oracle)
    play(oracle, "take Ac, start Bb")
    assert oracle.public()["discard"] == {"Aa": 1, "Ab": 1}
    assert oracle.legal() == {"right Ba", "end"}


def test_spread_asks_province_by_province() -> None:
    """R16, R21, F6, F10: board order, single candidates too; then tiles, carriage and the end of the turn."""
    oracle = closing(["Ca", "Bb", "Ba", "Ac", "Ab"])
    assert oracle.legal() == {"spread", "fill A", "fill B", "fill C"}
    oracle.play("spread")
    assert oracle.legal() == {"house Ab", "house Ac"}
    oracle.play("house Ac")
    assert oracle.legal() == {"house Ba", "house Bb"}
    oracle.play("house Bb")
    assert oracle.legal() == {"house Ca"}
    oracle.play("house Ca")
    assert oracle.seat == 1
    mine = oracle.public()["players"][0]
    assert mine["houses"] == ["Ac", "Bb", "Ca"]
    assert mine["tiles"] == [{"stack": "five", "value": 4}, {"stack": "all", "value": 6}]
    assert (mine["carriage"], mine["houses_left"], mine["route"]) == (3, 3, [])
    assert oracle.scores() == [2 + 4 + 6 - 3, -6]


def test_fill_places_all_and_spread_is_left_out_for_one_candidate() -> None:
    """R16, R17, F5, F7, R23: own cities are passed over; with no candidate there is no question (R20)."""
    oracle = closing(["Aa", "Ab", "Ac"])
    assert oracle.legal() == {"spread", "fill A"}
    oracle.play("fill A")
    assert oracle.public()["players"][0]["tiles"] == [{"stack": "A", "value": 4}]
    assert closing(["Aa", "Ab", "Ac"], houses=("Aa", "Ac")).legal() == {"fill A"}
    assert closing(["Aa", "Ab", "Ac"], houses=("Aa", "Ab", "Ac")).seat == 1


def test_houses_run_short() -> None:
    """R19, R27, F6, F7, F10: questions are over all that is unserved; the last house takes the end tile."""
    oracle = closing(["Ca", "Bb", "Ba", "Ac", "Ab"], houses_left=2)
    oracle.play("spread")
    assert oracle.legal() == {"house Ab", "house Ac", "house Ba", "house Bb", "house Ca"}
    oracle.play("house Ba")
    assert oracle.legal() == {"house Ab", "house Ac", "house Ca"}
    oracle.play("house Ca")
    assert oracle.public()["players"][0]["tiles"] == [
        {"stack": "end", "value": 1},
        {"stack": "five", "value": 4},
    ]

    oracle = closing(["Aa", "Ab", "Ac"], houses_left=1)
    oracle.play("fill A")
    assert oracle.legal() == {"house Aa", "house Ab", "house Ac"}
    oracle.play("house Ab")
    assert (oracle.seat, oracle.public()["players"][0]["houses"]) == (1, ["Ab"])


def test_optional_houses() -> None:
    """R18, F7, F8: leave skips one city or province, or ends the placing when houses run short."""
    option = {"optional_houses": True}
    oracle = closing(["Aa", "Ab", "Ac"], options=option)
    oracle.play("fill A")
    assert oracle.legal() == {"house Aa", "leave"}
    oracle.play("leave")
    assert oracle.legal() == {"house Ab", "leave"}
    play(oracle, "house Ab, leave")
    assert oracle.public()["players"][0]["houses"] == ["Ab"]

    oracle = closing(["Aa", "Ab", "Ac", "Ba"], options=option)
    play(oracle, "spread, leave")
    assert oracle.legal() == {"house Ba", "leave"}

    oracle = closing(["Aa", "Ab", "Ac", "Ba"], options=option, houses_left=1)
    play(oracle, "spread, leave")
    assert oracle.seat == 1


def test_cartwright_and_discard() -> None:
    """R24-R26, F10: asked when one or two short and no official helped; then down to three cards."""
    oracle = closing(["Aa", "Ab", "Ac", "Ba"], carriages=2, hand=("Ca", "Ca", "Bb", "Bb"))
    oracle.play("fill B")
    assert oracle.legal() == {"cartwright", "decline"}
    oracle.play("cartwright")
    mine = oracle.public()["players"][0]
    assert mine["carriage"] == 6
    assert mine["tiles"] == [{"stack": "four", "value": 3}, {"stack": "end", "value": 1}]
    assert oracle.public()["discard"] == {"Aa": 1, "Ab": 1, "Ac": 1, "Ba": 1}
    assert oracle.legal() == {"discard Aa", "discard Bb", "discard Ca"}
    play(oracle, "discard Ca, discard Ca")
    assert (oracle.seat, oracle.hand(0)) == (1, {"Aa": 1, "Bb": 2})

    three_short = closing(["Aa", "Ab", "Ac"], carriages=2)
    three_short.play("fill A")
    assert three_short.seat == 1


def test_distance_stack_falls_through() -> None:
    """R22: an empty stack is replaced by the next lower one with tiles."""
    oracle = closing(["Aa", "Ab", "Ac", "Ba", "Bb"])
    oracle._tiles_left["five"] = []
    oracle.play("fill B")
    assert oracle.public()["players"][0]["tiles"] == [{"stack": "four", "value": 3}]


def test_all_provinces_of_the_first_edition() -> None:
    """R21: with the option one named province is not needed."""
    for option, tiles in ((False, []), (True, [{"stack": "all", "value": 6}])):
        oracle = closing(["Ba", "Bb", "Ca"], options={"all_provinces_without_baiern": option})
        play(oracle, "spread, house Ba, house Ca")
        assert oracle.public()["players"][0]["tiles"] == tiles


def test_reshuffle_as_soon_as_the_deck_is_empty() -> None:
    """R8, R9, F3: the last deck card is drawn, then the pile is shuffled; orders must fit the pile."""

    def nearly_empty(order: list[str]) -> Oracle:
        oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac"), order])
        oracle._deck = ["Ba"]
        oracle._pile = ["Ca", "Bb"]
        return oracle

    oracle = nearly_empty(["Bb", "Ca"])
    oracle.play("take Ab")
    assert oracle.public()["display"] == ["Aa", "Ba", "Ac"]
    assert (oracle.public()["deck_size"], oracle.public()["discard"], oracle.decks_left) == (2, {}, 0)
    play(oracle, "draw, start Ab, end")
    assert oracle.hand(0) == {"Bb": 1}
    oracle.play("take Aa")
    assert oracle.public()["display"] == ["Ca", "Ba", "Ac"]
    assert oracle.public()["deck_size"] == 0
    oracle.play("take Ba")
    assert oracle.public()["display"] == ["Ca", None, "Ac"]
    with pytest.raises(OracleError, match="permutation"):
        nearly_empty(["Bb", "Bb"]).play("draw")


def test_nothing_to_draw_and_nothing_to_play() -> None:
    """R9, F4: the draw is skipped; without a card in hand the play is skipped too."""
    oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac")])
    oracle._display = [None, None, None]
    oracle._deck = []
    oracle._players[0].route = ["Aa", "Ab", "Ac"]
    oracle._players[1].hand = ["Ba", "Bb"]
    restart(oracle)
    assert oracle.legal() == {"end", "close"}
    oracle.play("end")
    assert oracle.legal() == {"start Ba", "start Bb"}
    oracle.play("start Ba")
    assert oracle.legal() == {"right Bb", "end"}


def test_end_of_the_game() -> None:
    """R28-R30, F13: the round is finished; ties go clockwise from the holder, or are shared without one."""
    oracle = Oracle(BOARD, 3, 1, [deck()], {"max_rounds": 1})
    whole_round = ", ".join(f"draw, draw, start {city}, end" for city in ("Ab", "Ab", "Ac"))
    play(oracle, whole_round)
    assert (oracle.over, oracle.truncated, oracle.legal()) == (True, True, set())
    assert (oracle.scores(), oracle.ranks()) == ([-6, -6, -6], [1, 1, 1])

    oracle = Oracle(BOARD, 3, 1, [deck()], {"max_rounds": 1})
    oracle._trigger_end(oracle._players[1])
    play(oracle, whole_round)
    assert (oracle.over, oracle.truncated) == (True, False)
    assert (oracle.scores(), oracle.ranks()) == ([-6, -5, -6], [3, 1, 2])


def test_errors() -> None:
    """F14 and illegal moves: they raise, and an illegal move changes nothing."""
    oracle = Oracle(BOARD, 2, 0, [deck()])
    before = (oracle.public(), oracle.legal())
    with pytest.raises(OracleError, match="not legal"):
        oracle.play("end")
    assert (oracle.public(), oracle.legal()) == before
    with pytest.raises(OracleError, match="unknown options"):
        Oracle(BOARD, 2, 0, [deck()], {"donkeys": True})
    with pytest.raises(OracleError, match="no horses"):
        Oracle(BOARD, 2, 0, [deck()], {"horses": True})
    with pytest.raises(OracleError, match="permutation"):
        Oracle(BOARD, 2, 0, [deck()[1:]])


# ---------------------------------------------------------------------- free cities and the northern board

THROUGH_BOTH = ["Ab", "Fa", "Ba", "Bb", "Fb"]
"""A route with one city of A, two of B and both free cities."""


def test_a_city_may_have_a_number_of_cards_of_its_own() -> None:
    """N1: the pile that is shuffled first holds two cards of Cc and three of every other city."""
    oracle = Oracle(NORTH, 2, 0, [deck(board=NORTH)])
    assert len(oracle._deck) + 3 == 9 * 3 - 1
    with pytest.raises(OracleError, match="permutation"):
        Oracle(NORTH, 2, 0, [[*deck(board=NORTH), "Cc"]])


def test_spread_and_fill_with_free_cities() -> None:
    """N2, N3, F6, F10: one free city counts as one more province, asked last; fill passes them over."""
    oracle = closing(THROUGH_BOTH, board=NORTH)
    assert oracle.legal() == {"spread", "fill A", "fill B"}
    play(oracle, "spread, house Ab")
    assert oracle.legal() == {"house Ba", "house Bb"}
    oracle.play("house Bb")
    assert oracle.legal() == {"house Fa", "house Fb"}
    oracle.play("house Fb")
    assert oracle.seat == 1
    assert oracle.public()["players"][0]["houses"] == ["Ab", "Bb", "Fb"]
    assert tiles(oracle) == [("Fb", 1), ("five", 2)]

    oracle = closing(THROUGH_BOTH, board=NORTH)
    oracle.play("fill B")
    assert oracle.seat == 1
    assert oracle.public()["players"][0]["houses"] == ["Ba", "Bb"]
    assert tiles(oracle) == [("five", 2)]


def test_a_lone_candidate_with_free_cities() -> None:
    """N2, F5: a lone city in a province is filled, a lone free city is reached by spread."""
    route = ["Fa", "Ba", "Bb", "Fb"]
    assert closing(route, board=NORTH, houses=("Fa", "Fb", "Ba")).legal() == {"fill B"}
    assert closing(route, board=NORTH, houses=("Fa", "Ba")).legal() == {"spread", "fill B"}
    assert closing(route, board=NORTH, houses=("Fa", "Fb", "Ba", "Bb")).seat == 1
    oracle = closing(route, board=NORTH, houses=("Fa", "Ba", "Bb"))
    assert oracle.legal() == {"spread"}
    oracle.play("spread")
    assert oracle.legal() == {"house Fb"}
    oracle.play("house Fb")
    assert (oracle.seat, tiles(oracle)) == (1, [("Fb", 1)])

    oracle = closing(route, board=NORTH, houses=("Ba", "Bb"))
    assert oracle.legal() == {"spread"}
    oracle.play("spread")
    assert oracle.legal() == {"house Fa", "house Fb"}
    oracle.play("house Fa")
    assert oracle.seat == 1


def test_houses_run_short_with_free_cities() -> None:
    """R19, N2, F6, F10: the free cities are one group among those not yet served."""
    oracle = closing(THROUGH_BOTH, board=NORTH, houses_left=2)
    oracle.play("spread")
    assert oracle.legal() == {"house Ab", "house Ba", "house Bb", "house Fa", "house Fb"}
    oracle.play("house Fa")
    assert oracle.legal() == {"house Ab", "house Ba", "house Bb"}
    oracle.play("house Ba")
    assert oracle.seat == 1
    assert tiles(oracle) == [("Fa", 1), ("end", 1), ("five", 2)]

    # As many houses as groups are enough for questions group by group.
    oracle = closing(THROUGH_BOTH, board=NORTH, houses_left=3)
    oracle.play("spread")
    assert oracle.legal() == {"house Ab"}

    oracle = closing(THROUGH_BOTH, board=NORTH, houses_left=1)
    play(oracle, "spread, house Fb")
    assert sorted(tiles(oracle)) == [("Fb", 1), ("end", 1), ("five", 2)]


def test_optional_houses_with_free_cities() -> None:
    """R18, N2, F8: the free city may be left out too; when houses run short leave ends the placing."""
    option = {"optional_houses": True}
    oracle = closing(THROUGH_BOTH, board=NORTH, options=option)
    play(oracle, "spread, leave, house Ba")
    assert oracle.legal() == {"house Fa", "house Fb", "leave"}
    oracle.play("leave")
    assert (oracle.seat, oracle.public()["players"][0]["houses"]) == (1, ["Ba"])

    oracle = closing(THROUGH_BOTH, board=NORTH, options=option, houses_left=2)
    play(oracle, "spread, house Fa")
    assert oracle.legal() == {"house Ab", "house Ba", "house Bb", "leave"}
    oracle.play("leave")
    assert (oracle.seat, oracle.public()["players"][0]["houses"]) == (1, ["Fa"])


def test_free_city_with_fill() -> None:
    """N2, F7: with the option one free city follows the province, if a house is left for it."""
    option = {"free_city_with_fill": True}
    oracle = closing(THROUGH_BOTH, board=NORTH, options=option)
    assert oracle.legal() == {"spread", "fill A", "fill B"}
    oracle.play("fill B")
    assert oracle.public()["players"][0]["houses"] == ["Ba", "Bb"]
    assert oracle.legal() == {"house Fa", "house Fb"}
    oracle.play("house Fa")
    assert (oracle.seat, tiles(oracle)) == (1, [("Fa", 1), ("five", 2)])

    oracle = closing(THROUGH_BOTH, board=NORTH, options=option, houses=("Fa",))
    oracle.play("fill A")
    assert oracle.legal() == {"house Fb"}
    oracle = closing(THROUGH_BOTH, board=NORTH, options=option, houses_left=2)
    oracle.play("fill B")
    assert oracle.seat == 1
    oracle = closing(THROUGH_BOTH, board=NORTH, options=option, houses_left=1)
    oracle.play("fill B")
    assert oracle.legal() == {"house Ba", "house Bb"}
    oracle.play("house Bb")
    assert oracle.seat == 1
    oracle = closing(["Ba", "Bb", "Fb"], board=NORTH, options=option, houses=("Ba", "Bb"))
    assert oracle.legal() == {"spread"}


def test_free_city_with_fill_and_optional_houses() -> None:
    """R18, N2, F7, F8: both are asked with leave; a leave when the province runs short ends all placing."""
    options = {"free_city_with_fill": True, "optional_houses": True}
    oracle = closing(THROUGH_BOTH, board=NORTH, options=options)
    play(oracle, "fill B, leave, leave")
    assert oracle.legal() == {"house Fa", "house Fb", "leave"}
    oracle.play("house Fb")
    assert (oracle.seat, oracle.public()["players"][0]["houses"]) == (1, ["Fb"])

    oracle = closing(THROUGH_BOTH, board=NORTH, options=options, houses_left=2)
    play(oracle, "fill B, house Ba, leave")
    assert oracle.legal() == {"house Fa", "house Fb", "leave"}

    oracle = closing(THROUGH_BOTH, board=NORTH, options=options, houses_left=1)
    oracle.play("fill B")
    assert oracle.legal() == {"house Ba", "house Bb", "leave"}
    oracle.play("leave")
    assert (oracle.seat, oracle.public()["players"][0]["houses_left"]) == (1, 1)


def test_free_city_tiles() -> None:
    """N3, R29, F10: the first house takes the tile, which scores; a house that comes later takes none."""
    oracle = closing(["Fa", "Ba", "Bb"], board=NORTH)
    play(oracle, "spread, house Ba, house Fa")
    assert tiles(oracle) == [("Fa", 1)]
    assert oracle.scores()[0] == 2 + 1 - 5

    oracle = closing(["Fa", "Ba", "Bb"], board=NORTH)
    oracle._tiles_left["Fa"] = []
    play(oracle, "spread, house Ba, house Fa")
    assert (oracle.seat, tiles(oracle)) == (1, [])


def test_free_cities_do_not_count_for_all_provinces() -> None:
    """R21, N3, N5: a house in each of A, B and C is needed, and enough."""
    route = ["Ab", "Fa", "Ba"]
    for houses, wanted in ((("Fb",), [("Fa", 1)]), (("Cb",), [("Fa", 1), ("all", 6)])):
        oracle = closing(route, board=NORTH, houses=houses)
        play(oracle, "spread, house Ab, house Ba, house Fa")
        assert tiles(oracle) == wanted


def test_pair_stack() -> None:
    """R21, N4: all cities of both provinces are needed; the northern board keeps carriages (N5)."""
    for houses, wanted in ((("Ca", "Cb"), []), (("Ca", "Cb", "Cc"), [("B and C", 3)])):
        oracle = closing(["Ba", "Bb", "Fb"], board=NORTH, houses=houses)
        oracle.play("fill B")
        assert tiles(oracle) == wanted
        assert oracle.public()["players"][0]["carriage"] == 3


@pytest.mark.parametrize(
    ("length", "empty", "wanted"),
    [
        (9, "", ("eight", 5)),
        (8, "", ("eight", 5)),
        (8, "eight", ("seven", 4)),
        (9, "eight seven", ("six", 3)),
        (8, "eight seven six", ("five", 2)),
        (8, "eight seven six five", None),
        (7, "", ("seven", 4)),
        (7, "seven", ("six", 3)),
    ],
)
def test_distance_eight(length: int, empty: str, wanted: tuple[str, int] | None) -> None:
    """R21, R22, N4: eight and more cities; an empty stack is replaced by the next lower one."""
    route = NORTH_CITIES[:length]
    oracle = closing(route, board=NORTH, houses=tuple(route[1:]), houses_left=3)
    for stack in empty.split():
        oracle._tiles_left[stack] = []
    oracle.play("fill A")
    distances = ("eight", "seven", "six", "five")
    assert [tile for tile in tiles(oracle) if tile[0] in distances] == ([wanted] if wanted else [])


# ---------------------------------------------------------------------- horses


def test_first_turn_with_horses() -> None:
    """R6, H1, H2, H3: cards are named with their horses; the first one may be harnessed before any route."""
    oracle = with_horses()
    assert oracle.public()["display"] == ["Aa/1", "Aa/2", "Aa/3"]
    assert oracle.legal() == {"take Aa/1", "take Aa/2", "take Aa/3", "draw"}
    play(oracle, "take Aa/3, draw")
    assert oracle.legal() == {"start Aa/3", "harness Aa/3", "start Ab/2", "harness Ab/2"}
    mine = oracle.public()["players"][0]
    assert (mine["horses"], mine["harnessed"], mine["carriage"]) == (2, {}, 0)
    oracle.play("harness Aa/3")
    assert oracle.legal() == {"end"}
    mine = oracle.public()["players"][0]
    assert (mine["horses"], mine["harnessed"], mine["route"]) == (5, {"Aa/3": 1}, [])
    assert oracle.hand(0) == {"Ab/2": 1}


def test_horses_are_not_shown_in_a_game_without_them() -> None:
    """H1, N5: the northern board's standard rules know no horses."""
    mine = Oracle(NORTH, 2, 0, [deck(board=NORTH)]).public()["players"][0]
    assert (mine["horses"], mine["harnessed"]) == (0, {})


def test_the_postal_carrier_with_horses() -> None:
    """R4, R13, H3: two cards in any mix; the second one never starts a route."""

    def second_card(first: str, **position: Any) -> set[str]:
        oracle = with_horses("Ba/1", "Bb/2", **position)
        play(oracle, f"draw, {first}")
        assert oracle.phase == "finish"
        return oracle.legal()

    # F11: before any route a first card on the carriage leaves only the carriage for the second.
    assert second_card("harness Ba/1") == {"harness Bb/2", "harness Ab/1", "end"}
    assert second_card("start Ba/1") == {"right Bb/2", "harness Bb/2", "harness Ab/1", "end"}
    assert second_card("harness Bb/2", route=("Fa/1",)) == {
        "right Ba/1",
        "right Ab/1",
        "harness Ba/1",
        "harness Ab/1",
        "end",
    }
    oracle = with_horses("Ba/1", "Bb/2")
    play(oracle, "draw, harness Bb/2, harness Ab/1")
    assert oracle.legal() == {"end"}
    assert oracle.public()["players"][0]["harnessed"] == {"Ab/1": 1, "Bb/2": 1}
    assert oracle.public()["players"][0]["horses"] == 2 + 3


def test_other_officials_with_horses() -> None:
    """R4, R5, R7: after the postmaster or the administrator only one card is played, on the route or carriage."""
    oracle = with_horses("Ba/1")
    play(oracle, "draw, draw")
    assert "harness Ba/1" in oracle.legal()
    oracle.play("harness Ba/1")
    assert oracle.legal() == {"end"}
    oracle = with_horses("Ba/1")
    play(oracle, "administrator, draw, start Ba/1")
    assert oracle.legal() == {"end"}


def test_a_city_is_in_the_route_once_whatever_its_horses() -> None:
    """R10, R11, H1: another card of the same city does not fit."""
    oracle = with_horses("Ba/2", "Bb/2", "Fb/3", "Fa/1", route=("Ba/1", "Bb/1"))
    oracle.play("take Aa/1")
    extensions = {text for text in oracle.legal() if text.startswith(("left", "right"))}
    assert extensions == {"right Fb/3", "left Fa/1"}
    oracle.play("left Fa/1")
    assert oracle.public()["players"][0]["route"] == ["Fa/1", "Ba/1", "Bb/1"]


def test_six_cards_on_the_carriage() -> None:
    """H2: there is room for six cards, not more."""
    five = ("Ca/1", "Ca/2", "Ca/3", "Cb/1", "Cb/2")
    oracle = with_horses("Ba/1", "Bb/2", harnessed=five)
    play(oracle, "draw, harness Ba/1")
    assert oracle.legal() == {"end"}
    assert oracle.public()["players"][0]["horses"] == 2 + 9 + 1
    oracle = with_horses("Ba/1", "Bb/2", harnessed=(*five, "Cb/3"))
    oracle.play("draw")
    assert not {text for text in oracle.legal() if text.startswith("harness")}


def test_closing_needs_a_horse_for_every_city() -> None:
    """R3, H2, H4: the carriage's own two count; one more is needed for three cities."""
    oracle = with_horses("Fa/1", "Fb/1", route=("Aa/1", "Ab/1"))
    play(oracle, "take Aa/1, right Fa/1")
    assert oracle.legal() == {"harness Fb/1", "harness Aa/1", "end"}
    oracle.play("harness Fb/1")
    assert oracle.legal() == {"close", "end"}

    # Horses alone do not close a route of two.
    oracle = with_horses("Ab/1", route=("Aa/1",), harnessed=("Ca/3",))
    play(oracle, "draw, right Ab/1")
    assert "close" not in oracle.legal()

    for horses, enough in ((("Ca/1", "Ca/2"), False), (("Ca/3", "Ca/1"), True)):
        route = tuple(f"{city}/1" for city in NORTH_CITIES[:5])
        oracle = with_horses("Fb/1", route=route, harnessed=horses)
        play(oracle, "draw, right Fb/1")
        assert ("close" in oracle.legal()) is enough


def test_surplus_horses_are_lost() -> None:
    """R15, R26, H1, H4, F3: route and horse cards are one discarding event; no carriage, no cartwright."""
    route = ("Aa/1", "Ab/1", "Fa/1", "Ba/1")
    harnessed = ("Ca/3", "Ca/2", "Cb/1")
    oracle = with_horses("Bb/1", "Ba/2", "Ba/3", "Bb/2", route=route, harnessed=harnessed)
    # The deck is gone, so the event's cards, and only they, are shuffled at once; the open slot is filled.
    oracle._deck = []
    oracle._orders = [[*harnessed, *reversed(route), "Bb/1"]]
    play(oracle, "take Aa/2, right Bb/1, close")
    assert oracle.legal() == {"spread", "fill A", "fill B"}
    play(oracle, "spread, house Aa, house Ba, house Fa")
    assert oracle.phase == "discard"
    assert oracle.public()["display"] == ["Aa/1", "Ca/3", "Aa/3"]
    assert (oracle.public()["deck_size"], oracle.decks_left) == (7, 0)
    mine = oracle.public()["players"][0]
    assert (mine["route"], mine["harnessed"], mine["horses"], mine["carriage"]) == ([], {}, 2, 0)
    assert tiles(oracle) == [("Fa", 1), ("five", 2)]
    assert oracle.scores()[0] == 3 - 4
    assert oracle.legal() == {"discard Aa/2", "discard Ba/2", "discard Ba/3", "discard Bb/2"}
    oracle.play("discard Ba/3")
    assert (oracle.seat, oracle.public()["discard"]) == (1, {"Ba/3": 1})


def test_giving_up_a_route_keeps_the_horses() -> None:
    """R12, H5, F3: by default the horse cards stay; without the option they go with the route, in one event."""
    for kept, pile in ((True, {"Aa/1": 1, "Ab/1": 1}), (False, {"Aa/1": 1, "Ab/1": 1, "Ca/3": 1, "Cb/1": 1})):
        oracle = with_horses(
            "Ba/1", "Bb/2", route=("Aa/1", "Ab/1"), harnessed=("Ca/3", "Cb/1"), options={"horses_kept": kept}
        )
        play(oracle, "draw, start Ba/1")
        assert oracle.public()["discard"] == pile
        mine = oracle.public()["players"][0]
        assert (mine["route"], mine["horses"]) == (["Ba/1"], 6 if kept else 2)
        assert {"right Bb/2", "harness Bb/2"} <= oracle.legal()

    oracle = with_horses("Ba/1", route=("Ab/1",), harnessed=("Ca/3",), options={"horses_kept": False})
    oracle._deck = []
    oracle._orders = [["Ca/3", "Ab/1"]]
    play(oracle, "take Aa/1, start Ba/1")
    assert (oracle.public()["display"], oracle.public()["deck_size"]) == (["Ca/3", "Aa/2", "Aa/3"], 1)


def test_a_first_route_gives_nothing_up() -> None:
    """H3, H5: horses laid before any route stay when it is started, with either option."""
    for kept in (True, False):
        oracle = with_horses("Ba/1", harnessed=("Ca/3", "Cb/1"), options={"horses_kept": kept})
        play(oracle, "draw, start Ba/1")
        assert oracle.public()["discard"] == {}
        assert oracle.public()["players"][0]["harnessed"] == {"Ca/3": 1, "Cb/1": 1}


def test_a_given_up_route_makes_room_for_horses() -> None:
    """H2, H5: without ``horses_kept`` a full carriage is empty again after a new start."""
    six = ("Ca/1", "Ca/2", "Ca/3", "Cb/1", "Cb/2", "Cb/3")
    for kept in (True, False):
        oracle = with_horses("Ba/1", "Fb/1", route=("Ab/1",), harnessed=six, options={"horses_kept": kept})
        play(oracle, "draw, start Ba/1")
        assert ("harness Fb/1" in oracle.legal()) is not kept


def test_with_horses_only_the_last_house_ends_the_game() -> None:
    """R27, H1, H6: no carriage is taken, however long the route; the last house takes the end tile."""
    route = tuple(f"{city}/1" for city in NORTH_CITIES[:6])
    harnessed = ("Ca/3", "Cb/3")
    for houses_left, wanted in ((5, [("seven", 4)]), (1, [("end", 1), ("seven", 4)])):
        oracle = with_horses("Ca/1", route=route, harnessed=harnessed, houses_left=houses_left)
        play(oracle, "draw, right Ca/1, close, fill C")
        assert tiles(oracle) == wanted
        assert oracle.public()["players"][0]["carriage"] == 0
        assert oracle.scores()[0] == sum(value for _, value in wanted) - (houses_left - 1)
        play(oracle, "draw, draw, start Ab/2, end")
        assert oracle.over is (houses_left == 1)


def test_no_cartwright_with_horses() -> None:
    """R25, H1: a route that is short of the next carriage raises no question."""
    for horses in (False, True):
        route = [f"{city}/1" if horses else city for city in ("Aa", "Ab", "Fa")]
        oracle = Oracle(NORTH, 2, 0, [deck(board=NORTH, horses=horses)], {"horses": horses})
        player = oracle._players[0]
        player.hand, player.route = ["Ca/1" if horses else "Ca", route[2]], route[:2]
        player.harnessed = ["Cb/1"] if horses else []
        player.carriages = 0 if horses else 1
        restart(oracle)
        play(oracle, f"draw, right {route[2]}, close, fill A")
        assert oracle.legal() == (
            {"take Aa/1", "take Aa/2", "take Aa/3", "draw"} if horses else {"cartwright", "decline"}
        )


class Shuffling(Oracle):
    """An oracle that shuffles for itself, for games of any length."""

    def __init__(self, seed: int, board: dict[str, Any], players: int, options: dict[str, Any]) -> None:
        self.random = Random(seed)
        super().__init__(board, players, 0, [], options)

    def _next_order(self, pile: list[str]) -> list[str]:
        self.random.shuffle(pile)
        return pile


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"free_city_with_fill": True, "optional_houses": True},
        {"horses": True},
        {"horses": True, "horses_kept": False, "open_backs": False, "free_city_with_fill": True},
    ],
)
def test_no_card_is_ever_lost(players: int, options: dict[str, Any]) -> None:
    """M2, N1, H1, H2: all cards are somewhere after every move, on the real northern board."""
    folder = Path(__file__).parents[1] / "thurn_env/games/thurn_und_taxis/boards"
    board = tomllib.loads((folder / "north.toml").read_text("utf-8"))
    horses = bool(options.get("horses"))
    everything = Counter(all_cards(board, horses))
    assert everything.total() == 69
    oracle = Shuffling(players, board, players, {**options, "max_rounds": 120})
    seen: Counter[str] = Counter()
    while not oracle.over:
        legal = sorted(oracle.legal())
        # Give up routes seldom, and close when it can be done, so that games get on.
        wanted = [text for text in legal if not text.startswith(("start", "administrator"))]
        wanted = [text for text in wanted if text == "close"] or wanted
        move = oracle.random.choice(wanted if wanted and oracle.random.random() < 0.9 else legal)
        oracle.play(move)
        seen[move.split()[0]] += 1
        cards = Counter(oracle._deck + oracle._pile + [card for card in oracle._display if card])
        for player in oracle._players:
            cards.update(player.hand + player.route + player.harnessed)
            assert len(player.harnessed) <= 6
            assert len(player.houses) + player.houses_left == 20
        assert cards == everything
    assert seen["close"] > 10
    assert (seen["harness"] > 10) is horses
    assert (seen["cartwright"] > 0) is not horses
