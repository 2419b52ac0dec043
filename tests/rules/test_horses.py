"""Horses: cards turned over onto the carriage, instead of onto the route (H1 - H3, F11, F12)."""

from collections import Counter
from typing import Any

import pytest

from tests.positions import all_cities_but, owned, play
from tests.positions import position as any_position
from thurn_env import Game, IllegalAction

TWO_THREES = ["Dresden/3", "Berlin/3"]
SIX = [f"{name}/{horses}" for name in ("Dresden", "Stettin") for horses in (1, 2, 3)]


def position(players: int = 2, **given: Any) -> Game:
    """A position on the north board with horses."""
    return any_position(players, "north", horses=True, **given)


def at_play(**given: Any) -> Game:
    """A turn in which one card is drawn and no official has helped."""
    return position(phase="play", **given)


def plays(game: Game) -> set[str]:
    """The legal actions that play a card."""
    return {action for action in game.legal if action.split()[0] in ("left", "right", "start", "harness")}


def harnessing(game: Game) -> set[str]:
    """The legal actions that turn a card over onto the carriage."""
    return {action for action in game.legal if action.startswith("harness")}


# Material


def test_h1_every_city_has_a_card_with_one_two_and_three_horses() -> None:
    first_deck = Game(players=2, board="north", horses=True, seed=1).record().chance["decks"][0]
    cities = all_cities_but(board="north")
    assert Counter(first_deck) == {f"{name}/{horses}": 1 for name in cities for horses in (1, 2, 3)}


def test_h1_there_is_no_cartwright() -> None:
    words = {text.split()[0] for text in Game(players=2, board="north", horses=True, seed=1).rules.action_texts}
    assert words & {"cartwright", "decline", "harness"} == {"harness"}


def test_h2_a_carriage_starts_with_two_horses() -> None:
    game = Game(players=3, board="north", horses=True, seed=1)
    for seat in range(3):
        assert (owned(game, seat)["horses"], owned(game, seat)["harnessed"]) == (2, {})


# Onto the carriage


@pytest.mark.parametrize("horses", [1, 2, 3])
def test_h2_a_harnessed_card_counts_its_horses(horses: int) -> None:
    card = f"Stettin/{horses}"
    game = at_play(hand=[card, "Fulda/1"], route=["Hamburg/1"])
    play(game, f"harness {card}")
    mine = owned(game)
    assert (mine["horses"], mine["harnessed"]) == (2 + horses, {card: 1})
    assert (game.hand(0), mine["route"], game.public()["discard"]) == ({"Fulda/1": 1}, ["Hamburg/1"], {})


def test_h2_horses_add_up() -> None:
    game = at_play(hand=["Stettin/2", "Fulda/1"], harnessed=TWO_THREES)
    play(game, "harness Stettin/2")
    assert (owned(game)["horses"], owned(game)["harnessed"]) == (10, dict.fromkeys([*TWO_THREES, "Stettin/2"], 1))


def test_h2_any_card_of_the_hand_may_be_harnessed() -> None:
    """H2, H3: whether it fits the route or not, and instead of a start."""
    hand = ["Hannover/3", "Stettin/1", "Hamburg/2"]
    game = at_play(hand=hand, route=["Hamburg/1"])
    assert plays(game) == {
        "right Hannover/3",
        *(f"start {name}" for name in hand),
        *(f"harness {name}" for name in hand),
    }


def test_h2_only_cards_of_the_hand_are_harnessed() -> None:
    game = at_play(hand=["Fulda/1"])
    with pytest.raises(IllegalAction, match="there is no Fulda/2 in the hand"):
        game.play("harness Fulda/2")


def test_h2_six_cards_at_most() -> None:
    full = at_play(hand=["Fulda/1"], harnessed=SIX, route=["Hamburg/1"])
    assert plays(full) == {"start Fulda/1"}
    with pytest.raises(IllegalAction):
        full.play("harness Fulda/1")


def test_h2_h3_the_sixth_card_may_be_the_first_of_a_turn() -> None:
    """A seventh by the postal carrier may not."""
    game = at_play(hand=["Fulda/1", "Fulda/2"], harnessed=SIX[:5], route=["Hamburg/1"])
    assert harnessing(game) == {"harness Fulda/1", "harness Fulda/2"}
    play(game, "harness Fulda/2")
    assert owned(game)["horses"] == 2 + 1 + 2 + 3 + 1 + 2 + 2
    assert set(game.legal) == {"end"}


def test_h2_a_city_on_the_carriage_may_be_laid() -> None:
    """H2, R11: what lies on the carriage is no part of the route."""
    game = at_play(hand=["Hannover/1"], route=["Hamburg/1"], harnessed=["Hannover/3"])
    play(game, "right Hannover/1")
    assert owned(game)["route"] == ["Hamburg/1", "Hannover/1"]


def test_h1_r11_no_city_twice_whatever_its_horses() -> None:
    game = at_play(hand=["Hamburg/2", "Hannover/1"], route=["Hamburg/1", "Hannover/3"])
    assert plays(game) == {"start Hamburg/2", "start Hannover/1", "harness Hamburg/2", "harness Hannover/1"}
    with pytest.raises(IllegalAction):
        game.play("right Hamburg/2")


# The compulsory card and the postal carrier


