"""The helper that makes positions by hand: no card is lost, and impossible positions are refused."""

from typing import Any

import numpy as np
import pytest

from tests.positions import Player, all_cards, all_cities_but, owned, play, play_and_shuffle, position
from thurn_env import RecordError
from thurn_env.games.thurn_und_taxis.board.shipped import load_board

SEVEN = [*(f"{name}/{horses}" for name in ("Fulda", "Berlin") for horses in (1, 2, 3)), "Weimar/1"]


@pytest.mark.parametrize("rest", ["deck", "discard", 0, 1])
def test_every_card_is_somewhere(rest: str | int) -> None:
    game = position(
        phase="play",
        hand={"Ulm": 2, "Basel": 1},
        known=["Ulm"],
        route=["Linz", "Salzburg"],
        others={1: Player(hand=["Ulm"], route=["Kempten"], houses=["Lodz"], carriage=4)},
        display=["Lodz", "Lodz", "Lodz", "Passau", "Pilsen", "Budweis"],
        deck=["Zürich"],
        rest=rest,
    )
    assert all_cards(game) == dict.fromkeys(all_cities_but(), 3)
    state = game.states[0]
    assert np.array_equal(state["hand"].sum(axis=1), state["hand_size"])
    assert np.array_equal(state["known"].sum(axis=1), state["known_size"])


def test_every_card_with_horses_is_somewhere() -> None:
    """Routes are of cards; cities come from them."""
    game = position(
        board="north",
        horses=True,
        phase="play",
        hand=["Berlin/1", "Fulda/2"],
        route=["Bremen/1", "Hamburg/2"],
        harnessed=["Dresden/3", "Dresden/1"],
        others={1: Player(hand=["Stettin/3"], known=["Stettin/3"], harnessed=["Weimar/2"])},
    )
    cities = all_cities_but(board="north")
    assert all_cards(game) == {f"{name}/{horses}": 1 for name in cities for horses in (1, 2, 3)}
    assert [owned(game, seat)["horses"] for seat in range(2)] == [2 + 4, 2 + 2]
    assert owned(game)["harnessed"] == {"Dresden/1": 1, "Dresden/3": 1}
    state = game.states[0]
    names = [city.name for city in load_board("north").cities]
    assert state["route_cities"][0] == 1 << names.index("Bremen") | 1 << names.index("Hamburg")
    assert np.array_equal(state["harnessed"].sum(axis=1), state["harnessed_size"])


def test_what_is_given_is_there() -> None:
    game = position(
        hand=["Ulm"],
        houses=["Ulm", "Lodz"],
        carriage=5,
        route=["Linz", "Salzburg"],
        deck=["Zürich", "Basel"],
        tiles={"Baden": [1, 0], "game end": [1]},
    )
    first, second = owned(game), owned(game, 1)
    assert (first["houses"], first["houses_left"], first["carriage"]) == (["Ulm", "Lodz"], 18, 5)
    assert (first["route"], first["tiles"]) == (["Linz", "Salzburg"], [{"stack": "Baden", "value": 2}])
    assert second["tiles"] == [{"stack": "Baden", "value": 3}, {"stack": "game end", "value": 1}]
    assert game.scores == [5 + 2 - 18, 3 + 1 - 20]
    play(game, "draw", "draw")
    assert game.hand(0) == {"Ulm": 1, "Zürich": 1, "Basel": 1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand": {"Ulm": 4}}, "not that many cards of Ulm"),
        ({"hand": ["Wien"]}, "not that many cards of Wien"),
        ({"hand": ["Ulm"], "known": ["Basel"]}, "known cards"),
        ({"route": ["Ulm", "Linz"]}, "Ulm - Linz is no route"),
        ({"route": ["Ulm", "Stuttgart", "Ulm"]}, "no route"),
        ({"rest": "discard"}, "would have been shuffled"),
        ({"display": ["Ulm"]}, "would have been filled"),
        ({"display": ["Ulm"] * 3 + ["Linz"] * 3 + ["Lodz"]}, "has 6 slots"),
        ({"display": [], "rest": 1}, "nothing to draw"),
        ({"phase": "play"}, "no card to play"),
        ({"phase": "second_draw"}, "with one card in hand"),
        ({"phase": "house"}, "no position"),
        ({"houses": all_cities_but()}, "22 houses are too many"),
        ({"others": {0: Player()}}, "seat 0 is to move"),
        ({"harnessed": ["Ulm"]}, "only in a game with horses"),
        ({"board": "north", "horses": True, "harnessed": SEVEN}, "7 cards are too many for a carriage"),
        ({"board": "north", "horses": True, "hand": ["Ulm"]}, "not that many cards of Ulm"),
        ({"board": "north", "horses": True, "hand": {"Fulda/1": 2}}, "not that many cards of Fulda/1"),
        ({"board": "north", "horses": True, "route": ["Hamburg/1", "Bremen/1", "Hamburg/2"]}, "no route"),
    ],
)
def test_impossible_positions_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position(**given)


def test_play_and_shuffle_checks_the_shuffled_cards() -> None:
    game = position(display=["Ulm"] * 3 + ["Linz"] * 3, deck=["Lodz"], hand=["Basel"], rest=1)
    with pytest.raises(RecordError, match="does not hold exactly the cards"):
        play_and_shuffle(game.copy(), "administrator", ["Ulm"])
    with pytest.raises(AssertionError, match="shuffled no new deck"):
        play_and_shuffle(game.copy(), "draw", ["Ulm"])
