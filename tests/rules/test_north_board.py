"""The north board: its facts, its tiles and the standard rules on it (N1, N3 - N5); free cities: `test_free_cities`."""

from collections import Counter
from typing import Any

import pytest

from tests.positions import all_cities_but, owned, play, position
from thurn_env import Game, OptionError
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import load_board

FREE_CITIES = {"Bremen", "Hamburg", "Lübeck", "Frankfurt"}

# The roads from Groningen to Leipzig: nine cities in a row.
NINE = ["Groningen", "Amsterdam", "Brüssel", "Cölln", "Coblenz", "Frankfurt", "Würzburg", "Weimar", "Leipzig"]

# A city of every province.
ONE_EACH = [
    *("Berlin", "Göttingen", "Schwerin", "Dresden", "Weimar"),
    *("Amsterdam", "Brüssel", "Fulda", "Würzburg"),
]


@pytest.fixture(scope="module")
def north() -> Board:
    return load_board("north")


def closed(route: list[str], *actions: str, **given: Any) -> Game:
    """A game on the north board in which a player has closed this route and then made these choices."""
    return play(position(board="north", phase="end", route=route, **given), "close", *actions)


def tiles(game: Game, seat: int = 0) -> dict[str, int]:
    """A player's tiles: name of the stack to value. No test has two tiles of one stack here."""
    return {tile["stack"]: tile["value"] for tile in owned(game, seat)["tiles"]}


def top_tile(stack: str) -> int:
    """The best tile of a stack of the north board."""
    return next(found.values[0] for found in load_board("north").stacks if found.name == stack)


def emptied(*stacks: str) -> dict[str, list[int]]:
    """These stacks without a tile left: player 1 has them all."""
    return {stack.name: [1] * len(stack.values) for stack in load_board("north").stacks if stack.name in stacks}


# The facts


def test_n1_cities_provinces_and_cards(north: Board) -> None:
    assert (len(north.cities), len(north.provinces)) == (23, 9)
    first_deck = Game(players=2, board="north", seed=1).record().chance["decks"][0]
    assert len(first_deck) == 69
    assert Counter(first_deck) == dict.fromkeys(all_cities_but(board="north"), 3)


def test_n1_four_free_cities_belong_to_no_province(north: Board) -> None:
    assert {city.name for city in north.cities if city.province is None} == FREE_CITIES
    provinces = {province.name for province in north.provinces}
    assert {city.province for city in north.cities if city.name not in FREE_CITIES} == provinces


def test_n1_preussen_lies_in_two_parts(north: Board) -> None:
    """N1: roads within Preussen join its cities to two groups."""
    left = {city.name for city in north.cities if city.province == "Preussen"}
    parts = []
    while left:
        part = [left.pop()]
        for here in part:
            near = left & set(north.neighbours(here))
            part += near
            left -= near
        parts.append(set(part))
    assert sorted(map(sorted, parts)) == [
        ["Berlin", "Magdeburg", "Stettin"],
        ["Coblenz", "Cölln", "Minden", "Münster"],
    ]


def test_n1_the_board_says_what_is_reconstructed(north: Board) -> None:
    """The road network, 11 city names and the horses on the cards; see the ruling above N1."""
    assert set(north.road_status) == {"reconstructed"}
    assert Counter(dict(city.status)["name"] for city in north.cities) == {"confirmed": 12, "reconstructed": 11}
    assert {dict(city.status)["horses"] for city in north.cities} == {"reconstructed"}
    assert "reconstructed" in north.title.lower()
    assert "reconstructed" in north.sources.lower()


def test_n3_every_free_city_has_a_tile_of_one_point(north: Board) -> None:
    stacks = {stack.city: stack.values for stack in north.stacks if stack.kind == "free_city"}
    assert stacks == dict.fromkeys(FREE_CITIES, (1,))