def test_h3_the_compulsory_card_may_go_onto_the_carriage() -> None:
    """H3, R2: one of both must be done, and then the turn may end."""
    game = at_play(hand=["Stettin/1"], route=["Hamburg/1"])
    assert plays(game) == {"start Stettin/1", "harness Stettin/1"}
    assert "end" not in game.legal
    play(game, "harness Stettin/1")
    assert set(game.legal) == {"end"}
    play(game, "end")
    assert (game.seat, owned(game)["horses"], owned(game)["route"]) == (1, 3, ["Hamburg/1"])


@pytest.mark.parametrize(
    ("cards", "route", "harnessed"),
    [
        (["right Hannover/3", "harness Stettin/1"], ["Bremen/1", "Hamburg/1", "Hannover/3"], ["Stettin/1"]),
        (["harness Stettin/1", "right Hannover/3"], ["Bremen/1", "Hamburg/1", "Hannover/3"], ["Stettin/1"]),
        (["harness Hannover/3", "left Groningen/2"], ["Groningen/2", "Bremen/1", "Hamburg/1"], ["Hannover/3"]),
        (
            ["left Groningen/2", "right Hannover/3"],
            ["Groningen/2", "Bremen/1", "Hamburg/1", "Hannover/3"],
            [],
        ),
        (["harness Stettin/1", "harness Hannover/3"], ["Bremen/1", "Hamburg/1"], ["Stettin/1", "Hannover/3"]),
        (["start Stettin/1", "harness Hannover/3"], ["Stettin/1"], ["Hannover/3"]),
    ],
)
def test_h3_r13_two_cards_with_the_postal_carrier(cards: list[str], route: list[str], harnessed: list[str]) -> None:
    """H3, R13: route and carriage in either order, twice the route, or twice the carriage; there is no third card."""
    hand = ["Hannover/3", "Groningen/2", "Stettin/1", "Lübeck/1"]
    game = play(at_play(hand=hand, route=["Bremen/1", "Hamburg/1"]), *cards)
    mine = owned(game)
    assert (mine["route"], mine["harnessed"], mine["hand_size"]) == (route, dict.fromkeys(harnessed, 1), 2)
    assert plays(game) == set()
    assert game.public()["official_used"]


def test_h3_the_postal_carriers_choices_after_the_carriage() -> None:
    """H3, R13: extend at either end or harness; the second card starts no route."""
    game = at_play(hand=["Stettin/1", "Groningen/2", "Hannover/3"], route=["Bremen/1", "Hamburg/1"])
    play(game, "harness Stettin/1")
    assert set(game.legal) == {
        *("left Groningen/2", "left Hannover/3", "right Hannover/3"),
        *("harness Groningen/2", "harness Hannover/3", "end"),
    }
    with pytest.raises(IllegalAction):
        game.play("start Groningen/2")


def test_h3_r4_no_second_card_when_an_official_has_helped() -> None:
    """R4, H3: after either kind of first card."""
    for first in ("harness Stettin/1", "right Hannover/3", "start Stettin/1"):
        game = at_play(hand=["Stettin/1", "Hannover/3", "Hannover/2"], route=["Hamburg/1"], official_used=True)
        play(game, first)
        assert set(game.legal) == {"end"}


def test_h3_r6_the_forced_postmaster_leaves_no_second_card() -> None:
    game = position(deck=["Stettin/1", "Fulda/2"])
    play(game, "draw", "draw", "harness Fulda/2")
    assert set(game.legal) == {"end"}


def test_h3_horses_before_any_route() -> None:
    game = at_play(hand=["Stettin/3", "Fulda/1"])
    assert plays(game) == {"start Stettin/3", "start Fulda/1", "harness Stettin/3", "harness Fulda/1"}
    play(game, "harness Stettin/3")
    assert (owned(game)["route"], owned(game)["horses"]) == ([], 5)


def test_f11_no_start_after_the_carriage() -> None:
    """F11, H3: before any route the postal carrier can only harness again."""
    game = at_play(hand=["Stettin/3", "Fulda/1"])
    play(game, "harness Stettin/3")
    assert set(game.legal) == {"harness Fulda/1", "end"}
    with pytest.raises(IllegalAction):
        game.play("start Fulda/1")
    play(game, "harness Fulda/1")
    assert (owned(game)["horses"], set(game.legal)) == (6, {"end"})


def test_f11_start_first_and_then_harness() -> None:
    game = at_play(hand=["Stettin/3", "Fulda/1", "Würzburg/2"])
    play(game, "start Fulda/1")
    assert set(game.legal) == {"harness Stettin/3", "harness Würzburg/2", "right Würzburg/2", "end"}
    play(game, "harness Stettin/3")
    assert (owned(game)["route"], owned(game)["harnessed"]) == (["Fulda/1"], {"Stettin/3": 1})


# Fine print


def test_f12_a_harnessed_card_stays_open() -> None:
    """F12: also one that was drawn unseen; a card known before is no longer counted in the hand."""
    game = at_play(hand=["Stettin/1", "Fulda/2"], known=["Fulda/2"])
    play(game, "harness Stettin/1", "harness Fulda/2")
    mine = owned(game)
    assert (mine["harnessed"], mine["known_cards"], mine["hand_size"]) == ({"Stettin/1": 1, "Fulda/2": 1}, {}, 0)
    for seed in range(5):
        assert owned(game.redeal(1, seed))["harnessed"] == mine["harnessed"]
