"""A board file of one's own, as somebody would write it who mends the north board: everything comes from the file.

Own numbers of cards per city, other horses, a pair of provinces, other distances and free cities with several tiles.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.choices import Chooser
from tests.positions import Player, all_cards, owned, play, position
from thurn_env import Game, IllegalAction
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.table.replay import verify

CARDS = {
    "Emden": [1, 1, 2, 5],
    "Bremen": [3, 3],
    "Aurich": [1, 2, 3],
    "Leer": [2, 2, 2],
    "Jever": [1, 4, 4],
    "Lingen": [1, 2, 3],
    "Meppen": [3, 3, 3],
    "Oldenburg": [2, 2, 4],
    "Vechta": [1, 1, 1],
    "Cloppenburg": [4],
}
"""The horses on the cards of every city."""

PROVINCES = {
    "Ostfriesland": ["Aurich", "Leer"],
    "Jeverland": ["Jever"],
    "Emsland": ["Lingen", "Meppen"],
    "Oldenburg": ["Oldenburg", "Vechta", "Cloppenburg"],
}

NINE = ["Emden", "Aurich", "Jever", "Oldenburg", "Bremen", "Vechta", "Cloppenburg", "Lingen", "Meppen"]

FILE = """
format = "thurn-board/1"
name = "corrected"
title = "A corrected board"
sources = "For tests."
roads = [
    ["Emden", "Aurich"], ["Aurich", "Jever"], ["Jever", "Oldenburg"], ["Oldenburg", "Bremen"], ["Bremen", "Vechta"],
    ["Vechta", "Cloppenburg"], ["Cloppenburg", "Lingen"], ["Lingen", "Meppen"], ["Meppen", "Leer"], ["Leer", "Emden"],
    ["Leer", "Aurich"], ["Leer", "Oldenburg"],
]
carriages = [{length = 3, points = 1}, {length = 5, points = 4}]
stacks = [
    {name = "distance 4", kind = "distance", length = 4, values = [3, 1]},
    {name = "distance 9", kind = "distance", length = 9, values = [9]},
    {name = "distance 2", kind = "distance", length = 2, values = [2, 1, 1]},
    {name = "everywhere", kind = "all_provinces", values = [4, 3]},
    {name = "the coast", kind = "provinces", provinces = ["Jeverland", "Ostfriesland"], values = [3, 2]},
    {name = "Oldenburg", kind = "provinces", provinces = ["Oldenburg"], values = [5]},
    {name = "Emden", kind = "free_city", city = "Emden", values = [3, 2, 1]},
    {name = "Bremen", kind = "free_city", city = "Bremen", values = [2]},
    {name = "game end", kind = "game_end", values = [1]},
]

[constants]
houses_per_player = 7
copies_per_city = 3
display_size = 4
minimum_route = 3
hand_limit = 3
cartwright_reach = 1

[horses]
own = 3
most_cards = 4

[map]
width = 100
height = 100
"""


def board_file() -> str:
    """The whole file: what stands above, and the provinces and cities."""
    text = FILE
    for number, province in enumerate(PROVINCES):
        text += f'[[provinces]]\nname = "{province}"\ncolour = "#{number}{number}8888"\n'
    for number, (city, horses) in enumerate(CARDS.items()):
        text += f'[[cities]]\nname = "{city}"\nx = {10 * number}\ny = {number**2}\nhorses = {horses}\n'
        home = [name for name, cities in PROVINCES.items() if city in cities]
        text += f'province = "{home[0]}"\n' if home else "free_city = true\n"
        text += f"copies = {len(horses)}\n" if len(horses) != 3 else ""
    return text


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the board file."""
    path: Path = tmp_path_factory.mktemp("board") / "corrected.toml"
    path.write_text(board_file(), "utf-8")
    return str(path)


def closed(board: str, length: int, *actions: str, **given: Any) -> Game:
    """A game in which a player has closed the first cities of the nine and then made these choices."""
    return play(position(2, board, phase="end", route=NINE[:length], **given), "close", *actions)


def tiles(game: Game, seat: int = 0) -> dict[str, int]:
    """A player's tiles: name of the stack to value."""
    return {tile["stack"]: tile["value"] for tile in owned(game, seat)["tiles"]}


# What comes from the file


