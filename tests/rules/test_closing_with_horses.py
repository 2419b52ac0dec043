"""Routes that need horses to be closed, and what becomes of the horses (H1, H4 - H6, F3, F4)."""

from typing import Any

import pytest

from tests.positions import Player, all_cities_but, owned, play, play_and_shuffle
from tests.positions import position as any_position
from thurn_env import Game, IllegalAction

# The roads from Groningen to Leipzig: nine cities in a row.
NINE = [
    f"{name}/1"
    for name in (
        *("Groningen", "Amsterdam", "Brüssel", "Cölln", "Coblenz"),
        *("Frankfurt", "Würzburg", "Weimar", "Leipzig"),
    )
]
THREE = ["Hamburg/1", "Hannover/1", "Göttingen/1"]
THREE_CITIES = ["Hamburg", "Hannover", "Göttingen"]
TWO_THREES = ["Dresden/3", "Berlin/3"]
SIX = [f"{name}/{horses}" for name in ("Dresden", "Stettin") for horses in (1, 2, 3)]


def position(players: int = 2, **given: Any) -> Game:
    """A position on the north board with horses."""
    return any_position(players, "north", horses=True, **given)


def at_play(**given: Any) -> Game:
    """A turn in which one card is drawn and no official has helped."""
    return position(phase="play", **given)


# Closing


@pytest.mark.parametrize("length", [3, 5, 8])
def test_h1_no_carriage_is_taken(length: int) -> None:
    """H1, R24: and none is asked for; no official has helped in this turn."""
    game = position(phase="end", route=NINE[:length], harnessed=TWO_THREES, houses=["Brüssel"])
    play(game, "close", "fill Holland")
    assert (owned(game)["carriage"], game.seat) == (0, 1)


@pytest.mark.parametrize(
    ("length", "harnessed", "closable"),
    [
        (3, [], False),
        (3, ["Dresden/1"], True),
        (4, ["Dresden/1"], False),
        (4, ["Dresden/2"], True),
        (5, ["Dresden/1", "Berlin/1"], False),
        (5, ["Dresden/3"], True),
        (5, TWO_THREES, True),
        (2, TWO_THREES, False),
        (9, [*TWO_THREES, "Stettin/1"], True),
        (9, SIX, True),
    ],
)
def test_h4_a_route_needs_as_many_horses_as_cities(length: int, harnessed: list[str], closable: bool) -> None:
    """H4, R3: the own two included; and three cities at least."""
    game = position(phase="end", route=NINE[:length], harnessed=harnessed)
    assert set(game.legal) == ({"end", "close"} if closable else {"end"})
    if not closable:
        with pytest.raises(IllegalAction):
            game.play("close")


@pytest.mark.parametrize("length", [5, 6, 7, 8, 9])
def test_h4_the_online_guides_example(length: int) -> None:
    """H2, H4: with two cards of three horses a route of five may grow to eight cities and be closed, not to nine."""
    game = at_play(route=NINE[: length - 1], hand=[NINE[length - 1]], harnessed=TWO_THREES)
    assert owned(game)["horses"] == 8
    play(game, f"right {NINE[length - 1]}")
    assert ("close" in game.legal) is (length <= 8)


def test_h4_the_horses_may_come_in_the_same_turn() -> None:
    """H3, H4: by the compulsory card or by the postal carrier's."""
    game = at_play(route=THREE, hand=["Dresden/1", "Weimar/1"])
    play(game, "harness Dresden/1")
    assert "close" in game.legal
    play(game, "right Weimar/1")
    assert "close" not in game.legal
    other = play(at_play(route=THREE, hand=["Dresden/2", "Weimar/1"]), "right Weimar/1", "harness Dresden/2")
    assert set(other.legal) == {"end", "close"}


def test_h4_a_route_may_be_kept() -> None:
    """H4, R3: then the horses stay, too."""
    game = play(position(phase="end", route=THREE, harnessed=TWO_THREES), "end")
    assert (owned(game)["route"], owned(game)["horses"]) == (THREE, 8)


