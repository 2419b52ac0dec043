"""What a closed route brings: bonus tiles, carriages and the cartwright (R21 - R25, F10)."""

from typing import Any

import pytest

from tests.positions import all_cities_but, owned, play, position
from thurn_env import Game, IllegalAction

FIVE = ["Zürich", "Kempten", "Ulm", "Stuttgart", "Nürnberg"]
SIX = [*FIVE, "Pilsen"]
SEVEN = [*SIX, "Budweis"]
EIGHT = [*SEVEN, "Linz"]


def closed(route: list[str], *actions: str, **given: Any) -> Game:
    """A game in which a player has closed this route and then made these choices."""
    return play(position(phase="end", route=route, **given), "close", *actions)


def tiles(game: Game, seat: int = 0) -> dict[str, int]:
    """A player's tiles: name of the stack to value. No test has two tiles of one stack here."""
    return {tile["stack"]: tile["value"] for tile in owned(game, seat)["tiles"]}


# Distance


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        (FIVE[:4], {}),
        (FIVE, {"distance 5": 2}),
        (SIX, {"distance 6": 3}),
        (SEVEN, {"distance 7": 4}),
        (EIGHT, {"distance 7": 4}),
    ],
)
def test_r21_one_distance_tile_by_length(route: list[str], expected: dict[str, int]) -> None:
    assert tiles(closed(route, "fill Schweiz")) == expected


@pytest.mark.parametrize(
    ("route", "empty", "expected"),
    [
        (SEVEN, ("distance 7",), {"distance 6": 3}),
        (SEVEN, ("distance 7", "distance 6"), {"distance 5": 2}),
        (EIGHT, ("distance 7", "distance 6"), {"distance 5": 2}),
        (SEVEN, ("distance 7", "distance 6", "distance 5"), {}),
        (SEVEN, ("distance 6",), {"distance 7": 4}),
        (SIX, ("distance 6",), {"distance 5": 2}),
        (SIX, ("distance 6", "distance 5"), {}),
        (FIVE, ("distance 5",), {}),
    ],
)
def test_r22_an_empty_distance_stack_gives_the_next_lower_tile(
    route: list[str], empty: tuple[str, ...], expected: dict[str, int]
) -> None:
    """R22: and never a higher one."""
    sizes = {"distance 7": 4, "distance 6": 3, "distance 5": 2}
    game = closed(route, "fill Schweiz", tiles={name: [1] * sizes[name] for name in empty})
    assert tiles(game) == expected


def test_r22_several_distance_tiles_over_a_game() -> None:
    game = closed(SIX, "fill Schweiz", tiles={"distance 6": [0, 1], "distance 5": [0]})
    values = sorted((tile["stack"], tile["value"]) for tile in owned(game)["tiles"])
    assert values == [("distance 5", 2), ("distance 6", 1), ("distance 6", 3)]


# Provinces


@pytest.mark.parametrize(
    ("stack", "value", "route", "before", "choice"),
    [
        ("Baden", 3, ["Mannheim", "Carlsruhe", "Freiburg"], [], "fill Baden"),
        (
            "Württemberg and Hohenzollern",
            3,
            ["Stuttgart", "Ulm", "Augsburg"],
            ["Sigmaringen"],
            "fill Württemberg",
        ),
        ("Schweiz and Tyrol", 3, ["Freiburg", "Basel", "Zürich"], ["Innsbruck"], "fill Schweiz"),
        ("Böhmen and Salzburg", 4, ["Passau", "Linz", "Salzburg"], ["Pilsen", "Budweis"], "fill Salzburg"),
        (
            "Baiern",
            5,
            ["Augsburg", "München", "Passau"],
            ["Würzburg", "Nürnberg", "Regensburg", "Ingolstadt", "Kempten"],
            "fill Baiern",
        ),
    ],
)
def test_r21_a_house_in_every_city_of_the_stacks_provinces(
    stack: str, value: int, route: list[str], before: list[str], choice: str
) -> None:
    assert tiles(closed(route, choice, houses=before)) == {stack: value}


def test_r21_half_of_a_pair_of_provinces_is_not_enough() -> None:
    game = closed(["Stuttgart", "Ulm", "Augsburg"], "fill Württemberg")
    assert tiles(game) == {}


