"""The draw: postmaster, administrator, the deck made anew, and cards that run out (R1, R4 - R9, F2 - F4)."""

import pytest

from tests.positions import Player, owned, play, play_and_shuffle, position
from thurn_env import Game, IllegalAction

DISPLAY = ["Ulm", "Basel", "Linz", "Passau", "Lodz", "Pilsen"]
TAKES = {f"take {name}" for name in DISPLAY}
TINY = ["Langenburg", "Crailsheim", "Rothenburg", "Ansbach", "Dinkelsbühl", "Nördlingen"]


# One card


def test_r1_a_taken_card_is_replaced_at_once_in_its_slot() -> None:
    """R1, F2."""
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"])
    deck_size = game.public()["deck_size"]
    play(game, "take Linz")
    assert game.public()["display"] == ["Ulm", "Basel", "Zürich", "Passau", "Lodz", "Pilsen"]
    assert game.public()["deck_size"] == deck_size - 1
    assert game.hand(0) == {"Kempten": 1, "Linz": 1}


def test_r1_the_deck_gives_its_top_card() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich", "Lodz"])
    play(game, "draw")
    assert game.hand(0) == {"Kempten": 1, "Zürich": 1}
    assert game.public()["display"] == DISPLAY


def test_r1_a_card_must_be_drawn_first() -> None:
    route = ["Ulm", "Kempten", "Zürich"]
    game = position(hand=["Kempten"], route=route, display=DISPLAY)
    assert set(game.legal) == {*TAKES, "draw", "administrator"}
    for action, reason in {
        "start Kempten": "draw a card before playing one",
        "end": "draw a card and play a card first",
        "close": "draw a card and play a card first",
    }.items():
        with pytest.raises(IllegalAction, match=reason):
            game.play(action)


def test_r1_only_face_up_cards_are_taken() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"])
    with pytest.raises(IllegalAction, match="there is no Zürich in the display"):
        game.play("take Zürich")


def test_f2_of_equal_cards_the_lowest_slot_is_taken() -> None:
    display = ["Basel", "Ulm", "Linz", "Ulm", "Ulm", "Pilsen"]
    game = position(hand=["Kempten"], display=display, deck=["Zürich"])
    assert list(game.legal).count("take Ulm") == 1
    play(game, "take Ulm")
    assert game.public()["display"] == ["Basel", "Zürich", "Linz", "Ulm", "Ulm", "Pilsen"]


def test_f2_a_display_of_two_kinds_gives_two_choices() -> None:
    game = position(hand=["Kempten"], display=["Ulm", "Linz", "Ulm", "Linz", "Linz", "Ulm"])
    assert set(game.legal) == {"take Ulm", "take Linz", "draw", "administrator"}


# The postmaster


def test_r5_the_postmaster_is_a_choice() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"])
    play(game, "draw")
    assert game.phase == "play"
    assert set(game.legal) == {*TAKES, "draw", "start Kempten", "start Zürich"}


def test_r5_the_display_is_refilled_before_the_second_card() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"])
    play(game, "take Linz", "take Zürich")
    assert game.hand(0) == {"Kempten": 1, "Linz": 1, "Zürich": 1}


def test_r5_a_second_card_from_the_deck() -> None:
    game = position(hand=["Kempten"], deck=["Zürich", "Zürich"])
    play(game, "draw", "draw")
    assert game.hand(0) == {"Kempten": 1, "Zürich": 2}


def test_r5_there_is_no_third_card() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich", "Ulm"])
    play(game, "draw", "draw")
    assert set(game.legal) == {"start Kempten", "start Zürich", "start Ulm"}
    with pytest.raises(IllegalAction, match="only one official helps per turn"):
        game.play("draw")


def test_r5_no_card_is_drawn_after_playing() -> None:
    game = position(hand=["Kempten"])
    play(game, "draw", "start Kempten")
    with pytest.raises(IllegalAction, match="cards are drawn before a card is played"):
        game.play("draw")


def test_r4_no_postal_carrier_after_the_postmaster() -> None:
    game = position(hand=["Kempten", "Ulm"])
    play(game, "draw", "draw", "start Kempten")
    assert set(game.legal) == {"end"}
    with pytest.raises(IllegalAction, match="only one official helps per turn"):
        game.play("right Ulm")


def test_r4_no_cartwright_after_the_postmaster() -> None:
    game = position(hand=["Kempten"], route=["Ulm", "Augsburg"], carriage=3)
    play(game, "draw", "draw", "left Kempten", "close", "fill Baiern")
    assert game.seat == 1
    assert owned(game)["carriage"] == 3


# The empty hand


