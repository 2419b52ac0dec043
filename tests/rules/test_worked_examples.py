"""Worked examples: those of the printed rules, and some more of their kind."""

from tests.positions import Player, owned, play, position
from thurn_env import Game


def plays(game: Game) -> set[str]:
    """The legal actions that lay a card."""
    return {action for action in game.legal if action.split()[0] in ("left", "right", "start")}


# Laying cards


def test_cards_that_do_not_extend_a_route() -> None:
    """R10, R11, R14: Innsbruck fits neither end, Würzburg only between two cards; Stuttgart is there already."""
    route = ["Carlsruhe", "Stuttgart", "Nürnberg", "Regensburg"]
    hand = ["Innsbruck", "Würzburg", "Stuttgart"]
    game = position(phase="play", hand=hand, route=route)
    assert plays(game) == {"start Innsbruck", "start Würzburg", "start Stuttgart"}


def test_cards_that_do_extend_that_route() -> None:
    """R11: the cities at the roads of Carlsruhe and of Regensburg."""
    route = ["Carlsruhe", "Stuttgart", "Nürnberg", "Regensburg"]
    left, right = ["Freiburg", "Mannheim"], ["Ingolstadt", "München", "Passau", "Pilsen"]
    game = position(phase="play", hand=[*left, *right], route=route)
    assert plays(game) == {
        *(f"left {name}" for name in left),
        *(f"right {name}" for name in right),
        *(f"start {name}" for name in (*left, *right)),
    }


def test_kempten_fits_only_after_innsbruck() -> None:
    """R11, R13: Innsbruck fits at München; Kempten may follow with the postal carrier."""
    game = position(phase="play", hand=["Innsbruck", "Kempten"], route=["München", "Salzburg", "Linz"])
    assert plays(game) == {"left Innsbruck", "start Innsbruck", "start Kempten"}
    play(game, "left Innsbruck")
    assert set(game.legal) == {"left Kempten", "end", "close"}
    play(game, "left Kempten")
    assert owned(game)["route"] == ["Kempten", "Innsbruck", "München", "Salzburg", "Linz"]
    assert set(game.legal) == {"end", "close"}


def test_only_a_new_route_is_possible() -> None:
    """R12: Linz and Salzburg fit neither Carlsruhe nor Würzburg."""
    game = position(phase="play", hand=["Linz", "Salzburg"], route=["Carlsruhe", "Mannheim", "Würzburg"])
    assert plays(game) == {"start Linz", "start Salzburg"}
    play(game, "start Linz")
    assert set(game.legal) == {"right Salzburg", "end"}


# Houses

SIX_CITIES = ["Sigmaringen", "Stuttgart", "Nürnberg", "Regensburg", "Ingolstadt", "Augsburg"]


def test_one_house_in_each_of_three_provinces() -> None:
    """R16, R21: Sigmaringen, Stuttgart and one of four cities of Baiern; the tile for six cities."""
    game = position(phase="end", route=SIX_CITIES)
    play(game, "close")
    assert set(game.legal) == {"spread", "fill Hohenzollern", "fill Württemberg", "fill Baiern"}
    play(game, "spread", "house Stuttgart", "house Sigmaringen")
    assert set(game.legal) == {f"house {name}" for name in SIX_CITIES[2:]}
    play(game, "house Ingolstadt")
    assert owned(game)["houses"] == ["Stuttgart", "Sigmaringen", "Ingolstadt"]
    assert owned(game)["tiles"] == [{"stack": "distance 6", "value": 3}]


def test_all_four_cities_of_baiern() -> None:
    """R16: the other option."""
    game = position(phase="end", route=SIX_CITIES)
    play(game, "close", "fill Baiern")
    assert owned(game)["houses"] == ["Nürnberg", "Regensburg", "Ingolstadt", "Augsburg"]