def test_n4_the_province_stacks(north: Board) -> None:
    assert {frozenset(stack.provinces) for stack in north.stacks if stack.kind == "provinces"} == {
        frozenset({"Preussen"}),
        frozenset({"Sachsen", "Thüringen"}),
        frozenset({"Holland", "Belgien"}),
        frozenset({"Hannover", "Mecklenburg"}),
        frozenset({"Hessen", "Baiern"}),
    }


def test_n4_the_distance_stacks(north: Board) -> None:
    assert sorted(stack.length or 0 for stack in north.stacks if stack.kind == "distance") == [5, 6, 7, 8]


def test_m1_n5_what_every_player_begins_with() -> None:
    """N5: nothing is said of horses, of which there are none."""
    game = Game(players=2, board="north", seed=1)
    public = game.public()
    assert (len(public["display"]), public["deck_size"], "top_horses" in public) == (6, 63, False)
    for mine in public["players"]:
        assert (mine["houses_left"], mine["houses"], mine["hand_size"], mine["route"]) == (20, [], 0, [])
        assert not {"horses", "harnessed", "unseen_horses"} & set(mine)


# The standard rules


def test_n5_standard_rules_have_a_cartwright_and_no_horses() -> None:
    words = {text.split()[0] for text in Game(players=2, board="north", seed=1).rules.action_texts}
    assert {"cartwright", "decline"} <= words
    assert "harness" not in words


@pytest.mark.parametrize(("carriage", "points"), [(0, 0), (3, 2), (4, 3), (5, 5), (6, 7), (7, 10)])
def test_n5_what_carriages_are_worth(carriage: int, points: int) -> None:
    """N5, M4, R29."""
    assert position(board="north", carriage=carriage).scores[0] == points - 20


@pytest.mark.parametrize(("carriage", "length", "expected"), [(0, 3, 3), (3, 4, 4), (4, 5, 5), (5, 6, 6), (6, 7, 7)])
def test_n5_the_next_carriage(carriage: int, length: int, expected: int) -> None:
    """N5, R24."""
    game = closed(NINE[:length], "fill Belgien", carriage=carriage)
    assert (owned(game)["carriage"], game.seat) == (expected, 1)


def test_n5_the_cartwright_helps() -> None:
    """N5, R25: four cities are two short of carriage 6."""
    game = closed(NINE[:4], "fill Belgien", carriage=5)
    assert set(game.legal) == {"cartwright", "decline"}
    play(game, "cartwright")
    assert owned(game)["carriage"] == 6


def test_n5_carriage_seven_triggers_the_end() -> None:
    """N5, R27."""
    game = closed(NINE[:7], "fill Belgien", carriage=6)
    assert tiles(game)["game end"] == 1
    assert game.public()["final_round"]


def test_n5_cards_are_laid_along_the_roads() -> None:
    """N5, R11, R14: free cities are laid like any other, and provinces do not matter."""
    hand = ["Groningen", "Lübeck", "Hannover", "Schwerin", "Frankfurt", "Berlin"]
    game = position(board="north", phase="play", hand=hand, route=["Bremen", "Hamburg"])
    extensions = {action for action in game.legal if action.split()[0] in ("left", "right")}
    assert extensions == {
        *("left Groningen", "left Hannover"),
        *("right Lübeck", "right Hannover", "right Schwerin"),
    }


def test_n1_spread_places_one_house_in_both_parts_of_preussen() -> None:
    """N1, R16: Minden and Magdeburg lie in different parts of one province."""
    game = closed(["Minden", "Hannover", "Magdeburg"], "spread")
    assert set(game.legal) == {"house Magdeburg", "house Minden"}
    play(game, "house Minden")
    assert set(game.legal) == {"house Hannover"}
    play(game, "house Hannover")
    assert (set(owned(game)["houses"]), game.seat) == ({"Minden", "Hannover"}, 1)


def test_n1_fill_places_houses_in_both_parts_of_preussen() -> None:
    game = closed(["Minden", "Hannover", "Magdeburg"], "fill Preussen")
    assert set(owned(game)["houses"]) == {"Minden", "Magdeburg"}


# Tiles