def test_r6_an_empty_hand_must_use_the_postmaster() -> None:
    game = position(display=DISPLAY, deck=["Zürich"])
    assert set(game.legal) == {*TAKES, "draw"}
    play(game, "draw")
    assert game.phase == "second_draw"
    assert set(game.legal) == {*TAKES, "draw"}
    play(game, "take Ulm")
    assert game.phase == "play"
    assert set(game.legal) == {"start Zürich", "start Ulm"}


def test_r6_everyone_must_in_round_one() -> None:
    game = Game(players=3, seed=1, start_player=1)
    for seat in (1, 2, 0):
        assert (game.seat, game.phase) == (seat, "draw")
        assert "administrator" not in game.legal
        play(game, "draw")
        assert game.phase == "second_draw"
        play(game, "draw")
        play(game, next(action for action in game.legal if action.startswith("start")))
        assert set(game.legal) == {"end"}
        play(game, "end")


def test_r6_r7_an_empty_hand_calls_no_administrator() -> None:
    with pytest.raises(IllegalAction, match=r"with an empty hand .* only the postmaster helps"):
        position().play("administrator")


def test_r6_the_forced_postmaster_leaves_no_postal_carrier() -> None:
    game = position(deck=["Ulm", "Kempten"])
    play(game, "draw", "draw", "start Ulm")
    assert set(game.legal) == {"end"}


def test_r6_the_forced_postmaster_leaves_no_cartwright() -> None:
    """R6, R25: carriage 4 would be one city away."""
    game = position(route=["Ulm", "Augsburg"], carriage=3, deck=["Kempten", "Lodz"])
    play(game, "draw", "draw", "left Kempten", "close", "fill Baiern")
    assert game.seat == 1
    assert owned(game)["carriage"] == 3


def test_r6_one_card_in_hand_is_not_an_empty_hand() -> None:
    game = position(phase="end", others={1: Player(hand=["Lodz"])})
    play(game, "end")
    assert "administrator" in game.legal
    play(game, "draw")
    assert game.phase == "play"


# The administrator


def test_r7_the_administrator_replaces_the_display() -> None:
    new = ["Zürich", "Zürich", "Linz", "Kempten", "Lodz", "Augsburg"]
    game = position(hand=["Kempten"], display=DISPLAY, deck=new, discard=["Ulm"])
    deck_size = game.public()["deck_size"]
    play(game, "administrator")
    public = game.public()
    assert public["display"] == new
    assert public["discard"] == {"Ulm": 2} | {name: 1 for name in DISPLAY if name != "Ulm"}
    assert public["deck_size"] == deck_size - 6
    assert game.hand(0) == {"Kempten": 1}


def test_r7_the_first_card_is_still_to_be_drawn_and_no_second_one() -> None:
    """R4, R7: neither the administrator again nor the postmaster."""
    game = position(hand=["Kempten"], deck=["Zürich", "Zürich", "Linz", "Kempten", "Lodz", "Augsburg"])
    play(game, "administrator")
    takes = {"take Zürich", "take Linz", "take Kempten", "take Lodz", "take Augsburg"}
    assert set(game.legal) == takes | {"draw"}
    with pytest.raises(IllegalAction, match="only one official helps per turn"):
        game.play("administrator")
    play(game, "take Zürich")
    assert set(game.legal) == {"start Kempten", "start Zürich"}


def test_r4_no_postal_carrier_after_the_administrator() -> None:
    game = position(hand=["Kempten", "Ulm"])
    play(game, "administrator", "draw", "start Kempten")
    assert set(game.legal) == {"end"}


def test_r4_no_cartwright_after_the_administrator() -> None:
    game = position(hand=["Kempten"], route=["Ulm", "Augsburg"], carriage=3)
    play(game, "administrator", "draw", "left Kempten", "close", "fill Baiern")
    assert (game.seat, owned(game)["carriage"]) == (1, 3)


def test_r4_the_official_helps_anew_in_the_next_turn() -> None:
    game = position(hand=["Kempten"], others={1: Player(hand=["Lodz"])})
    play(game, "administrator", "draw", "start Kempten", "end")
    assert "administrator" in game.legal


def test_r7_the_administrator_comes_before_the_first_card() -> None:
    game = position(hand=["Kempten"])
    play(game, "draw")
    with pytest.raises(IllegalAction, match="only before the first card"):
        game.play("administrator")


def test_r7_f3_the_deck_is_made_anew_while_the_administrator_deals() -> None:
    """The six discarded cards are in the pile before the six new ones are dealt."""
    pile = [*DISPLAY, "Zürich", "Zürich"]
    game = position(
        hand=["Kempten"], display=DISPLAY, deck=["Augsburg", "Freiburg"], discard=["Zürich", "Zürich"], rest=1
    )
    order = ["Zürich", "Basel", "Ulm", "Zürich", "Linz", "Pilsen", "Lodz", "Passau"]
    assert sorted(order) == sorted(pile)
    play_and_shuffle(game, "administrator", order)
    public = game.public()
    assert public["display"] == ["Augsburg", "Freiburg", "Zürich", "Basel", "Ulm", "Zürich"]
    assert (public["deck_size"], public["discard"]) == (4, {})
    play(game, "draw")
    assert game.hand(0) == {"Kempten": 1, "Linz": 1}


