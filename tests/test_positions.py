"""The helper that makes positions by hand: no card is lost, and impossible positions are refused."""

from typing import Any

import numpy as np
import pytest

from tests.positions import Player, all_cards, all_cities_but, owned, play, play_and_shuffle, position
from thurn_env import RecordError


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
