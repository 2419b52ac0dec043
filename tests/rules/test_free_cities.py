"""Houses in free cities: when, in which order, and their tiles (N2, N3, F5 - F8, F10)."""

from typing import Any

import pytest

from tests.positions import Player, all_cities_but, owned, play, position
from thurn_env import Game, IllegalAction

# Three free cities and the province Hannover.
COAST = ["Lübeck", "Hamburg", "Bremen", "Hannover"]
FREE_ON_COAST = {"house Bremen", "house Hamburg", "house Lübeck"}
# Preussen twice, Hannover, Hessen and a free city.
ACROSS = ["Frankfurt", "Cassel", "Münster", "Minden", "Hannover"]


@pytest.fixture(params=[False, True], ids=["standard", "horses"])
def horses(request: pytest.FixtureRequest) -> bool:
    """Free cities are the same with and without horses."""
    return bool(request.param)


def closing(route: list[str], horses: bool = False, **given: Any) -> Game:
    """A game on the north board in which a player has just chosen to close this route of cities."""
    if horses:
        route = [f"{name}/1" for name in route]
        given["harnessed"] = ["Dresden/3", "Leipzig/3", "Dresden/2"]
    return play(position(board="north", horses=horses, phase="end", route=route, **given), "close")


def all_but(*names: str) -> list[str]:
    """All cities of the north board but those named."""
    return all_cities_but(*names, board="north")


def new_houses(game: Game, before: list[str] | None = None, seat: int = 0) -> set[str]:
    """The cities that got a house."""
    return set(owned(game, seat)["houses"]) - set(before or [])


def tiles(game: Game, seat: int = 0) -> list[str]:
    """The stacks of a player's tiles."""
    return [tile["stack"] for tile in owned(game, seat)["tiles"]]


# Spread and fill


def test_n2_in_spread_one_free_city_counts_as_a_province(horses: bool) -> None:
    game = closing(COAST, horses)
    assert set(game.legal) == {"spread", "fill Hannover"}
    play(game, "spread", "house Hannover")
    assert set(game.legal) == FREE_ON_COAST
    play(game, "house Hamburg")
    assert (new_houses(game), game.seat) == ({"Hannover", "Hamburg"}, 1)
    assert owned(game)["houses_left"] == 18


def test_n2_fill_adds_no_free_city(horses: bool) -> None:
    game = play(closing(COAST, horses), "fill Hannover")
    assert (new_houses(game), game.seat, tiles(game)) == ({"Hannover"}, 1, [])


def test_n2_fill_cannot_choose_the_free_cities() -> None:
    texts = Game(players=2, board="north", seed=1).rules.action_texts
    provinces = [
        "Preussen",
        "Hannover",
        "Mecklenburg",
        "Sachsen",
        "Thüringen",
        "Holland",
        "Belgien",
        "Hessen",
        "Baiern",
    ]
    assert [text for text in texts if text.startswith("fill ")] == [f"fill {name}" for name in provinces]


def test_n2_free_cities_with_an_own_house_are_passed_over() -> None:
    """N2, R17: those with another player's house are not."""
    game = closing(COAST, houses=["Hamburg"], others={1: Player(houses=["Bremen"])})
    play(game, "spread", "house Hannover")
    assert set(game.legal) == {"house Bremen", "house Lübeck"}


def test_n2_without_a_free_candidate_only_provinces_are_asked() -> None:
    game = closing(ACROSS, houses=["Frankfurt"])
    play(game, "spread", "house Münster", "house Hannover", "house Cassel")
    assert (new_houses(game, ["Frankfurt"]), game.seat) == ({"Münster", "Hannover", "Cassel"}, 1)


def test_n2_every_closed_route_may_bring_a_free_city() -> None:
    """N2: houses in free cities from earlier routes do not matter."""
    game = closing(COAST, houses=["Bremen", "Frankfurt"])
    play(game, "spread", "house Hannover", "house Lübeck")
    assert new_houses(game, ["Bremen", "Frankfurt"]) == {"Hannover", "Lübeck"}


# F5: when spread is left out


def test_f5_no_spread_for_a_single_candidate_in_a_province(horses: bool) -> None:
    game = closing(COAST, horses, houses=["Lübeck", "Hamburg", "Bremen"])
    assert set(game.legal) == {"fill Hannover"}


