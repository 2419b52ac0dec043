"""Hand-checked positions for the oracle itself: horses."""

from __future__ import annotations

from typing import Any

from tests.oracle import Oracle
from tests.oracle_tables import (
    NORTH,
    NORTH_CITIES,
    deck,
    play,
    restart,
    tiles,
    with_horses,
)


def test_first_turn_with_horses() -> None:
    """R6, H1, H2, H3: cards are named with their horses; the first one may be harnessed before any route."""
    oracle = with_horses()
    assert oracle.public()["display"] == ["Aa/1", "Aa/2", "Aa/3"]
    assert oracle.legal() == {"take Aa/1", "take Aa/2", "take Aa/3", "draw"}
    play(oracle, "take Aa/3, draw")
    assert oracle.legal() == {"start Aa/3", "harness Aa/3", "start Ab/2", "harness Ab/2"}
    mine = oracle.public()["players"][0]
    assert (mine["horses"], mine["harnessed"], mine["carriage"]) == (2, {}, 0)
    oracle.play("harness Aa/3")
    assert oracle.legal() == {"end"}
    mine = oracle.public()["players"][0]
    assert (mine["horses"], mine["harnessed"], mine["route"]) == (5, {"Aa/3": 1}, [])
    assert oracle.hand(0) == {"Ab/2": 1}


def test_horses_are_not_shown_in_a_game_without_them() -> None:
    """H1, N5: the northern board's standard rules know no horses."""
    mine = Oracle(NORTH, 2, 0, [deck(board=NORTH)]).public()["players"][0]
    assert (mine["horses"], mine["harnessed"]) == (0, {})


def test_the_postal_carrier_with_horses() -> None:
    """R4, R13, H3: two cards in any mix; the second one never starts a route."""

    def second_card(first: str, **position: Any) -> set[str]:
        oracle = with_horses("Ba/1", "Bb/2", **position)
        play(oracle, f"draw, {first}")
        assert oracle.phase == "finish"
        return oracle.legal()

    # F11: before any route a first card on the carriage leaves only the carriage for the second.
    assert second_card("harness Ba/1") == {"harness Bb/2", "harness Ab/1", "end"}
    assert second_card("start Ba/1") == {"right Bb/2", "harness Bb/2", "harness Ab/1", "end"}
    assert second_card("harness Bb/2", route=("Fa/1",)) == {
        "right Ba/1",
        "right Ab/1",
        "harness Ba/1",
        "harness Ab/1",
        "end",
    }
    oracle = with_horses("Ba/1", "Bb/2")
    play(oracle, "draw, harness Bb/2, harness Ab/1")
    assert oracle.legal() == {"end"}
    assert oracle.public()["players"][0]["harnessed"] == {"Ab/1": 1, "Bb/2": 1}
    assert oracle.public()["players"][0]["horses"] == 2 + 3


def test_other_officials_with_horses() -> None:
    """R4, R5, R7: after the postmaster or the administrator only one card is played, on the route or carriage."""
    oracle = with_horses("Ba/1")
    play(oracle, "draw, draw")
    assert "harness Ba/1" in oracle.legal()
    oracle.play("harness Ba/1")
    assert oracle.legal() == {"end"}
    oracle = with_horses("Ba/1")
    play(oracle, "administrator, draw, start Ba/1")
    assert oracle.legal() == {"end"}


def test_a_city_is_in_the_route_once_whatever_its_horses() -> None:
    """R10, R11, H1: another card of the same city does not fit."""
    oracle = with_horses("Ba/2", "Bb/2", "Fb/3", "Fa/1", route=("Ba/1", "Bb/1"))
    oracle.play("take Aa/1")
    extensions = {text for text in oracle.legal() if text.startswith(("left", "right"))}
    assert extensions == {"right Fb/3", "left Fa/1"}
    oracle.play("left Fa/1")
    assert oracle.public()["players"][0]["route"] == ["Fa/1", "Ba/1", "Bb/1"]


def test_six_cards_on_the_carriage() -> None:
    """H2: there is room for six cards, not more."""
    five = ("Ca/1", "Ca/2", "Ca/3", "Cb/1", "Cb/2")
    oracle = with_horses("Ba/1", "Bb/2", harnessed=five)
    play(oracle, "draw, harness Ba/1")
    assert oracle.legal() == {"end"}
    assert oracle.public()["players"][0]["horses"] == 2 + 9 + 1
    oracle = with_horses("Ba/1", "Bb/2", harnessed=(*five, "Cb/3"))
    oracle.play("draw")
    assert not {text for text in oracle.legal() if text.startswith("harness")}


def test_closing_needs_a_horse_for_every_city() -> None:
    """R3, H2, H4: the carriage's own two count; one more is needed for three cities."""
    oracle = with_horses("Fa/1", "Fb/1", route=("Aa/1", "Ab/1"))
    play(oracle, "take Aa/1, right Fa/1")
    assert oracle.legal() == {"harness Fb/1", "harness Aa/1", "end"}
    oracle.play("harness Fb/1")
    assert oracle.legal() == {"close", "end"}

    # Horses alone do not close a route of two.
    oracle = with_horses("Ab/1", route=("Aa/1",), harnessed=("Ca/3",))
    play(oracle, "draw, right Ab/1")
    assert "close" not in oracle.legal()

    for horses, enough in ((("Ca/1", "Ca/2"), False), (("Ca/3", "Ca/1"), True)):
        route = tuple(f"{city}/1" for city in NORTH_CITIES[:5])
        oracle = with_horses("Fb/1", route=route, harnessed=horses)
        play(oracle, "draw, right Fb/1")
        assert ("close" in oracle.legal()) is enough


