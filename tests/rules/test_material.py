"""The material and the set-up (M1 - M4)."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import thurn_env
from tests.positions import Player, all_cities_but, owned, play, position
from thurn_env import Game, OptionError
from thurn_env.games.thurn_und_taxis.board.shipped import load_board

BOARDS = Path(thurn_env.__file__).parent / "games/thurn_und_taxis/board"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m1_what_every_player_begins_with(players: int) -> None:
    game = Game(players=players, seed=1)
    assert len(game.public()["players"]) == players
    for seat in range(players):
        mine = owned(game, seat)
        assert (mine["houses_left"], mine["houses"]) == (20, [])
        assert (mine["hand_size"], game.hand(seat)) == (0, {})
        assert (mine["route"], mine["carriage"], mine["tiles"]) == ([], 0, [])


@pytest.mark.parametrize("players", [1, 5])
def test_m1_two_to_four_players(players: int) -> None:
    with pytest.raises(OptionError, match="2 to 4 players"):
        Game(players=players)


def test_m1_the_start_player_is_random() -> None:
    starters = {Game(players=3, seed=seed).start_player for seed in range(40)}
    assert starters == {0, 1, 2}


def test_m1_f1_a_given_start_player_begins() -> None:
    game = Game(players=3, seed=1, start_player=2)
    assert (game.start_player, game.seat) == (2, 2)


def test_m2_the_board() -> None:
    board = load_board("south")
    assert (len(board.cities), len(board.provinces), len(board.roads)) == (22, 9, 45)


def test_m2_three_cards_per_city_and_six_of_them_face_up() -> None:
    game = Game(players=2, seed=1)
    first_deck = game.record().chance["decks"][0]
    assert len(first_deck) == 66
    assert Counter(first_deck) == dict.fromkeys(all_cities_but(), 3)
    public = game.public()
    assert (len(public["display"]), public["deck_size"], public["discard"]) == (6, 60, {})


def test_m2_f2_the_display_is_dealt_in_slot_order() -> None:
    game = Game(players=2, seed=1)
    assert game.public()["display"] == game.record().chance["decks"][0][:6]


def test_m3_the_stacks_with_the_best_tile_on_top() -> None:
    assert Game(players=2, seed=1).public()["stacks"] == {
        "distance 7": [4, 3, 2, 1],
        "distance 6": [3, 2, 1],
        "distance 5": [2, 1],
        "all provinces": [6, 5, 4, 3],
        "Baiern": [5, 4, 3, 2],
        "Baden": [3, 2, 1],
        "Württemberg and Hohenzollern": [3, 2, 1],
        "Schweiz and Tyrol": [3, 2, 1],
        "Böhmen and Salzburg": [4, 3, 2],
        "game end": [1],
    }


def test_m3_the_best_tile_is_taken_first() -> None:
    game = position(phase="end", route=["Mannheim", "Carlsruhe", "Freiburg"])
    play(game, "close", "fill Baden")
    assert owned(game)["tiles"] == [{"stack": "Baden", "value": 3}]
    assert game.public()["stacks"]["Baden"] == [2, 1]


def test_m3_polen_has_no_stack() -> None:
    game = position(phase="end", route=["Lodz", "Pilsen", "Budweis"])
    play(game, "close", "fill Polen")
    assert owned(game)["houses"] == ["Lodz"]
    assert owned(game)["tiles"] == []


@pytest.mark.parametrize(("carriage", "points"), [(0, 0), (3, 2), (4, 3), (5, 5), (6, 7), (7, 10)])
def test_m4_r29_what_carriages_are_worth(carriage: int, points: int) -> None:
    assert position(carriage=carriage).scores[0] == points - 20


def test_m4_r24_carriages_never_run_out() -> None:
    """The last of four players takes the carriage that the others have."""
    route = ["Lodz", "Pilsen", "Nürnberg"]
    others = {seat: Player(carriage=3) for seat in range(3)}
    game = position(4, phase="end", seat=3, route=route, others=others)
    play(game, "close", "fill Polen")
    assert owned(game, 3)["carriage"] == 3


@pytest.mark.parametrize("name", ["south", "tiny"])
def test_f9_cities_and_provinces_in_the_order_of_the_board_file(name: str) -> None:
    file = tomllib.loads((BOARDS / f"{name}.toml").read_text("utf-8"))
    cities = [city["name"] for city in file["cities"]]
    provinces = [province["name"] for province in file["provinces"]]
    board = load_board(name)
    assert [city.name for city in board.cities] == cities
    assert [province.name for province in board.provinces] == provinces
    texts = Game(players=2, board=name, seed=1).rules.action_texts
    assert [text for text in texts if text.startswith("house ")] == [f"house {city}" for city in cities]
    assert [text for text in texts if text.startswith("fill ")] == [f"fill {one}" for one in provinces]