@pytest.mark.parametrize("free_city_with_fill", [False, True])
def test_f5_a_lone_free_city_is_reached_by_spread(free_city_with_fill: bool, horses: bool) -> None:
    """F5, F6: and is asked for although there is no choice."""
    before = ["Lübeck", "Hamburg", "Hannover"]
    game = closing(COAST, horses, houses=before, free_city_with_fill=free_city_with_fill)
    assert set(game.legal) == {"spread"}
    play(game, "spread")
    assert set(game.legal) == {"house Bremen"}
    play(game, "house Bremen")
    assert (new_houses(game, before), game.seat, tiles(game)) == ({"Bremen"}, 1, ["Bremen"])


def test_f5_spread_for_a_province_and_a_free_city() -> None:
    game = closing(COAST, houses=["Lübeck", "Hamburg"])
    assert set(game.legal) == {"spread", "fill Hannover"}


def test_f5_n2_one_of_two_free_cities() -> None:
    """F5, N2: both are in one group, so only one gets a house."""
    before = ["Hannover", "Lübeck"]
    game = closing(COAST, houses=before)
    assert set(game.legal) == {"spread"}
    play(game, "spread")
    assert set(game.legal) == {"house Bremen", "house Hamburg"}
    play(game, "house Hamburg")
    assert (new_houses(game, before), game.seat) == ({"Hamburg"}, 1)


# F6: the questions of spread


def test_f6_the_free_cities_are_asked_last(horses: bool) -> None:
    """F6, F9: although the board's list of cities begins with them."""
    game = closing(ACROSS, horses)
    play(game, "spread")
    assert set(game.legal) == {"house Minden", "house Münster"}
    with pytest.raises(IllegalAction):
        game.play("house Frankfurt")
    play(game, "house Minden")
    assert set(game.legal) == {"house Hannover"}
    play(game, "house Hannover")
    assert set(game.legal) == {"house Cassel"}
    play(game, "house Cassel")
    assert set(game.legal) == {"house Frankfurt"}
    play(game, "house Frankfurt")
    assert new_houses(game) == {"Minden", "Hannover", "Cassel", "Frankfurt"}


def test_f6_the_free_cities_count_when_houses_run_short(horses: bool) -> None:
    """R19, N2, F6: two houses for Preussen, Hannover and the free city."""
    free = ["Bremen", "Hannover", "Magdeburg"]
    before = all_but(*free, "Dresden", "Brüssel")
    game = closing(free, horses, houses=before)
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in free}
    play(game, "house Bremen")
    assert set(game.legal) == {"house Hannover", "house Magdeburg"}
    play(game, "house Magdeburg")
    assert (new_houses(game, before), game.seat) == ({"Bremen", "Magdeburg"}, 1)
    assert owned(game)["houses_left"] == 0


def test_f6_a_served_group_of_free_cities_is_not_asked_again() -> None:
    """R19, N2, F6: at most one free city, also when houses run short."""
    route = ["Hamburg", "Bremen", "Hannover", "Magdeburg"]
    before = all_but(*route, "Dresden")
    game = closing(route, houses=before)
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in route}
    play(game, "house Hamburg")
    assert set(game.legal) == {"house Hannover", "house Magdeburg"}


def test_f6_free_cities_wait_while_provinces_are_served() -> None:
    """R19, F6: after Hannover every group not yet served is asked for."""
    route = ["Hamburg", "Bremen", "Hannover", "Magdeburg"]
    game = closing(route, houses=all_but(*route, "Dresden"))
    play(game, "spread", "house Hannover")
    assert set(game.legal) == {"house Hamburg", "house Bremen", "house Magdeburg"}


def test_f6_as_many_houses_as_groups_are_enough() -> None:
    """R19, F6: three houses for Preussen, Hannover and the free cities."""
    route = ["Hamburg", "Bremen", "Hannover", "Magdeburg"]
    game = closing(route, houses=all_but(*route, "Dresden", "Brüssel"))
    play(game, "spread")
    assert set(game.legal) == {"house Magdeburg"}
    play(game, "house Magdeburg", "house Hannover")
    assert set(game.legal) == {"house Hamburg", "house Bremen"}