def test_n1_every_city_has_its_own_number_of_cards(board: str) -> None:
    first_deck = Game(players=2, board=board, seed=1).record().chance["decks"][0]
    assert Counter(first_deck) == {city: len(horses) for city, horses in CARDS.items()}


def test_h1_every_card_has_its_own_horses(board: str) -> None:
    game = Game(players=2, board=board, horses=True, seed=1)
    cards = Counter(f"{city}/{number}" for city, horses in CARDS.items() for number in horses)
    assert Counter(game.record().chance["decks"][0]) == cards
    harnessing = [text for text in game.rules.action_texts if text.startswith("harness ")]
    assert Counter(harnessing) == {f"harness {card}": 1 for card in cards}


def test_n1_the_free_cities_of_the_board(board: str) -> None:
    assert [city.name for city in load_board(board).free_cities] == ["Emden", "Bremen"]


def test_h2_the_boards_own_horses_and_room(board: str) -> None:
    """H2, H4: three own horses and at most four cards on a carriage."""
    hand = ["Vechta/1", "Vechta/1", "Lingen/1"]
    game = position(2, board, horses=True, phase="play", hand=hand, harnessed=["Jever/4", "Jever/4", "Emden/5"])
    assert owned(game)["horses"] == 3 + 13
    play(game, "harness Vechta/1")
    assert (owned(game)["horses"], set(game.legal)) == (3 + 14, {"end"})


def test_h4_the_boards_own_horses_are_enough_for_three_cities(board: str) -> None:
    game = position(2, board, horses=True, phase="end", route=["Meppen/3", "Leer/2", "Emden/2"])
    assert set(game.legal) == {"end", "close"}
    play(game, "close", "fill Emsland")
    assert (owned(game)["horses"], tiles(game)) == (3, {"distance 2": 2})


@pytest.mark.parametrize(
    ("length", "expected"),
    [(3, {"distance 2": 2}), (4, {"distance 4": 3}), (8, {"distance 4": 3}), (9, {"distance 9": 9})],
)
def test_n4_the_boards_distances(board: str, length: int, expected: dict[str, int]) -> None:
    """N4, R21: whatever the order of the stacks in the file."""
    assert tiles(closed(board, length, "fill Ostfriesland")) == expected


def test_r22_the_next_lower_distance_of_the_board(board: str) -> None:
    game = closed(board, 9, "fill Ostfriesland", tiles={"distance 9": [1]})
    assert tiles(game) == {"distance 4": 3}
    game = closed(board, 9, "fill Ostfriesland", tiles={"distance 9": [1], "distance 4": [1, 1]})
    assert tiles(game) == {"distance 2": 2}


def test_n4_the_boards_pair_of_provinces(board: str) -> None:
    assert tiles(closed(board, 3, "fill Jeverland", houses=["Aurich", "Leer"])) == {"distance 2": 2, "the coast": 3}
    assert tiles(closed(board, 3, "fill Jeverland", houses=["Leer"])) == {"distance 2": 2}


def test_n3_a_free_city_with_several_tiles(board: str) -> None:
    """N3: the first house takes the best tile, the next player's the one below, and Bremen has only one."""
    first = closed(board, 3, "spread", "house Aurich", "house Jever", "house Emden")
    assert tiles(first) == {"Emden": 3, "distance 2": 2}
    others = {1: Player(houses=["Emden", "Bremen"])}
    taken = {"Emden": [1], "Bremen": [1]}
    second = closed(board, 3, "spread", "house Aurich", "house Jever", "house Emden", others=others, tiles=taken)
    assert (tiles(second), tiles(second, 1)) == ({"Emden": 2, "distance 2": 2}, {"Emden": 3, "Bremen": 2})
    houses = ["Emden", "Leer", "Aurich"]
    third = closed(
        board, 5, "spread", "house Jever", "house Oldenburg", "house Bremen", others=others, tiles=taken, houses=houses
    )
    assert "Bremen" not in tiles(third)


def test_n3_all_provinces_of_the_board(board: str) -> None:
    """N3, R21: four houses are enough, none of them in a free city."""
    game = closed(board, 3, "fill Jeverland", houses=["Aurich", "Lingen", "Vechta"])
    assert tiles(game) == {"everywhere": 4, "distance 2": 2}


