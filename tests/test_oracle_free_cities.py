"""Hand-checked positions for the oracle itself: free cities and what else the northern board has of its own."""

from __future__ import annotations

import pytest

from tests.oracle import Oracle, OracleError
from tests.oracle_tables import (
    NORTH,
    NORTH_CITIES,
    THROUGH_BOTH,
    closing,
    deck,
    play,
    tiles,
)


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
