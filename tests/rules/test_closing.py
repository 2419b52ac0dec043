"""Closing a route: when, in which order, and where houses are placed (R3, R15 - R20, F5 - F8)."""

from typing import Any

import pytest

from tests.positions import Player, all_cities_but, owned, play, position
from thurn_env import Game, IllegalAction


def closing(route: list[str], **given: Any) -> Game:
    """A game in which a player has just chosen to close this route."""
    return play(position(phase="end", route=route, **given), "close")


def new_houses(game: Game, before: list[str] | None = None, seat: int = 0) -> set[str]:
    """The cities that got a house."""
    return set(owned(game, seat)["houses"]) - set(before or [])


# When


def test_r3_a_route_of_three_may_be_closed() -> None:
    game = position(phase="end", route=["Ulm", "Kempten", "Zürich"])
    assert set(game.legal) == {"end", "close"}


def test_r3_a_route_of_two_may_not() -> None:
    game = position(phase="end", route=["Ulm", "Kempten"])
    assert set(game.legal) == {"end"}
    with pytest.raises(IllegalAction, match="needs 3 cities to be closed; this one has 2"):
        game.play("close")


def test_r3_a_route_may_be_kept() -> None:
    game = position(phase="end", route=["Ulm", "Kempten", "Zürich"])
    play(game, "end")
    assert (game.seat, owned(game)["route"]) == (1, ["Ulm", "Kempten", "Zürich"])
    assert owned(game)["houses"] == []


def test_r3_r13_the_postal_carrier_may_lay_the_third_card() -> None:
    game = position(phase="play", hand=["Kempten", "Zürich"], route=["Ulm"])
    play(game, "right Kempten", "right Zürich")
    assert set(game.legal) == {"end", "close"}


def test_r15_houses_then_tiles_then_carriage_then_discard() -> None:
    """The five-city tile is there before the carriage is asked for, and the route lies until after that."""
    route = ["Zürich", "Kempten", "Ulm", "Stuttgart", "Nürnberg"]
    game = closing(route, hand=["Lodz", "Lodz", "Lodz", "Pilsen"], carriage=5)
    assert game.phase == "houses"
    play(game, "fill Württemberg")
    assert game.phase == "cartwright"
    mine = owned(game)
    assert (mine["houses"], mine["carriage"], mine["route"]) == (["Stuttgart", "Ulm"], 5, route)
    assert mine["tiles"] == [{"stack": "distance 5", "value": 2}]
    play(game, "cartwright")
    assert game.phase == "discard"
    mine = owned(game)
    assert (mine["carriage"], mine["route"]) == (6, [])
    assert game.public()["discard"] == dict.fromkeys(route, 1)
    play(game, "discard Pilsen")
    assert (game.seat, game.phase) == (1, "draw")


def test_r15_no_card_is_played_after_closing() -> None:
    game = closing(["Ulm", "Kempten", "Zürich"], hand=["Basel"])
    assert {action.split()[0] for action in game.legal} == {"spread", "fill"}
    with pytest.raises(IllegalAction, match="no card is played after closing"):
        game.play("right Basel")


# Spread and fill


def test_r16_spread_places_one_house_in_every_province() -> None:
    """R16, F6: Württemberg has one route city, Baiern three, Schweiz one."""
    game = closing(["Stuttgart", "Ulm", "Augsburg", "Kempten", "Zürich"])
    play(game, "spread", "house Ulm", "house Augsburg", "house Zürich")
    assert new_houses(game) == {"Ulm", "Augsburg", "Zürich"}
    assert owned(game)["houses_left"] == 17


def test_r16_fill_places_a_house_in_every_route_city_of_one_province() -> None:
    """R16, F7: at once; Baiern's cities off the route get none."""
    game = closing(["Ulm", "Augsburg", "Kempten", "Zürich"])
    assert set(game.legal) == {"spread", "fill Württemberg", "fill Baiern", "fill Schweiz"}
    play(game, "fill Baiern")
    assert new_houses(game) == {"Augsburg", "Kempten"}
    assert (owned(game)["houses_left"], game.seat) == (18, 1)