def test_a_route_through_an_own_city() -> None:
    """R16, R17, F6: with a house in Kempten before."""
    route = ["Kempten", "Innsbruck", "München", "Salzburg", "Linz"]
    game = position(phase="end", route=route, houses=["Kempten"])
    play(game, "close")
    assert set(game.legal) == {"spread", "fill Baiern", "fill Tyrol", "fill Salzburg"}
    placed = {}
    for province in ("Baiern", "Tyrol", "Salzburg"):
        filled = play(game.copy(), f"fill {province}")
        placed[province] = set(owned(filled)["houses"]) - {"Kempten"}
    assert placed == {"Baiern": {"München"}, "Tyrol": {"Innsbruck"}, "Salzburg": {"Salzburg", "Linz"}}
    play(game, "spread")
    assert set(game.legal) == {"house München"}
    play(game, "house München")
    assert set(game.legal) == {"house Innsbruck"}
    play(game, "house Innsbruck")
    assert set(game.legal) == {"house Salzburg", "house Linz"}
    play(game, "house Linz")
    assert set(owned(game)["houses"]) == {"Kempten", "München", "Innsbruck", "Linz"}


# Tiles and carriages


def test_the_red_player_completes_wuerttemberg_and_hohenzollern() -> None:
    """R21: Sigmaringen and Ulm are added to Stuttgart; the top tile of the stack is worth 3."""
    game = position(phase="end", route=["Sigmaringen", "Ulm", "Augsburg"], houses=["Stuttgart"])
    play(game, "close", "spread", "house Ulm", "house Sigmaringen", "house Augsburg")
    assert owned(game)["tiles"] == [{"stack": "Württemberg and Hohenzollern", "value": 3}]
    assert game.public()["stacks"]["Württemberg and Hohenzollern"] == [2, 1]


def test_carriages_are_taken_one_by_one() -> None:
    """R24: three cities give carriage 3, then five give 4, then four give none; five would give 5."""
    five = ["Sigmaringen", "Stuttgart", "Nürnberg", "Regensburg", "Ingolstadt"]
    for carriage, length, expected in ((0, 3, 3), (3, 5, 4), (4, 4, 4), (4, 5, 5)):
        game = position(phase="end", route=five[:length], carriage=carriage, official_used=True)
        play(game, "close", "fill Hohenzollern")
        assert (owned(game)["carriage"], game.seat) == (expected, 1)


def test_the_cartwright_helps_four_cities_to_carriage_five() -> None:
    """R25: the same closing of four cities, but no official has helped before."""
    game = position(phase="end", route=["Sigmaringen", "Stuttgart", "Nürnberg", "Regensburg"], carriage=4)
    play(game, "close", "fill Hohenzollern")
    assert set(game.legal) == {"cartwright", "decline"}
    play(game, "cartwright")
    assert owned(game)["carriage"] == 5


def test_the_cartwright_gives_carriage_seven_for_five_cities() -> None:
    """R25, R27: from carriage 6, with the game-end tile."""
    route = ["Sigmaringen", "Stuttgart", "Nürnberg", "Regensburg", "Ingolstadt"]
    game = position(phase="end", route=route, carriage=6)
    play(game, "close", "fill Hohenzollern", "cartwright")
    assert owned(game)["carriage"] == 7
    assert owned(game)["tiles"] == [
        {"stack": "distance 5", "value": 2},
        {"stack": "game end", "value": 1},
    ]


# The score


def test_the_score_of_the_printed_example() -> None:
    """R29: carriage 6 is worth 7 points, the tiles 16; four houses are left."""
    houses = [
        *("Mannheim", "Carlsruhe", "Freiburg", "Stuttgart", "Ulm", "Sigmaringen", "Basel"),
        *("Innsbruck", "Salzburg", "Pilsen", "Lodz", "Würzburg", "Nürnberg", "Augsburg", "München", "Kempten"),
    ]
    tiles = {
        "all provinces": [0],
        "distance 7": [0],
        "Baden": [0],
        "Württemberg and Hohenzollern": [0],
        "game end": [1],
    }
    game = position(phase="end", seat=1, others={0: Player(houses=houses, carriage=6)}, carriage=7, tiles=tiles)
    play(game, "end")
    assert game.over
    row = game.breakdown()[0]
    assert (row["carriage"], row["houses not placed"]) == (7, -4)
    assert sum(tile["value"] for tile in owned(game)["tiles"]) == 16
    assert game.scores[0] == 7 + 16 - 4 == 19