def test_h4_route_and_horses_are_all_discarded() -> None:
    """H4, R26: five horses too many are lost; then the hand is cut to three."""
    hand = ["Fulda/1", "Fulda/2", "Fulda/3", "Stettin/1"]
    game = position(phase="end", route=THREE, houses=THREE_CITIES, harnessed=TWO_THREES, hand=hand)
    play(game, "close")
    mine = owned(game)
    assert (mine["route"], mine["harnessed"], mine["horses"]) == ([], {}, 2)
    assert game.public()["discard"] == dict.fromkeys([*THREE, *TWO_THREES], 1)
    assert (game.phase, set(game.legal)) == ("discard", {f"discard {name}" for name in hand})
    play(game, "discard Stettin/1")
    assert (game.seat, owned(game)["hand_size"]) == (1, 3)


def test_h4_the_route_lies_until_the_houses_are_placed() -> None:
    """H4, R15: and so do the horses."""
    game = play(position(phase="end", route=THREE, harnessed=TWO_THREES), "close", "spread", "house Hannover")
    assert (owned(game)["route"], owned(game)["horses"]) == (THREE, 8)
    play(game, "house Hamburg")
    assert (owned(game)["route"], owned(game)["horses"], game.seat) == ([], 2, 1)


def test_h4_horses_do_not_lengthen_the_route() -> None:
    """H4, R21: the tile is that of five cities."""
    game = position(phase="end", route=NINE[:5], harnessed=SIX)
    play(game, "close", "fill Belgien")
    assert [tile["stack"] for tile in owned(game)["tiles"]] == ["distance 5"]


def test_h4_the_other_players_horses_stay() -> None:
    others = {1: Player(harnessed=["Stettin/3"], route=["Fulda/1"])}
    game = position(phase="end", route=THREE, houses=THREE_CITIES, harnessed=TWO_THREES, others=others)
    play(game, "close")
    assert (owned(game, 1)["harnessed"], owned(game, 1)["horses"]) == ({"Stettin/3": 1}, 5)


# A route given up


def test_h5_horses_stay_when_a_route_is_given_up() -> None:
    game = at_play(hand=["Stettin/1"], route=THREE, harnessed=TWO_THREES)
    play(game, "start Stettin/1")
    mine = owned(game)
    assert (mine["route"], mine["horses"], mine["harnessed"]) == (["Stettin/1"], 8, dict.fromkeys(TWO_THREES, 1))
    assert game.public()["discard"] == dict.fromkeys(THREE, 1)


def test_h5_the_option_discards_them() -> None:
    game = at_play(hand=["Stettin/1", "Fulda/2"], route=THREE, harnessed=TWO_THREES, horses_kept=False)
    play(game, "start Stettin/1")
    mine = owned(game)
    assert (mine["route"], mine["horses"], mine["harnessed"]) == (["Stettin/1"], 2, {})
    assert game.public()["discard"] == dict.fromkeys([*THREE, *TWO_THREES], 1)
    play(game, "harness Fulda/2")
    assert (owned(game)["horses"], owned(game)["harnessed"]) == (4, {"Fulda/2": 1})


def test_h5_the_first_route_gives_nothing_up() -> None:
    """H3, H5: with the option the horses laid before any route stay."""
    game = at_play(hand=["Stettin/1"], harnessed=TWO_THREES, horses_kept=False)
    play(game, "start Stettin/1")
    assert (owned(game)["horses"], game.public()["discard"]) == (8, {})


# The end


def test_h6_a_route_of_seven_does_not_trigger_the_end() -> None:
    """H1, H6."""
    game = position(phase="end", route=NINE[:8], harnessed=TWO_THREES)
    play(game, "close", "fill Belgien")
    assert not game.public()["final_round"]


def test_h6_the_twentieth_house_triggers_the_end() -> None:
    houses = all_cities_but("Hannover", "Stettin", "Dresden", "Brüssel", board="north")
    game = position(phase="end", route=THREE, harnessed=TWO_THREES, houses=houses)
    play(game, "close", "fill Hannover")
    assert (owned(game)["houses_left"], game.public()["final_round"], game.seat) == (0, True, 1)
    assert {"stack": "game end", "value": 1} in owned(game)["tiles"]