def test_r16_only_provinces_of_the_route() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten", "Zürich"])
    with pytest.raises(IllegalAction, match="Baden has no route city without a house of the player"):
        game.play("fill Baden")


def test_r16_one_option_only() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten", "Zürich"])
    play(game, "spread")
    with pytest.raises(IllegalAction, match="has already been chosen"):
        game.play("fill Baiern")


def test_r17_own_cities_are_passed_over() -> None:
    """R16, R17: Schweiz has no city left on the route, Baiern one."""
    before = ["Zürich", "Kempten"]
    route = ["Ulm", "Augsburg", "Kempten", "Zürich"]
    game = closing(route, houses=before)
    assert set(game.legal) == {"spread", "fill Württemberg", "fill Baiern"}
    spread = play(game.copy(), "spread", "house Ulm")
    assert set(spread.legal) == {"house Augsburg"}
    with pytest.raises(IllegalAction, match="the player already has a house in Kempten"):
        spread.play("house Kempten")
    play(spread, "house Augsburg")
    assert new_houses(spread, before) == {"Ulm", "Augsburg"}
    play(game, "fill Baiern")
    assert new_houses(game, before) == {"Augsburg"}
    assert owned(game)["houses_left"] == 17


def test_r17_houses_of_others_do_not_matter() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten"], others={1: Player(houses=["Augsburg", "Kempten"])})
    play(game, "fill Baiern")
    assert new_houses(game) == {"Augsburg", "Kempten"}
    assert owned(game, 1)["houses"] == ["Augsburg", "Kempten"]


def test_r18_every_placement_is_made() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten", "Zürich"])
    play(game, "spread", "house Ulm")
    assert set(game.legal) == {"house Augsburg", "house Kempten"}
    with pytest.raises(IllegalAction, match="every possible house must be placed"):
        game.play("leave")


def test_r20_closing_without_a_house_to_place() -> None:
    """R20, R21, R24: the length tile and the carriage still count."""
    route = ["Stuttgart", "Ulm", "Augsburg", "Kempten", "Zürich"]
    game = closing(route, houses=route, carriage=4)
    mine = owned(game)
    assert (mine["houses_left"], mine["carriage"]) == (15, 5)
    assert mine["tiles"] == [{"stack": "distance 5", "value": 2}]
    assert (mine["route"], game.seat) == ([], 1)


def test_r20_r25_the_cartwright_is_asked_without_a_house_to_place() -> None:
    route = ["Ulm", "Augsburg", "Kempten"]
    game = closing(route, houses=route, carriage=3)
    assert set(game.legal) == {"cartwright", "decline"}


# F5: when spread is left out


def test_f5_no_spread_for_a_single_candidate() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten"], houses=["Ulm", "Kempten"])
    assert set(game.legal) == {"fill Baiern"}
    with pytest.raises(IllegalAction, match="only one city can get a house"):
        game.play("spread")


def test_f5_spread_for_two_candidates_of_one_province() -> None:
    """R16, F5: one of both, or both."""
    game = closing(["Ulm", "Augsburg", "Kempten"], houses=["Ulm"])
    assert set(game.legal) == {"spread", "fill Baiern"}
    play(game, "spread")
    assert set(game.legal) == {"house Augsburg", "house Kempten"}
    play(game, "house Kempten")
    assert new_houses(game, ["Ulm"]) == {"Kempten"}


def test_f5_spread_for_two_candidates_of_two_provinces() -> None:
    game = closing(["Ulm", "Augsburg", "Kempten"], houses=["Augsburg"])
    assert set(game.legal) == {"spread", "fill Württemberg", "fill Baiern"}


# F6: the questions of spread


def test_f6_provinces_are_asked_in_board_order() -> None:
    """F6, F9: Hohenzollern, Baiern, Schweiz; also when there is only one candidate."""
    game = closing(["Basel", "Zürich", "Sigmaringen", "Kempten", "Augsburg"])
    play(game, "spread")
    assert set(game.legal) == {"house Sigmaringen"}
    play(game, "house Sigmaringen")
    assert set(game.legal) == {"house Augsburg", "house Kempten"}
    with pytest.raises(IllegalAction, match="Zürich is not in the province to decide now"):
        game.play("house Zürich")
    play(game, "house Kempten")
    assert set(game.legal) == {"house Basel", "house Zürich"}
    play(game, "house Basel")
    assert (game.seat, owned(game)["houses"]) == (1, ["Sigmaringen", "Kempten", "Basel"])