def test_r21_spread_may_complete_two_stacks() -> None:
    """One house each in Baden, Hohenzollern and Schweiz; no choice of tiles is asked."""
    before = ["Mannheim", "Carlsruhe", "Stuttgart", "Ulm", "Basel", "Innsbruck"]
    route = ["Freiburg", "Sigmaringen", "Zürich"]
    game = closed(route, "spread", "house Freiburg", "house Sigmaringen", "house Zürich", houses=before)
    assert tiles(game) == {"Baden": 3, "Württemberg and Hohenzollern": 3, "Schweiz and Tyrol": 3}


def test_r21_distance_province_and_all_provinces_in_one_closing() -> None:
    """R21, F10."""
    before = [
        "Mannheim",
        "Carlsruhe",
        "Stuttgart",
        "Sigmaringen",
        "Kempten",
        "Innsbruck",
        "Pilsen",
        "Lodz",
        "Linz",
    ]
    route = ["Freiburg", "Basel", "Zürich", "Sigmaringen", "Ulm"]
    game = closed(route, "fill Schweiz", houses=before)
    assert tiles(game) == {"distance 5": 2, "all provinces": 6, "Schweiz and Tyrol": 3}


def test_r23_one_tile_of_a_stack_per_player() -> None:
    route = ["Mannheim", "Carlsruhe", "Freiburg"]
    game = closed(route, houses=route, tiles={"Baden": [0]})
    assert tiles(game) == {"Baden": 3}
    assert game.public()["stacks"]["Baden"] == [2, 1]


def test_r23_the_second_player_takes_the_next_tile() -> None:
    game = closed(["Mannheim", "Carlsruhe", "Freiburg"], "fill Baden", tiles={"Baden": [1]})
    assert tiles(game) == {"Baden": 2}
    assert game.scores == [2 + 2 - 17, 3 - 20]


def test_r23_an_empty_province_stack_gives_nothing() -> None:
    """R23: the fourth player in Baden, whose stack has three tiles."""
    game = closed(["Mannheim", "Carlsruhe", "Freiburg"], "fill Baden", players=4, tiles={"Baden": [1, 2, 3]})
    assert tiles(game) == {}


# All provinces

ONE_EACH = ["Mannheim", "Ulm", "Sigmaringen", "Kempten", "Zürich", "Innsbruck", "Linz", "Pilsen", "Lodz"]


@pytest.mark.parametrize("missing", ONE_EACH)
def test_r21_all_provinces_asks_for_every_one_of_nine(missing: str) -> None:
    """R21: eight provinces are not enough, whichever is missing."""
    provinces = {"Ulm": "Württemberg", "Kempten": "Baiern", "Zürich": "Schweiz"}
    choices = [f"fill {provinces[missing]}", "leave"] if missing in provinces else []
    before = [name for name in ONE_EACH if name != missing]
    game = closed(list(provinces), *choices, houses=before, optional_houses=True)
    assert "all provinces" not in tiles(game)


@pytest.mark.parametrize(("last", "province"), [("Ulm", "Württemberg"), ("Kempten", "Baiern"), ("Zürich", "Schweiz")])
def test_r21_all_provinces_with_the_ninth_house(last: str, province: str) -> None:
    before = [name for name in ONE_EACH if name != last]
    game = closed(["Ulm", "Kempten", "Zürich"], f"fill {province}", houses=before)
    assert tiles(game) == {"all provinces": 6}


def test_r23_all_provinces_once_per_player() -> None:
    game = closed(["Ulm", "Kempten", "Zürich"], houses=ONE_EACH, tiles={"all provinces": [1, 0]})
    assert tiles(game) == {"all provinces": 5}


def test_r23_the_last_of_the_all_provinces_tiles() -> None:
    before = [name for name in ONE_EACH if name != "Ulm"]
    route = ["Ulm", "Kempten", "Zürich"]
    game = closed(route, "fill Württemberg", players=4, houses=before, tiles={"all provinces": [3, 2, 1]})
    assert tiles(game) == {"all provinces": 3}


def test_r21_the_first_edition_does_without_baiern() -> None:
    """R21: houses in the eight other provinces, with and without the option."""
    before = [name for name in ONE_EACH if name not in ("Kempten", "Zürich")]
    for option, expected in ((True, {"all provinces": 6}), (False, {})):
        game = closed(
            ["Ulm", "Kempten", "Zürich"],
            "fill Schweiz",
            houses=before,
            all_provinces_without_baiern=option,
        )
        assert tiles(game) == expected


def test_r21_the_first_edition_still_asks_for_eight() -> None:
    """R21: Baiern does not stand in for Polen."""
    before = [name for name in ONE_EACH if name not in ("Lodz", "Zürich")]
    route = ["Ulm", "Kempten", "Zürich"]
    game = closed(route, "fill Schweiz", houses=before, all_provinces_without_baiern=True)
    assert tiles(game) == {}