def test_h6_r29_the_score_is_tiles_less_houses_not_placed() -> None:
    """Horses are worth nothing."""
    game = position(
        houses=["Hamburg", "Stettin", "Fulda"],
        harnessed=SIX,
        tiles={"Hamburg": [0], "distance 5": [0, 1]},
    )
    values = [sum(tile["value"] for tile in owned(game, seat)["tiles"]) for seat in range(2)]
    assert game.scores == [values[0] - 17, values[1] - 20]
    assert [sum(row.values()) for row in game.breakdown()] == game.scores


# Fine print

DISPLAY = ["Lübeck/1", "Lübeck/2", "Lübeck/3", "Bremen/1", "Bremen/2", "Bremen/3"]


def test_f3_a_closed_route_with_its_horses_is_one_event() -> None:
    """R8, R9, F3: the route and the horses are shuffled together and refill the display."""
    display = [DISPLAY[0], None, DISPLAY[2], None, None, None]
    game = position(phase="end", route=THREE, houses=THREE_CITIES, harnessed=TWO_THREES, display=display, rest=1)
    play_and_shuffle(game, "close", ["Dresden/3", "Hamburg/1", "Berlin/3", "Göttingen/1", "Hannover/1"])
    public = game.public()
    assert public["display"] == [DISPLAY[0], "Dresden/3", DISPLAY[2], "Hamburg/1", "Berlin/3", "Göttingen/1"]
    assert (public["deck_size"], public["discard"], public["top_horses"]) == (1, {}, 1)


def test_f3_every_discarded_card_is_still_an_event_of_its_own() -> None:
    """R26, F3: after the event of the route and its horses."""
    hand = ["Fulda/1", "Fulda/2", "Fulda/3", "Stettin/1"]
    display = [DISPLAY[0], *[None] * 5]
    given: dict[str, Any] = {"harnessed": ["Dresden/3"], "hand": hand, "display": display, "rest": 1}
    game = position(phase="end", route=THREE, houses=THREE_CITIES, **given)
    play_and_shuffle(game, "close", ["Dresden/3", *THREE])
    assert game.public()["display"] == [DISPLAY[0], "Dresden/3", *THREE, None]
    play_and_shuffle(game, "discard Fulda/3", ["Fulda/3"])
    assert (game.public()["display"][5], game.public()["deck_size"], game.seat) == ("Fulda/3", 0, 1)


def test_f3_h5_a_given_up_route_is_one_event() -> None:
    """R8, F3: with its horses if they are not kept."""
    given: dict[str, Any] = {"hand": ["Stettin/1"], "route": THREE[:2], "harnessed": TWO_THREES}
    kept = at_play(**given, display=DISPLAY, rest=1)
    play_and_shuffle(kept, "start Stettin/1", ["Hannover/1", "Hamburg/1"])
    assert (kept.public()["deck_size"], kept.public()["discard"]) == (2, {})
    given_up = at_play(**given, display=DISPLAY, rest=1, horses_kept=False)
    play_and_shuffle(given_up, "start Stettin/1", ["Dresden/3", "Hamburg/1", "Berlin/3", "Hannover/1"])
    assert (given_up.public()["deck_size"], given_up.public()["discard"]) == (4, {})


def test_f3_a_harnessed_card_is_not_discarded() -> None:
    """R8, F3: neither pile nor deck gets it."""
    game = at_play(hand=["Stettin/1"], display=DISPLAY, rest=1)
    play(game, "harness Stettin/1", "end")
    assert (game.public()["deck_size"], game.public()["discard"]) == (0, {})


def test_f4_without_a_card_to_play_a_route_is_closed_only_with_enough_horses() -> None:
    """R9, F4, H4."""
    for harnessed, legal in ((TWO_THREES, {"end", "close"}), ([], {"end"})):
        others = {1: Player(route=THREE, harnessed=harnessed)}
        game = position(phase="end", hand=["Fulda/1"], others=others, display=[], rest=0)
        play(game, "end")
        assert (game.seat, game.phase, set(game.legal)) == (1, "end", legal)