def test_f6_r19_as_many_houses_as_provinces_are_enough() -> None:
    """Two houses for two provinces, although there are four candidates."""
    free = ["Ulm", "Stuttgart", "Nürnberg", "Würzburg"]
    game = closing(["Ulm", "Stuttgart", "Nürnberg", "Würzburg"], houses=all_cities_but(*free))
    play(game, "spread")
    assert set(game.legal) == {"house Stuttgart", "house Ulm"}
    play(game, "house Ulm")
    assert set(game.legal) == {"house Würzburg", "house Nürnberg"}


def test_r19_f6_spread_with_too_few_houses() -> None:
    """Two houses for four provinces: the player chooses which cities get them."""
    free = ["Ulm", "Kempten", "Zürich", "Sigmaringen"]
    before = all_cities_but(*free)
    game = closing(["Ulm", "Kempten", "Zürich", "Sigmaringen"], houses=before)
    assert owned(game)["houses_left"] == 2
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in free}
    play(game, "house Zürich")
    assert set(game.legal) == {"house Ulm", "house Sigmaringen", "house Kempten"}
    play(game, "house Ulm")
    assert new_houses(game, before) == {"Zürich", "Ulm"}
    assert (owned(game)["houses_left"], game.seat) == (0, 1)


def test_r19_f6_a_served_province_is_not_asked_again() -> None:
    """Two houses for three provinces; both cities of Württemberg are candidates, one gets a house."""
    free = ["Nürnberg", "Stuttgart", "Ulm", "Sigmaringen"]
    game = closing(["Nürnberg", "Stuttgart", "Ulm", "Sigmaringen"], houses=all_cities_but(*free))
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in free}
    play(game, "house Ulm")
    assert set(game.legal) == {"house Nürnberg", "house Sigmaringen"}
    with pytest.raises(IllegalAction, match="Stuttgart cannot get a house in this closing any more"):
        game.play("house Stuttgart")


def test_r19_f6_a_single_house_for_three_provinces() -> None:
    free = ["Kempten", "Zürich", "Sigmaringen"]
    before = all_cities_but(*free)
    game = closing(["Kempten", "Zürich", "Sigmaringen"], houses=before)
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in free}
    play(game, "house Zürich")
    assert new_houses(game, before) == {"Zürich"}
    assert (owned(game)["houses_left"], game.seat) == (0, 1)


# F7: the questions of fill


def test_r19_f7_fill_with_too_few_houses() -> None:
    """Two houses for three candidates of Baiern, asked until no house is left."""
    free = ["Nürnberg", "Regensburg", "Ingolstadt", "Lodz"]
    before = all_cities_but(*free)
    game = closing(["Nürnberg", "Regensburg", "Ingolstadt"], houses=before)
    play(game, "fill Baiern")
    assert set(game.legal) == {"house Nürnberg", "house Regensburg", "house Ingolstadt"}
    play(game, "house Regensburg")
    assert set(game.legal) == {"house Nürnberg", "house Ingolstadt"}
    play(game, "house Ingolstadt")
    assert new_houses(game, before) == {"Regensburg", "Ingolstadt"}
    assert (owned(game)["houses_left"], game.seat) == (0, 1)


def test_r19_no_tile_for_a_city_left_without() -> None:
    """One house for the last two cities of Baiern."""
    tiles = {"Baden": [0], "Württemberg and Hohenzollern": [0], "Schweiz and Tyrol": [0]}
    tiles |= {"Böhmen and Salzburg": [0], "all provinces": [0]}
    free = ["Nürnberg", "Regensburg", "Lodz"]
    game = closing(["Nürnberg", "Regensburg", "Ingolstadt"], houses=all_cities_but(*free), tiles=tiles, carriage=6)
    play(game, "fill Baiern")
    assert set(game.legal) == {"house Nürnberg", "house Regensburg"}
    play(game, "house Nürnberg")
    assert "Baiern" not in [tile["stack"] for tile in owned(game)["tiles"]]
    assert game.public()["stacks"]["Baiern"] == [5, 4, 3, 2]


