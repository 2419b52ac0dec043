"""Drawing train cards (G2, G3, G6, G10, P1 - P4)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.zug_um_zug.positions import GAME, Player, changed_board, legal, play, position
from thurn_env import Game, IllegalAction

FIVE = ["purple", "blue", "orange", "yellow", "white"]


def test_g2_p1_cards_are_dealt_in_a_row_and_then_the_display() -> None:
    game = Game(3, seed=5, game=GAME, start_player=1)
    deck = game.record().chance["decks"][0]
    assert Counter(deck) == {
        **dict.fromkeys(["purple", "blue", "orange", "yellow", "white", "green", "black", "red"], 12),
        "locomotive": 14,
    }
    for step, seat in enumerate((1, 2, 0)):
        assert game.hand(seat) == Counter(deck[4 * step : 4 * step + 4])
    row = deck[12:17]
    assert row.count("locomotive") <= 2  # this deal does not sweep
    assert game.public()["display"] == row
    assert game.public()["deck_size"] == 110 - 17


def test_g3_the_first_row_is_swept_too() -> None:
    swept = 0
    for seed in range(100):
        game = Game(2, seed=seed, game=GAME)
        deck = game.record().chance["decks"][0]
        row, rest = deck[8:13], deck[13:]
        while row.count("locomotive") > 2:
            swept += 1
            row, rest = rest[:5], rest[5:]
        assert game.public()["display"] == row
        assert game.public()["deck_size"] == len(rest)
    assert swept > 0


def test_g6_two_cards_face_up_or_unseen_refilled_between() -> None:
    game = position(display=FIVE, deck=["red", "green", "black"])
    assert set(legal(game, "take")) == set(FIVE)
    game.play("take blue")
    assert game.public()["display"] == ["purple", "red", "orange", "yellow", "white"]
    assert game.seat == 0
    assert game.phase == "second_card"
    assert set(legal(game, "take")) == {"purple", "red", "orange", "yellow", "white"}
    assert list(game.legal)[-1] == "draw"
    game.play("draw")
    assert game.hand(0)["green"] == 1
    assert game.public()["players"][0]["known_cards"] == {"blue": 1}
    assert game.seat == 1
    assert game.phase == "turn"


def test_g6_a_face_up_locomotive_is_the_only_card() -> None:
    game = position(display=["locomotive", "blue", "orange", "yellow", "white"])
    game.play("take locomotive")
    assert game.seat == 1
    assert game.hand(0)["locomotive"] == 1


def test_g6_no_face_up_locomotive_as_second_card() -> None:
    game = position(display=["locomotive", "blue", "orange", "yellow", "white"], deck=["red"])
    game.play("take blue")
    assert "locomotive" not in legal(game, "take")
    with pytest.raises(IllegalAction, match="only as the first card"):
        game.play("take locomotive")


def test_g6_nor_one_that_has_just_appeared() -> None:
    game = play(position(display=FIVE, deck=["locomotive"]), "take blue")
    assert game.public()["display"][1] == "locomotive"
    assert set(legal(game, "take")) == {"purple", "orange", "yellow", "white"}


def test_g6_an_unseen_locomotive_is_an_ordinary_card() -> None:
    game = play(position(display=FIVE, deck=["locomotive", "locomotive"]), "draw")
    assert game.seat == 0
    assert game.phase == "second_card"
    assert play(game, "draw").hand(0)["locomotive"] == 2


def test_p1_of_equal_cards_the_lowest_slot_is_taken() -> None:
    game = play(position(display=["red", "blue", "red", "yellow", "red"], deck=["green"]), "take red")
    assert game.public()["display"] == ["green", "blue", "red", "yellow", "red"]


def test_g3_three_locomotives_sweep_the_row_at_once() -> None:
    game = position(
        display=["locomotive", "locomotive", "orange", "yellow", "white"],
        deck=["locomotive", "red", "red", "red", "red", "red", "green"],
    )
    game.play("take yellow")
    assert game.public()["display"] == ["red"] * 5
    assert game.public()["discard"] == {"locomotive": 3, "orange": 1, "white": 1}
    assert game.phase == "second_card"


def test_g3_again_if_the_new_row_has_three() -> None:
    three = ["locomotive", "locomotive", "locomotive"]
    game = position(
        display=["locomotive", "locomotive", "orange", "yellow", "white"],
        deck=["locomotive", *three, "red", "red", "blue", "blue", "blue", "blue", "black"],
    )
    game.play("take yellow")
    assert game.public()["display"] == ["blue", "blue", "blue", "blue", "black"]
    assert game.public()["discard"] == {"locomotive": 6, "orange": 1, "white": 1, "red": 2}


def test_g3_the_row_is_swept_however_many_cards_there_are(tmp_path: Path) -> None:
    """Cards of all colours together are more than a byte can count."""
    game = position(
        board=changed_board(tmp_path, cards_per_colour=20),
        display=["locomotive", "locomotive", "orange", "yellow", "white"],
        deck=["locomotive", "red", "red", "red", "red", "red"],
    )
    game.play("take yellow")
    assert game.public()["display"] == ["red"] * 5


def test_g3_two_locomotives_stay() -> None:
    game = play(position(display=["locomotive", *FIVE[1:]], deck=["locomotive"]), "take blue")
    assert game.public()["display"].count("locomotive") == 2


def test_g10_the_hand_has_no_limit() -> None:
    game = position(hand={"red": 12, "blue": 11, "green": 12}, display=FIVE, deck=["black", "black"])
    play(game, "draw", "draw")
    assert game.public()["players"][0]["hand_size"] == 37


def test_g10_p2_an_empty_deck_is_made_anew_at_once() -> None:
    game = position(display=FIVE, deck=["red"], rest="discard")
    discarded = sum(game.public()["discard"].values())
    game.play("draw")
    assert game.public()["deck_size"] == discarded
    assert game.public()["discard"] == {}
    assert game.phase == "second_card"


def test_p2_the_deck_is_made_without_the_five_that_are_swept_then() -> None:
    game = position(
        display=["locomotive", "locomotive", "orange", "yellow", "white"], deck=["locomotive"], rest="discard"
    )
    discarded = sum(game.public()["discard"].values())
    game.play("take yellow")
    record = game.states[0]
    assert record["shuffled_size"] == discarded
    assert sum(game.public()["discard"].values()) == 5
    assert game.public()["deck_size"] == discarded - 5


def test_p2_the_deck_is_made_as_soon_as_a_card_lands_on_the_pile() -> None:
    game = position(hand={"red": 3}, rest=1, display=[None] * 5, piles={"short": [], "long": []})
    assert game.public()["deck_size"] == 0
    game.play("claim Berlin-Magdeburg red")
    # The three cards are the deck now, and at once they fill the first slots.
    assert game.public()["display"] == ["red", "red", "red", None, None]
    assert game.public()["deck_size"] == 0
    assert game.public()["discard"] == {}


def test_p2_a_payment_is_one_event() -> None:
    game = position(hand={"blue": 7}, rest=1, display=FIVE)
    game.play("claim Berlin-Hamburg blue")
    assert game.public()["deck_size"] == 7


def test_p3_the_row_stays_when_there_are_too_few_others() -> None:
    row = ["locomotive", "locomotive", "locomotive", "red", "red"]
    game = position(display=row, deck=["locomotive", "locomotive"], rest=1)
    play(game, "draw")
    assert game.public()["display"] == row
    assert game.public()["deck_size"] == 1


def test_p3_the_row_goes_when_a_third_other_card_comes_back() -> None:
    row = ["locomotive", "locomotive", "locomotive", "red", "red"]
    game = position(hand={"white": 1}, display=row, deck=["locomotive"] * 6, rest=1)
    game.play("claim Bremen-Bremerhaven white")
    assert game.public()["display"].count("locomotive") == 2


def test_p3_row_and_deck_do_not_change_places_for_ever() -> None:
    row = ["locomotive", "locomotive", "locomotive", "red", "red"]
    deck = ["blue", "red", "red", "locomotive", "locomotive", "locomotive"]
    game = position(display=row, deck=deck, rest=1)
    game.play("draw")  # leaves a deck of exactly five cards with three locomotives, and nothing discarded
    assert game.public()["display"] == row
    assert game.public()["deck_size"] == 5


def test_p3_the_row_goes_into_a_deck_of_five_with_two_locomotives() -> None:
    row = ["locomotive", "locomotive", "locomotive", "red", "red"]
    deck = ["blue", "red", "red", "red", "locomotive", "locomotive"]
    game = position(display=row, deck=deck, rest=1)
    game.play("draw")
    assert game.public()["display"] == deck[1:]


def test_p4_with_deck_and_pile_empty_no_card_is_drawn() -> None:
    game = position(display=FIVE, rest=1)
    assert legal(game, "take") == []
    assert "draw" not in game.legal
    with pytest.raises(IllegalAction, match="empty"):
        game.play("take blue")


def test_p4_the_second_card_is_left_out() -> None:
    game = play(position(display=FIVE, deck=["red"], rest=1), "draw")
    assert game.seat == 1
    assert game.phase == "turn"


def test_p4_a_turn_ends_after_one_card_from_the_row_too() -> None:
    game = play(position(display=FIVE, deck=["red"], rest=1), "take blue")
    assert game.public()["display"] == ["purple", "red", "orange", "yellow", "white"]
    assert game.seat == 1


def test_g10_p9_pass_only_when_nothing_else_is_legal() -> None:
    nothing = position(display=FIVE, rest=1, piles={"short": [], "long": []})
    assert list(nothing.legal) == ["pass"]
    nothing.play("pass")
    assert nothing.seat == 1
    with_claim = position(hand=["white"], display=FIVE, rest=1, piles={"short": [], "long": []})
    assert "pass" not in with_claim.legal
    assert set(legal(with_claim, "claim")) >= {"Bremen-Bremerhaven white", "Frankfurt-Mainz grey"}
    with_tickets = position(display=FIVE, rest=1)
    assert list(with_tickets.legal) == ["tickets"]


def test_g6_paid_cards_that_were_taken_face_up_are_forgotten_first() -> None:
    """A player who is known to hold two red cards and pays with three holds none that is known."""
    game = position(hand={"red": 4}, known={"red": 2}, display=FIVE)
    game.play("claim Berlin-Magdeburg red")
    assert game.public()["players"][0]["known_cards"] == {}
    game = position(hand={"red": 4}, known={"red": 4}, display=FIVE, others={1: Player(hand=["red"])})
    game.play("claim Berlin-Magdeburg red")
    assert game.public()["players"][0]["known_cards"] == {"red": 1}