def test_surplus_horses_are_lost() -> None:
    """R15, R26, H1, H4, F3: route and horse cards are one discarding event; no carriage, no cartwright."""
    route = ("Aa/1", "Ab/1", "Fa/1", "Ba/1")
    harnessed = ("Ca/3", "Ca/2", "Cb/1")
    oracle = with_horses("Bb/1", "Ba/2", "Ba/3", "Bb/2", route=route, harnessed=harnessed)
    # The deck is gone, so the event's cards, and only they, are shuffled at once; the open slot is filled.
    oracle._deck = []
    oracle._orders = [[*harnessed, *reversed(route), "Bb/1"]]
    play(oracle, "take Aa/2, right Bb/1, close")
    assert oracle.legal() == {"spread", "fill A", "fill B"}
    play(oracle, "spread, house Aa, house Ba, house Fa")
    assert oracle.phase == "discard"
    assert oracle.public()["display"] == ["Aa/1", "Ca/3", "Aa/3"]
    assert (oracle.public()["deck_size"], oracle.decks_left) == (7, 0)
    mine = oracle.public()["players"][0]
    assert (mine["route"], mine["harnessed"], mine["horses"], mine["carriage"]) == ([], {}, 2, 0)
    assert tiles(oracle) == [("Fa", 1), ("five", 2)]
    assert oracle.scores()[0] == 3 - 4
    assert oracle.legal() == {"discard Aa/2", "discard Ba/2", "discard Ba/3", "discard Bb/2"}
    oracle.play("discard Ba/3")
    assert (oracle.seat, oracle.public()["discard"]) == (1, {"Ba/3": 1})


def test_giving_up_a_route_keeps_the_horses() -> None:
    """R12, H5, F3: by default the horse cards stay; without the option they go with the route, in one event."""
    for kept, pile in ((True, {"Aa/1": 1, "Ab/1": 1}), (False, {"Aa/1": 1, "Ab/1": 1, "Ca/3": 1, "Cb/1": 1})):
        oracle = with_horses(
            "Ba/1", "Bb/2", route=("Aa/1", "Ab/1"), harnessed=("Ca/3", "Cb/1"), options={"horses_kept": kept}
        )
        play(oracle, "draw, start Ba/1")
        assert oracle.public()["discard"] == pile
        mine = oracle.public()["players"][0]
        assert (mine["route"], mine["horses"]) == (["Ba/1"], 6 if kept else 2)
        assert {"right Bb/2", "harness Bb/2"} <= oracle.legal()

    oracle = with_horses("Ba/1", route=("Ab/1",), harnessed=("Ca/3",), options={"horses_kept": False})
    oracle._deck = []
    oracle._orders = [["Ca/3", "Ab/1"]]
    play(oracle, "take Aa/1, start Ba/1")
    assert (oracle.public()["display"], oracle.public()["deck_size"]) == (["Ca/3", "Aa/2", "Aa/3"], 1)


def test_a_first_route_gives_nothing_up() -> None:
    """H3, H5: horses laid before any route stay when it is started, with either option."""
    for kept in (True, False):
        oracle = with_horses("Ba/1", harnessed=("Ca/3", "Cb/1"), options={"horses_kept": kept})
        play(oracle, "draw, start Ba/1")
        assert oracle.public()["discard"] == {}
        assert oracle.public()["players"][0]["harnessed"] == {"Ca/3": 1, "Cb/1": 1}


def test_a_given_up_route_makes_room_for_horses() -> None:
    """H2, H5: without ``horses_kept`` a full carriage is empty again after a new start."""
    six = ("Ca/1", "Ca/2", "Ca/3", "Cb/1", "Cb/2", "Cb/3")
    for kept in (True, False):
        oracle = with_horses("Ba/1", "Fb/1", route=("Ab/1",), harnessed=six, options={"horses_kept": kept})
        play(oracle, "draw, start Ba/1")
        assert ("harness Fb/1" in oracle.legal()) is not kept


def test_with_horses_only_the_last_house_ends_the_game() -> None:
    """R27, H1, H6: no carriage is taken, however long the route; the last house takes the end tile."""
    route = tuple(f"{city}/1" for city in NORTH_CITIES[:6])
    harnessed = ("Ca/3", "Cb/3")
    for houses_left, wanted in ((5, [("seven", 4)]), (1, [("end", 1), ("seven", 4)])):
        oracle = with_horses("Ca/1", route=route, harnessed=harnessed, houses_left=houses_left)
        play(oracle, "draw, right Ca/1, close, fill C")
        assert tiles(oracle) == wanted
        assert oracle.public()["players"][0]["carriage"] == 0
        assert oracle.scores()[0] == sum(value for _, value in wanted) - (houses_left - 1)
        play(oracle, "draw, draw, start Ab/2, end")
        assert oracle.over is (houses_left == 1)


def test_no_cartwright_with_horses() -> None:
    """R25, H1: a route that is short of the next carriage raises no question."""
    for horses in (False, True):
        route = [f"{city}/1" if horses else city for city in ("Aa", "Ab", "Fa")]
        oracle = Oracle(NORTH, 2, 0, [deck(board=NORTH, horses=horses)], {"horses": horses})
        player = oracle._players[0]
        player.hand, player.route = ["Ca/1" if horses else "Ca", route[2]], route[:2]
        player.harnessed = ["Cb/1"] if horses else []
        player.carriages = 0 if horses else 1
        restart(oracle)
        play(oracle, f"draw, right {route[2]}, close, fill A")
        assert oracle.legal() == (
            {"take Aa/1", "take Aa/2", "take Aa/3", "draw"} if horses else {"cartwright", "decline"}
        )