def test_r7_r8_the_administrator_deals_the_last_six_cards() -> None:
    new = ["Zürich", "Zürich", "Linz", "Kempten", "Lodz", "Augsburg"]
    game = position(hand=["Kempten"], display=DISPLAY, deck=new, rest=1)
    play_and_shuffle(game, "administrator", DISPLAY)
    public = game.public()
    assert public["display"] == new
    assert (public["deck_size"], public["discard"]) == (6, {})


def test_r7_r9_without_a_deck_the_display_comes_back() -> None:
    """F2, F3: the discarded cards become the deck and are dealt again."""
    game = position(hand=["Kempten"], display=DISPLAY, rest=1)
    assert set(game.legal) == {*TAKES, "administrator"}
    play_and_shuffle(game, "administrator", DISPLAY[::-1])
    public = game.public()
    assert (public["display"], public["deck_size"]) == (DISPLAY[::-1], 0)


def test_f2_the_administrator_is_offered_for_a_single_card() -> None:
    """F2, R9: too few cards fill the first slots."""
    game = position(hand=["Kempten"], display=[None, None, "Ulm", None, "Linz", None], rest=1)
    assert set(game.legal) == {"take Ulm", "take Linz", "administrator"}
    play_and_shuffle(game, "administrator", ["Linz", "Ulm"])
    assert game.public()["display"] == ["Linz", "Ulm", None, None, None, None]
    one = position(hand=["Kempten"], display=[None, "Ulm"], rest=1)
    assert set(one.legal) == {"take Ulm", "administrator"}


# The deck is made anew


def test_r8_the_last_card_drawn_from_the_deck() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"], discard=["Ulm", "Linz"], rest=1)
    play_and_shuffle(game, "draw", ["Linz", "Ulm"])
    public = game.public()
    assert (public["deck_size"], public["discard"]) == (2, {})
    play(game, "draw")
    assert game.hand(0) == {"Kempten": 1, "Zürich": 1, "Linz": 1}


def test_r8_the_last_card_goes_to_the_display() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, deck=["Zürich"], discard=["Ulm", "Linz"], rest=1)
    play_and_shuffle(game, "take Basel", ["Ulm", "Linz"])
    public = game.public()
    assert public["display"] == ["Ulm", "Zürich", "Linz", "Passau", "Lodz", "Pilsen"]
    assert (public["deck_size"], public["discard"]) == (2, {})


def test_r8_an_empty_pile_is_shuffled_when_a_card_lands_there() -> None:
    """R8, R12: a route that is given up."""
    game = position(phase="play", hand=["Kempten", "Lodz"], route=["Ulm", "Stuttgart"], display=DISPLAY, rest=1)
    assert game.public()["deck_size"] == 0
    play_and_shuffle(game, "start Lodz", ["Stuttgart", "Ulm"])
    public = game.public()
    assert (public["deck_size"], public["discard"], public["display"]) == (2, {}, DISPLAY)


def test_f3_a_deck_with_a_card_is_not_made_anew() -> None:
    game = position(phase="play", hand=["Lodz"], route=["Ulm", "Stuttgart"], display=DISPLAY, deck=["Zürich"], rest=1)
    play(game, "start Lodz")
    assert game.public()["discard"] == {"Ulm": 1, "Stuttgart": 1}
    assert game.public()["deck_size"] == 1


def test_f3_a_route_given_up_refills_the_display_in_slot_order() -> None:
    """R8, R9, F3."""
    game = position(
        phase="play",
        hand=["Lodz"],
        route=["Ulm", "Stuttgart", "Nürnberg"],
        display=["Basel", None, "Linz", None, "Pilsen", None],
        rest=1,
    )
    play_and_shuffle(game, "start Lodz", ["Nürnberg", "Ulm", "Stuttgart"])
    public = game.public()
    assert public["display"] == ["Basel", "Nürnberg", "Linz", "Ulm", "Pilsen", "Stuttgart"]
    assert (public["deck_size"], public["discard"]) == (0, {})


def test_f3_a_closed_route_refills_the_display() -> None:
    """R9, F3, R26: one event for all its cards; those left over are the deck."""
    game = position(
        phase="end",
        houses=["Ulm", "Stuttgart", "Nürnberg"],
        route=["Ulm", "Stuttgart", "Nürnberg"],
        display=["Basel", "Linz", None, "Pilsen", "Lodz", None],
        rest=1,
    )
    play_and_shuffle(game, "close", ["Stuttgart", "Nürnberg", "Ulm"])
    public = game.public()
    assert public["display"] == ["Basel", "Linz", "Stuttgart", "Pilsen", "Lodz", "Nürnberg"]
    assert (public["deck_size"], public["discard"]) == (1, {})