def test_n5_the_boards_carriages(board: str) -> None:
    """N5, R24, R25: the second and last carriage needs five cities, and the cartwright helps with one."""
    assert owned(closed(board, 5, "fill Jeverland", carriage=3))["carriage"] == 5
    assert set(closed(board, 4, "fill Jeverland", carriage=3).legal) == {"cartwright", "decline"}
    assert owned(closed(board, 3, "fill Jeverland", carriage=3))["carriage"] == 3


# Equal cards


def test_f12_harnessing_uses_up_a_known_copy_first(board: str) -> None:
    game = position(2, board, horses=True, phase="play", hand={"Leer/2": 2, "Meppen/3": 1}, known=["Leer/2"])
    assert owned(game)["unseen_horses"] == {"2": 1, "3": 1}
    play(game, "harness Leer/2")
    mine = owned(game)
    assert (mine["known_cards"], mine["unseen_horses"], mine["harnessed"]) == ({}, {"2": 1, "3": 1}, {"Leer/2": 1})
    play(game, "harness Leer/2")
    mine = owned(game)
    assert (mine["unseen_horses"], mine["harnessed"], mine["horses"]) == ({"3": 1}, {"Leer/2": 2}, 7)


def test_f2_of_equal_cards_with_horses_the_lowest_slot_is_taken(board: str) -> None:
    display = ["Jever/1", "Jever/4", "Meppen/3", "Jever/4"]
    game = position(2, board, horses=True, hand=["Leer/2"], display=display, deck=["Lingen/1"])
    play(game, "take Jever/4")
    assert game.public()["display"] == ["Jever/1", "Lingen/1", "Meppen/3", "Jever/4"]


def test_h7_a_redeal_knows_how_many_equal_cards_there_are(board: str) -> None:
    """H7: three unseen cards with three horses each, of three cities."""
    others = {1: Player(hand={"Meppen/3": 3, "Leer/2": 1}, known=["Leer/2"])}
    game = position(2, board, horses=True, hand=["Jever/1"], others=others, deck=["Emden/5"], discard=["Aurich/3"])
    hands = set()
    for seed in range(40):
        twin = game.redeal(0, seed)
        assert twin.public() == game.public()
        assert all_cards(twin) == all_cards(game)
        hand = dict(twin.hand(1))
        assert hand.pop("Leer/2") == 1
        assert set(hand) <= {"Meppen/3", "Bremen/3", "Lingen/3"}
        hands.add(tuple(sorted(hand.items())))
    assert len(hands) > 2


# Whole games


@pytest.mark.parametrize("horses", [False, True], ids=["standard", "horses"])
def test_n5_h6_whole_games_on_the_board(board: str, horses: bool) -> None:
    """N5, H6: no card is lost, games end by a last house, scores add up, and records verify."""
    ended = 0
    for seed in range(4):
        game = Game(players=2, board=board, horses=horses, seed=seed)
        chooser = Chooser(game.rules, seed)
        everything = all_cards(game)
        assert everything.total() == 28
        while not game.over:
            game.play(chooser.one(game.action_mask))
            assert all_cards(game) == everything
            public = game.public()
            assert json.loads(json.dumps(public)) == public
            for mine in public["players"]:
                if horses:
                    cards = mine["harnessed"]
                    numbers = [int(card.rpartition("/")[2]) * number for card, number in cards.items()]
                    assert mine["horses"] == 3 + sum(numbers)
                    assert sum(cards.values()) <= 4
                assert mine["houses_left"] == 7 - len(mine["houses"])
        for seat, score in enumerate(game.scores):
            mine = owned(game, seat)
            points = {0: 0, 3: 1, 5: 4}[mine["carriage"]]
            assert score == points + sum(tile["value"] for tile in mine["tiles"]) - mine["houses_left"]
            if horses:
                assert mine["carriage"] == 0
        if horses and not game.truncated:
            assert 0 in [mine["houses_left"] for mine in game.public()["players"]]
        ended += not game.truncated
        verify(game.record())
    assert ended >= 2


def test_h2_a_full_carriage_takes_no_more(board: str) -> None:
    full = ["Jever/4", "Jever/4", "Emden/5", "Vechta/1"]
    game = position(2, board, horses=True, phase="play", hand=["Vechta/1"], harnessed=full)
    assert "start Vechta/1" in game.legal
    assert "harness Vechta/1" not in game.legal
    with pytest.raises(IllegalAction):
        game.play("harness Vechta/1")