@pytest.mark.parametrize(
    ("length", "stack"),
    [(4, None), (5, "distance 5"), (6, "distance 6"), (7, "distance 7"), (8, "distance 8"), (9, "distance 8")],
)
def test_n4_one_distance_tile_by_length(length: int, stack: str | None) -> None:
    """N4, R21: eight and more cities take the tile for eight."""
    game = closed(NINE[:length], "fill Belgien")
    assert tiles(game) == ({stack: top_tile(stack)} if stack else {})


@pytest.mark.parametrize(
    ("length", "empty", "stack"),
    [
        (8, ["distance 8"], "distance 7"),
        (9, ["distance 8", "distance 7"], "distance 6"),
        (8, ["distance 8", "distance 7", "distance 6"], "distance 5"),
        (8, ["distance 8", "distance 7", "distance 6", "distance 5"], None),
        (8, ["distance 7"], "distance 8"),
        (7, ["distance 7"], "distance 6"),
    ],
)
def test_n4_r22_an_empty_distance_stack_gives_the_next_lower_tile(
    length: int, empty: list[str], stack: str | None
) -> None:
    game = closed(NINE[:length], "fill Belgien", tiles=emptied(*empty))
    assert tiles(game) == ({stack: top_tile(stack)} if stack else {})


@pytest.mark.parametrize(
    ("stack", "route", "before", "choice"),
    [
        ("Sachsen and Thüringen", ["Leipzig", "Weimar", "Göttingen"], ["Dresden", "Leipzig"], "fill Thüringen"),
        ("Holland and Belgien", ["Groningen", "Amsterdam", "Brüssel"], ["Brüssel"], "fill Holland"),
        ("Hannover and Mecklenburg", ["Hannover", "Göttingen", "Weimar"], ["Schwerin"], "fill Hannover"),
        ("Hessen and Baiern", ["Cassel", "Fulda", "Würzburg"], ["Cassel", "Fulda"], "fill Baiern"),
    ],
)
def test_n4_the_pairs_of_provinces(stack: str, route: list[str], before: list[str], choice: str) -> None:
    """N4, R21: both provinces of a pair, and not one alone."""
    assert tiles(closed(route, choice, houses=before)) == {stack: top_tile(stack)}
    assert tiles(closed(route, choice)) == {}


def test_n4_preussen_alone() -> None:
    """N1, N4, R21: every city of both parts, and of no other province."""
    east, west = ["Berlin", "Magdeburg", "Stettin"], ["Cölln", "Münster", "Minden"]
    route = ["Cölln", "Coblenz", "Frankfurt"]
    assert tiles(closed(route, "fill Preussen", houses=[*east, *west])) == {"Preussen": top_tile("Preussen")}
    assert tiles(closed(route, "fill Preussen", houses=west)) == {}


def test_n3_all_provinces_does_without_free_cities() -> None:
    """N3, R21: houses in nine provinces are enough."""
    before = [name for name in ONE_EACH if name != "Würzburg"]
    game = closed(["Fulda", "Würzburg", "Frankfurt"], "fill Baiern", houses=before)
    assert tiles(game) == {"all provinces": top_tile("all provinces")}


def test_n3_a_free_city_is_no_ninth_province() -> None:
    """N3, R21: eight provinces and all free cities are not enough."""
    before = [*(name for name in ONE_EACH if name != "Würzburg"), *(FREE_CITIES - {"Frankfurt"})]
    choices = ["spread", "leave", "house Frankfurt"]
    game = closed(["Fulda", "Frankfurt", "Würzburg"], *choices, houses=before, optional_houses=True)
    assert set(owned(game)["houses"]) >= FREE_CITIES
    assert "all provinces" not in tiles(game)


@pytest.mark.parametrize("board", ["south", "tiny"])
def test_h1_horses_are_for_the_north_board_only(board: str) -> None:
    """The option of H1 - H7: other boards have no horses on their cards."""
    with pytest.raises(OptionError) as error:
        Game(players=2, board=board, horses=True, seed=1)
    message = str(error.value)
    assert "north" in message
    assert "horses" in message
    assert board in message