# Nothing left to draw


def test_r9_an_empty_slot_stays_empty() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, rest=1)
    play(game, "take Linz")
    assert game.public()["display"] == ["Ulm", "Basel", None, "Passau", "Lodz", "Pilsen"]
    assert "draw" not in game.legal
    assert "take Basel" in game.legal


def test_r9_the_deck_has_nothing_to_draw() -> None:
    game = position(hand=["Kempten"], display=DISPLAY, rest=1)
    with pytest.raises(IllegalAction, match="the deck is empty"):
        game.play("draw")


def test_r5_r9_no_second_card_when_the_first_was_the_last_one() -> None:
    game = position(hand=["Kempten"], display=["Linz"], rest=1)
    play(game, "take Linz")
    assert (game.phase, set(game.legal)) == ("play", {"start Kempten", "start Linz"})


def test_r9_the_draw_is_skipped_when_all_cards_are_hoarded() -> None:
    """R9 on the tiny board: every card is in a hand or on a route. The official is not used up."""
    hand = {name: 2 for name in TINY if name != "Nördlingen"}
    game = position(
        2,
        "tiny",
        phase="end",
        hand=hand,
        others={1: Player(hand=["Ansbach", "Rothenburg"], route=["Dinkelsbühl", "Nördlingen"])},
        display=[],
        rest=0,
    )
    play(game, "end")
    assert (game.seat, game.phase) == (1, "play")
    assert set(game.legal) == {"left Ansbach", "left Rothenburg", "start Ansbach", "start Rothenburg"}
    with pytest.raises(IllegalAction, match="there was nothing to draw"):
        game.play("draw")
    play(game, "left Rothenburg")
    assert set(game.legal) == {"left Ansbach", "end", "close"}


def test_r9_hoarders_may_go_on_until_cards_return() -> None:
    """R9, F3: the next player draws what the given-up route brought back."""
    game = position(
        2,
        "tiny",
        phase="play",
        hand=["Ansbach", "Rothenburg"],
        route=["Dinkelsbühl", "Nördlingen"],
        display=[],
        rest=1,
    )
    play_and_shuffle(game, "start Ansbach", ["Nördlingen", "Dinkelsbühl"])
    play(game, "end")
    assert (game.seat, game.phase) == (1, "draw")
    assert game.public()["display"] == ["Nördlingen", "Dinkelsbühl", None, None]
    assert set(game.legal) == {"take Nördlingen", "take Dinkelsbühl", "administrator"}


def test_r9_the_forced_postmaster_takes_what_there_is() -> None:
    """R6, R9, F4: one card only."""
    game = position(display=[None, None, None, "Linz"], rest=1)
    assert set(game.legal) == {"take Linz"}
    play(game, "take Linz")
    assert (game.phase, set(game.legal)) == ("play", {"start Linz"})


def test_f4_r6_the_forced_postmaster_is_used_up_by_a_single_card() -> None:
    """R25, F4: no cartwright for the missing city."""
    game = position(route=["Ulm", "Augsburg"], carriage=3, display=["Kempten"], rest=1)
    play(game, "take Kempten", "left Kempten", "close", "fill Baiern")
    assert game.seat == 1
    assert owned(game)["carriage"] == 3


def test_r9_f4_without_any_card_the_play_is_skipped() -> None:
    """R9, F4: the turn goes on to `close` or `end`; the official is used up, so there is no cartwright."""
    game = position(
        phase="end",
        hand=["Lodz"],
        others={1: Player(route=["Ulm", "Kempten", "Augsburg"], houses=["Ulm"], carriage=3)},
        display=[],
        rest=0,
    )
    play(game, "end")
    assert (game.seat, game.phase, set(game.legal)) == (1, "end", {"end", "close"})
    play(game, "close", "fill Baiern")
    assert game.seat == 0
    assert owned(game, 1)["carriage"] == 3


def test_r9_f4_with_a_short_route_the_turn_can_only_end() -> None:
    game = position(phase="end", hand=["Lodz"], display=[], rest=0)
    play(game, "end")
    assert (game.seat, set(game.legal)) == (1, {"end"})
    play(game, "end")
    assert (game.seat, game.phase) == (0, "play")


def test_r9_no_slot_is_filled_before_cards_return() -> None:
    game = position(hand=["Kempten"], display=["Ulm", None, None, "Linz"], rest=1)
    play(game, "take Ulm", "start Ulm", "end")
    assert game.public()["display"] == [None, None, None, "Linz", None, None]