def test_f7_exactly_enough_houses_are_placed_at_once() -> None:
    free = ["Nürnberg", "Regensburg", "Lodz", "Ulm"]
    before = all_cities_but(*free)
    game = closing(["Nürnberg", "Regensburg", "Ingolstadt"], houses=before, carriage=6)
    play(game, "fill Baiern")
    assert game.phase != "house"
    assert new_houses(game, before) == {"Nürnberg", "Regensburg"}


# The option optional_houses


def test_r18_f7_optional_fill_is_asked_city_by_city_in_board_order() -> None:
    """R18, F7, F9: Ingolstadt, Augsburg, Kempten."""
    game = closing(["Kempten", "Augsburg", "Ingolstadt", "Stuttgart"], optional_houses=True)
    play(game, "fill Baiern")
    assert set(game.legal) == {"house Ingolstadt", "leave"}
    play(game, "house Ingolstadt")
    assert set(game.legal) == {"house Augsburg", "leave"}
    play(game, "leave")
    assert set(game.legal) == {"house Kempten", "leave"}
    play(game, "house Kempten")
    assert new_houses(game) == {"Ingolstadt", "Kempten"}


def test_f8_leave_in_spread_leaves_out_one_province() -> None:
    """R18, F6, F8."""
    game = closing(["Ulm", "Augsburg", "Kempten", "Zürich"], optional_houses=True)
    play(game, "spread")
    assert set(game.legal) == {"house Ulm", "leave"}
    play(game, "leave")
    assert set(game.legal) == {"house Augsburg", "house Kempten", "leave"}
    play(game, "leave")
    assert set(game.legal) == {"house Zürich", "leave"}
    play(game, "house Zürich")
    assert new_houses(game) == {"Zürich"}


def test_r18_f8_everything_may_be_left_out() -> None:
    """R18, R20, R21, R24: the carriage and the length tile are taken all the same."""
    route = ["Stuttgart", "Ulm", "Augsburg", "Kempten", "Zürich"]
    game = closing(route, optional_houses=True)
    play(game, "spread", "leave", "leave", "leave")
    mine = owned(game)
    assert (mine["houses"], mine["houses_left"], mine["carriage"]) == ([], 20, 3)
    assert mine["tiles"] == [{"stack": "distance 5", "value": 2}]
    assert game.seat == 1


def test_r18_r21_a_house_left_out_brings_no_tile() -> None:
    game = closing(["Mannheim", "Carlsruhe", "Freiburg"], optional_houses=True)
    play(game, "fill Baden", "house Mannheim", "house Carlsruhe", "leave")
    assert owned(game)["tiles"] == []


def test_r19_f8_leave_ends_the_placing_when_spread_runs_short() -> None:
    free = ["Ulm", "Kempten", "Zürich", "Sigmaringen"]
    before = all_cities_but(*free)
    game = closing(["Ulm", "Kempten", "Zürich", "Sigmaringen"], houses=before, optional_houses=True, carriage=4)
    play(game, "spread")
    assert set(game.legal) == {*(f"house {name}" for name in free), "leave"}
    play(game, "house Kempten")
    assert set(game.legal) == {"house Ulm", "house Sigmaringen", "house Zürich", "leave"}
    play(game, "leave")
    assert game.phase == "cartwright"
    assert new_houses(game, before) == {"Kempten"}
    assert owned(game)["houses_left"] == 1


def test_r19_f8_leave_ends_the_placing_when_fill_runs_short() -> None:
    """F7: then the question is over all candidates, not city by city."""
    free = ["Nürnberg", "Regensburg", "Ingolstadt", "Lodz"]
    before = all_cities_but(*free)
    game = closing(["Nürnberg", "Regensburg", "Ingolstadt"], houses=before, carriage=3, optional_houses=True)
    play(game, "fill Baiern")
    assert set(game.legal) == {"house Nürnberg", "house Regensburg", "house Ingolstadt", "leave"}
    play(game, "leave")
    assert game.phase == "cartwright"
    assert new_houses(game, before) == set()