# Carriages


@pytest.mark.parametrize(
    ("carriage", "route", "expected"),
    [
        (0, FIVE[:3], 3),
        (0, SEVEN, 3),
        (3, FIVE[:4], 4),
        (3, SEVEN, 4),
        (4, FIVE, 5),
        (5, SIX, 6),
        (6, SEVEN, 7),
        (6, EIGHT, 7),
    ],
)
def test_r24_exactly_the_next_carriage(carriage: int, route: list[str], expected: int) -> None:
    """R24, R25: taken without a question, one per closing."""
    game = closed(route, "fill Schweiz", carriage=carriage)
    assert (owned(game)["carriage"], game.seat) == (expected, 1)


def test_r24_the_length_counts_and_not_the_houses() -> None:
    game = closed(FIVE, houses=FIVE, carriage=4)
    assert (owned(game)["carriage"], owned(game)["houses"]) == (5, sorted(FIVE, key=all_cities_but().index))


@pytest.mark.parametrize(
    ("carriage", "route"),
    [(3, FIVE[:3]), (4, FIVE[:3]), (4, FIVE[:4]), (5, FIVE), (5, FIVE[:4]), (6, SIX), (6, FIVE)],
)
def test_r25_the_cartwright_helps_with_one_or_two_missing_cities(carriage: int, route: list[str]) -> None:
    game = closed(route, "fill Schweiz", carriage=carriage)
    assert (game.phase, set(game.legal)) == ("cartwright", {"cartwright", "decline"})
    assert owned(game)["carriage"] == carriage
    declined = play(game.copy(), "decline")
    assert (owned(declined)["carriage"], declined.seat) == (carriage, 1)
    play(game, "cartwright")
    assert (owned(game)["carriage"], game.seat) == (carriage + 1, 1)


@pytest.mark.parametrize(("carriage", "route"), [(5, FIVE[:3]), (6, FIVE[:4]), (6, FIVE[:3])])
def test_r25_the_cartwright_does_not_help_with_three_missing_cities(carriage: int, route: list[str]) -> None:
    game = closed(route, "fill Schweiz", carriage=carriage)
    assert (owned(game)["carriage"], game.seat) == (carriage, 1)


def test_r4_r25_no_cartwright_when_an_official_has_helped() -> None:
    game = closed(FIVE[:3], "fill Schweiz", carriage=3, official_used=True)
    assert (owned(game)["carriage"], game.seat) == (3, 1)


def test_r25_the_cartwright_does_not_lengthen_the_route() -> None:
    """R25: the tile is that of five cities; and two cities are still too few to close."""
    game = closed(FIVE, "fill Schweiz", "cartwright", carriage=6)
    assert tiles(game) == {"distance 5": 2, "game end": 1}
    short = position(phase="end", route=["Ulm", "Kempten"])
    assert "close" not in short.legal
    with pytest.raises(IllegalAction):
        short.play("cartwright")


def test_r25_the_cartwright_is_asked_for_only_while_closing() -> None:
    with pytest.raises(IllegalAction, match="helps only while closing"):
        position(phase="end", route=FIVE[:3], carriage=3).play("cartwright")


def test_r25_the_question_names_the_reason_of_what_is_not_legal() -> None:
    """R15, R25: the explanation of the position."""
    text = closed(FIVE[:3], "fill Schweiz", carriage=3, hand=["Lodz"]).explain()
    assert "Legal: cartwright, decline." in text
    assert "no card is played after closing the route" in text


# When the game-end tile is taken


def test_f10_the_game_end_tile_comes_with_the_last_house() -> None:
    """R27, F10: before the cartwright is asked for."""
    free = ["Zürich", "Kempten", "Lodz"]
    game = closed(FIVE[:3], "fill Schweiz", houses=all_cities_but(*free), carriage=3)
    assert (game.phase, owned(game)["houses_left"]) == ("cartwright", 0)
    assert tiles(game)["game end"] == 1
    assert game.public()["stacks"]["game end"] == []


def test_f10_the_game_end_tile_comes_with_carriage_seven() -> None:
    """R27, F10: the other tiles are taken after placing, this one with the carriage."""
    game = closed(FIVE, "fill Schweiz", carriage=6)
    assert (game.phase, tiles(game)) == ("cartwright", {"distance 5": 2})
    assert not game.public()["final_round"]
    play(game, "cartwright")
    assert tiles(game) == {"distance 5": 2, "game end": 1}
    assert game.public()["final_round"]