def test_f6_a_single_house_for_a_province_or_a_free_city() -> None:
    route = ["Lübeck", "Schwerin", "Hamburg"]
    before = all_but(*route, "Dresden")
    game = closing(route, houses=before)
    play(game, "spread")
    assert set(game.legal) == {f"house {name}" for name in route}
    play(game, "house Lübeck")
    assert (new_houses(game, before), game.seat) == ({"Lübeck"}, 1)


# F7: the option free_city_with_fill

SOUTHWARD = ["Hamburg", "Bremen", "Hannover", "Göttingen"]


def test_n2_f7_the_option_adds_a_free_city_to_fill(horses: bool) -> None:
    """The province first, then one question over the free cities."""
    game = closing(SOUTHWARD, horses, free_city_with_fill=True)
    assert set(game.legal) == {"spread", "fill Hannover"}
    play(game, "fill Hannover")
    assert (game.phase, new_houses(game)) == ("house", {"Hannover", "Göttingen"})
    assert set(game.legal) == {"house Hamburg", "house Bremen"}
    play(game, "house Bremen")
    assert (new_houses(game), game.seat) == ({"Hannover", "Göttingen", "Bremen"}, 1)
    assert tiles(game) == ["Bremen"]


def test_f7_the_lone_free_city_is_asked_for_after_fill() -> None:
    game = closing(SOUTHWARD, houses=["Hamburg"], free_city_with_fill=True)
    play(game, "fill Hannover")
    assert set(game.legal) == {"house Bremen"}


def test_f7_no_question_without_a_free_candidate() -> None:
    before = ["Hamburg", "Bremen"]
    game = closing(SOUTHWARD, houses=before, free_city_with_fill=True)
    play(game, "fill Hannover")
    assert (new_houses(game, before), game.seat) == ({"Hannover", "Göttingen"}, 1)


def test_f7_no_free_city_without_a_house_left() -> None:
    """R19, F7: two houses, and both are placed in the province at once."""
    before = all_but("Hannover", "Göttingen", "Bremen", "Dresden", "Brüssel")
    game = closing(SOUTHWARD, houses=before, free_city_with_fill=True)
    play(game, "fill Hannover")
    assert (new_houses(game, before), game.seat) == ({"Hannover", "Göttingen"}, 1)
    assert "game end" in tiles(game)


def test_f7_the_last_house_may_go_to_the_free_city() -> None:
    """R19, F7, F10: three houses for two cities of the province and a free one."""
    before = all_but(*SOUTHWARD, "Dresden", "Brüssel")
    game = closing(SOUTHWARD, houses=before, free_city_with_fill=True)
    play(game, "fill Hannover")
    assert set(game.legal) == {"house Hamburg", "house Bremen"}
    play(game, "house Hamburg")
    assert new_houses(game, before) == {"Hannover", "Göttingen", "Hamburg"}
    assert {"Hamburg", "game end"} <= set(tiles(game))


def test_f7_too_few_houses_for_the_province_leave_none_for_a_free_city() -> None:
    """R19, F7: one house for two cities of the province."""
    before = all_but("Hannover", "Göttingen", "Bremen", "Dresden")
    game = closing(SOUTHWARD, houses=before, free_city_with_fill=True)
    play(game, "fill Hannover")
    assert set(game.legal) == {"house Hannover", "house Göttingen"}
    play(game, "house Göttingen")
    assert (new_houses(game, before), game.seat) == ({"Göttingen"}, 1)


def test_f7_the_option_does_not_change_spread() -> None:
    game = closing(SOUTHWARD, free_city_with_fill=True)
    play(game, "spread", "house Göttingen", "house Hamburg")
    assert (new_houses(game), game.seat) == ({"Göttingen", "Hamburg"}, 1)


# F8: the option optional_houses


def test_f8_leave_in_spread_leaves_out_the_free_city(horses: bool) -> None:
    game = closing(COAST, horses, optional_houses=True)
    play(game, "spread", "house Hannover")
    assert set(game.legal) == FREE_ON_COAST | {"leave"}
    play(game, "leave")
    assert (new_houses(game), game.seat, tiles(game)) == ({"Hannover"}, 1, [])


def test_f8_leave_in_spread_leaves_out_the_province() -> None:
    game = closing(COAST, optional_houses=True)
    play(game, "spread", "leave", "house Bremen")
    assert (new_houses(game), game.seat) == ({"Bremen"}, 1)


