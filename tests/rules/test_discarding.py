"""After closing: the route and the hand above three cards are discarded (R26, F3)."""

import pytest

from tests.positions import owned, play, play_and_shuffle, position
from thurn_env import IllegalAction

ROUTE = ["Ulm", "Augsburg", "Kempten"]


@pytest.mark.parametrize("hand", [[], ["Lodz"], ["Lodz", "Basel", "Linz"]])
def test_r26_up_to_three_cards_stay(hand: list[str]) -> None:
    game = position(phase="end", route=ROUTE, houses=ROUTE, hand=hand)
    play(game, "close")
    assert game.seat == 1
    assert game.hand(0) == dict.fromkeys(hand, 1)
    assert owned(game)["route"] == []
    assert game.public()["discard"] == {"Ulm": 1, "Augsburg": 1, "Kempten": 1}


def test_r26_the_player_chooses_what_to_discard() -> None:
    """R26: one card after the other, any of the hand."""
    game = position(phase="end", route=ROUTE, houses=ROUTE, hand={"Lodz": 2, "Basel": 1, "Linz": 1, "Pilsen": 1})
    play(game, "close")
    assert game.phase == "discard"
    assert set(game.legal) == {"discard Lodz", "discard Basel", "discard Linz", "discard Pilsen"}
    play(game, "discard Basel")
    assert set(game.legal) == {"discard Lodz", "discard Linz", "discard Pilsen"}
    with pytest.raises(IllegalAction, match="there is no Basel in the hand"):
        game.play("discard Basel")
    play(game, "discard Lodz")
    assert game.seat == 1
    assert game.hand(0) == {"Linz": 1, "Pilsen": 1, "Lodz": 1}
    assert game.public()["discard"] == dict.fromkeys([*ROUTE, "Basel", "Lodz"], 1)


def test_r26_the_drop_from_many_cards() -> None:
    game = position(phase="end", route=ROUTE, houses=ROUTE, hand={"Lodz": 3, "Basel": 3})
    play(game, "close", "discard Lodz", "discard Lodz", "discard Lodz")
    assert (game.seat, game.hand(0)) == (1, {"Basel": 3})


def test_r26_there_is_no_hand_limit_without_closing() -> None:
    game = position(phase="end", route=ROUTE, hand={"Lodz": 3, "Basel": 3, "Linz": 3})
    assert set(game.legal) == {"end", "close"}
    with pytest.raises(IllegalAction, match="only after closing a route"):
        game.play("discard Lodz")
    play(game, "end")
    assert (game.seat, owned(game)["hand_size"]) == (1, 9)


def test_r26_the_route_is_discarded_before_the_hand() -> None:
    game = position(phase="end", route=ROUTE, houses=ROUTE, hand={"Lodz": 3, "Basel": 1})
    play(game, "close")
    assert (game.phase, owned(game)["route"]) == ("discard", [])
    assert game.public()["discard"] == dict.fromkeys(ROUTE, 1)


def test_f3_every_discarded_card_is_an_event_of_its_own() -> None:
    """R8, R9, R26, F3: each card becomes the deck and fills the next empty slot at once."""
    game = position(
        phase="end",
        route=ROUTE,
        houses=ROUTE,
        hand={"Lodz": 2, "Basel": 2, "Linz": 2},
        display=[None, "Pilsen"],
        rest=1,
    )
    play_and_shuffle(game, "close", ["Kempten", "Ulm", "Augsburg"])
    assert game.public()["display"] == ["Kempten", "Pilsen", "Ulm", "Augsburg", None, None]
    play_and_shuffle(game, "discard Basel", ["Basel"])
    assert game.public()["display"] == ["Kempten", "Pilsen", "Ulm", "Augsburg", "Basel", None]
    play_and_shuffle(game, "discard Lodz", ["Lodz"])
    assert game.public()["display"] == ["Kempten", "Pilsen", "Ulm", "Augsburg", "Basel", "Lodz"]
    assert game.public()["deck_size"] == 0
    play_and_shuffle(game, "discard Linz", ["Linz"])
    assert (game.public()["deck_size"], game.public()["discard"]) == (1, {})
    assert (game.seat, game.phase) == (1, "draw")
    assert game.hand(0) == {"Basel": 1, "Linz": 1, "Lodz": 1}


def test_f3_later_cards_stay_in_the_pile_once_there_is_a_deck() -> None:
    """R8, F3: the first discard becomes the deck, the second lies in the pile."""
    game = position(
        phase="end",
        route=ROUTE,
        houses=ROUTE,
        hand={"Lodz": 2, "Basel": 2, "Linz": 1},
        display=["Pilsen", "Pilsen", "Zürich"],
        rest=1,
    )
    play_and_shuffle(game, "close", ["Kempten", "Ulm", "Augsburg"])
    assert game.public()["display"] == ["Pilsen", "Pilsen", "Zürich", "Kempten", "Ulm", "Augsburg"]
    play_and_shuffle(game, "discard Lodz", ["Lodz"])
    play(game, "discard Basel")
    assert (game.public()["deck_size"], game.public()["discard"]) == (1, {"Basel": 1})
