"""What lies open and what is hidden (R31, F12)."""

import numpy as np

from tests.positions import Player, all_cards, owned, play, position
from thurn_env import Game

DISPLAY = ["Linz", "Passau", "Lodz", "Pilsen", "Budweis", "Salzburg"]


def table() -> Game:
    """Seat 0 has a card; seat 1 took Basel face up and drew two cards unseen."""
    others = {1: Player(hand=["Basel", "Ulm", "Zürich"], known=["Basel"], route=["Freiburg"])}
    return position(hand=["Kempten"], others=others, display=DISPLAY, deck=["Augsburg"], discard=["Würzburg"])


def test_r31_what_lies_open() -> None:
    game = position(
        seat=1,
        start_player=1,
        hand=["Kempten", "Ulm"],
        known=["Ulm"],
        route=["München", "Augsburg"],
        houses=["Ulm"],
        carriage=4,
        others={0: Player(hand=["Kempten"], houses=["Ulm", "Lodz"])},
        display=DISPLAY,
        discard={"Basel": 2},
        tiles={"Baden": [1]},
    )
    public = game.public()
    assert public["display"] == DISPLAY
    assert public["discard"] == {"Basel": 2}
    assert public["stacks"]["Baden"] == [2, 1]
    assert (public["seat"], public["start_player"]) == (1, 1)
    assert public["players"][0] == {
        "hand_size": 1,
        "known_cards": {},
        "route": [],
        "houses": ["Ulm", "Lodz"],
        "houses_left": 18,
        "carriage": 0,
        "tiles": [],
    }
    assert public["players"][1] == {
        "hand_size": 2,
        "known_cards": {"Ulm": 1},
        "route": ["München", "Augsburg"],
        "houses": ["Ulm"],
        "houses_left": 19,
        "carriage": 4,
        "tiles": [{"stack": "Baden", "value": 3}],
    }


def test_r31_a_card_from_the_display_stays_known() -> None:
    """R31: over the following turns, too; the card from the deck does not become known."""
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"])
    play(game, "draw", "take Lodz", "start Kempten")
    assert owned(game)["known_cards"] == {"Lodz": 1}
    play(game, "end", "draw", "draw")
    assert (owned(game)["known_cards"], owned(game)["hand_size"]) == ({"Lodz": 1}, 2)


def test_r31_a_card_from_the_deck_is_hidden() -> None:
    game = position(hand=["Kempten"], deck=["Zürich"])
    play(game, "draw")
    assert (owned(game)["known_cards"], owned(game)["hand_size"]) == ({}, 2)


def test_r31_what_a_seat_may_know_does_not_depend_on_hidden_cards() -> None:
    """Ulm and Augsburg change places: one lies in the other player's hand, one in the deck."""
    first = table()
    others = {1: Player(hand=["Basel", "Augsburg", "Zürich"], known=["Basel"], route=["Freiburg"])}
    second = position(hand=["Kempten"], others=others, display=DISPLAY, deck=["Ulm"], discard=["Würzburg"])
    assert first != second
    assert first.view(0).game == second.view(0).game
    assert first.view(0).text == second.view(0).text
    assert np.array_equal(first.view(0).observation, second.view(0).observation)
    assert not np.array_equal(first.view(1).observation, second.view(1).observation)


def test_r31_the_order_of_the_deck_is_hidden() -> None:
    first = position(hand=["Kempten"], display=DISPLAY, deck=["Ulm", "Augsburg"])
    second = position(hand=["Kempten"], display=DISPLAY, deck=["Augsburg", "Ulm"])
    for seat in range(2):
        assert first.view(seat).game == second.view(seat).game


def test_r31_a_redealt_game_keeps_what_is_known() -> None:
    game = table()
    unseen = set()
    for seed in range(30):
        twin = game.redeal(0, seed)
        assert twin.public() == game.public()
        assert twin.hand(0) == game.hand(0)
        assert all_cards(twin) == all_cards(game)
        hand = twin.hand(1)
        assert (hand["Basel"] >= 1, sum(hand.values())) == (True, 3)
        unseen |= set(hand)
    assert len(unseen) > 5


def test_r31_the_text_for_a_player_hides_the_other_hand() -> None:
    text = table().view(0).text
    assert "hand   Kempten" in text
    assert "3 cards: Basel; 2 unseen" in text
    assert "Ulm" not in text
    assert "Zürich" not in text


def test_f12_playing_uses_up_a_known_copy_first() -> None:
    game = position(phase="play", hand={"Ulm": 2, "Basel": 1}, known=["Ulm", "Basel"])
    play(game, "start Ulm")
    assert owned(game)["known_cards"] == {"Basel": 1}
    assert game.hand(0) == {"Ulm": 1, "Basel": 1}


def test_f12_playing_an_unseen_card_leaves_the_known_ones() -> None:
    game = position(phase="play", hand=["Ulm", "Basel"], known=["Basel"])
    play(game, "start Ulm")
    assert owned(game)["known_cards"] == {"Basel": 1}


def test_f12_discarding_uses_up_a_known_copy_first() -> None:
    """R26, F12."""
    route = ["Ulm", "Augsburg", "Kempten"]
    game = position(phase="end", route=route, houses=route, hand={"Lodz": 3, "Basel": 2}, known=["Lodz", "Basel"])
    play(game, "close", "discard Lodz")
    assert owned(game)["known_cards"] == {"Basel": 1}
    play(game, "discard Lodz")
    assert (owned(game)["known_cards"], game.hand(0)) == ({"Basel": 1}, {"Lodz": 1, "Basel": 2})


def test_f12_every_known_copy_counts() -> None:
    game = position(hand=["Kempten"], display=["Lodz", "Lodz", "Lodz", "Ulm", "Linz", "Passau"])
    play(game, "take Lodz", "take Lodz")
    assert owned(game)["known_cards"] == {"Lodz": 2}
    play(game, "start Lodz")
    assert owned(game)["known_cards"] == {"Lodz": 1}