def test_f8_leave_ends_the_placing_when_houses_run_short() -> None:
    """F6, F8: a free city is left out with the rest."""
    route = ["Hamburg", "Bremen", "Hannover", "Magdeburg"]
    before = all_but(*route, "Dresden")
    game = closing(route, houses=before, optional_houses=True)
    play(game, "spread", "house Hannover")
    assert set(game.legal) == {"house Hamburg", "house Bremen", "house Magdeburg", "leave"}
    play(game, "leave")
    assert (new_houses(game, before), game.seat) == ({"Hannover"}, 1)


def test_f7_f8_city_by_city_and_then_the_free_cities() -> None:
    """R18, N2, F7, F8: the last question may be left out, too."""
    given: dict[str, Any] = {"free_city_with_fill": True, "optional_houses": True}
    game = closing(SOUTHWARD, **given)
    play(game, "fill Hannover")
    assert set(game.legal) == {"house Hannover", "leave"}
    play(game, "house Hannover")
    assert set(game.legal) == {"house Göttingen", "leave"}
    play(game, "leave")
    assert set(game.legal) == {"house Hamburg", "house Bremen", "leave"}
    left = play(game.copy(), "leave")
    assert (new_houses(left), left.seat) == ({"Hannover"}, 1)
    play(game, "house Bremen")
    assert (new_houses(game), game.seat) == ({"Hannover", "Bremen"}, 1)


def test_f7_f8_a_free_city_alone_when_the_province_is_left_out() -> None:
    game = closing(SOUTHWARD, free_city_with_fill=True, optional_houses=True)
    play(game, "fill Hannover", "leave", "leave", "house Hamburg")
    assert (new_houses(game), game.seat) == ({"Hamburg"}, 1)


def test_f8_leave_ends_a_fill_that_runs_short() -> None:
    """F7, F8: it ends the placing, so no free city is asked for although a house is left."""
    before = all_but("Hannover", "Göttingen", "Bremen", "Dresden")
    game = closing(SOUTHWARD, houses=before, free_city_with_fill=True, optional_houses=True)
    play(game, "fill Hannover")
    assert set(game.legal) == {"house Hannover", "house Göttingen", "leave"}
    play(game, "leave")
    assert (new_houses(game, before), game.seat, owned(game)["houses_left"]) == (set(), 1, 1)


# The tiles of free cities


def test_n3_the_first_house_takes_the_tile(horses: bool) -> None:
    game = play(closing(COAST, horses), "spread", "house Hannover", "house Hamburg")
    assert owned(game)["tiles"] == [{"stack": "Hamburg", "value": 1}]
    assert game.public()["stacks"]["Hamburg"] == []
    assert game.public()["stacks"]["Bremen"] == [1]


def test_n3_the_second_house_takes_none() -> None:
    others = {1: Player(houses=["Hamburg"])}
    game = closing(COAST, others=others, tiles={"Hamburg": [1]})
    play(game, "spread", "house Hannover", "house Hamburg")
    assert (tiles(game), tiles(game, 1)) == ([], ["Hamburg"])
    assert set(owned(game)["houses"]) == {"Hannover", "Hamburg"}


def test_n3_r29_the_tile_is_worth_a_point() -> None:
    """N3, R29: and carriage 3 two, with eighteen houses left."""
    game = play(closing(COAST), "spread", "house Hannover", "house Hamburg")
    assert game.scores == [1 + 2 - 18, -20]


def test_f10_the_free_citys_tile_comes_with_the_house(horses: bool) -> None:
    """N3, F10: while other houses are still to be placed; the tile for five cities comes after them."""
    route = ["Lübeck", "Hamburg", "Bremen", "Hannover", "Magdeburg"]
    game = closing(route, horses, houses=all_but(*route))
    play(game, "spread", "house Hamburg")
    assert (game.phase, tiles(game)) == ("house", ["Hamburg"])
    play(game, "house Magdeburg")
    assert {"Hamburg", "game end", "distance 5"} <= set(tiles(game))


def test_f10_a_free_city_may_get_the_twentieth_house() -> None:
    """R27, N3, F10: it takes both tiles."""
    route = ["Lübeck", "Schwerin", "Hamburg"]
    game = closing(route, houses=all_but(*route, "Dresden"))
    play(game, "spread", "house Hamburg")
    assert {"Hamburg", "game end"} <= set(tiles(game))
    assert game.public()["final_round"]
