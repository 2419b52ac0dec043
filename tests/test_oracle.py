"""Hand-checked positions for the oracle itself: the rules of the base game, and that no card is ever lost."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle import Oracle, OracleError
from tests.oracle_tables import (
    BOARD,
    all_cards,
    closing,
    deck,
    play,
    restart,
)


def test_empty_hand_forces_the_postmaster() -> None:
    """R1, R5, R6, F2: the second draw is compulsory; slots are refilled at once; no carrier afterwards."""
    oracle = Oracle(BOARD, 2, 1, [deck("Aa", "Ab", "Ab", "Ca", "Ac")])
    assert oracle.seat == 1
    assert oracle.legal() == {"take Aa", "take Ab", "draw"}
    oracle.play("take Ab")
    assert oracle.public()["display"] == ["Aa", "Ca", "Ab"]
    assert oracle.legal() == {"take Aa", "take Ab", "take Ca", "draw"}
    oracle.play("draw")
    assert oracle.hand(1) == {"Ab": 1, "Ac": 1}
    assert oracle.legal() == {"start Ab", "start Ac"}
    oracle.play("start Ab")
    assert oracle.legal() == {"end"}
    oracle.play("end")
    assert oracle.seat == 0


def test_one_official_a_turn() -> None:
    """R4, R5, R7, R12, R13: each official shuts out the others; one card is extended on the right only."""

    def second_turn() -> Oracle:
        oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac", "Ba", "Ca", "Ba", "Ba")])
        play(oracle, "take Aa, take Ab, start Aa, end, draw, draw, start Ba, end")
        assert oracle.legal() == {"administrator", "draw", "take Ac", "take Ba", "take Ca"}
        return oracle

    oracle = second_turn()
    oracle.play("administrator")
    assert oracle.public()["discard"] == {"Ac": 1, "Ba": 1, "Ca": 1}
    assert "administrator" not in oracle.legal()
    oracle.play("draw")
    assert oracle.legal() == {"start Ab", "right Ab"}
    oracle.play("right Ab")
    assert oracle.legal() == {"end"}

    oracle = second_turn()
    oracle.play("take Ac")
    assert {"start Ab", "right Ab", "start Ac", "draw"} <= oracle.legal()
    oracle.play("draw")
    assert oracle.legal() == {"start Aa", "start Ab", "right Ab", "start Ac"}

    oracle = second_turn()
    play(oracle, "take Ac, right Ab")
    assert oracle.legal() == {"right Ac", "end"}
    oracle.play("right Ac")
    assert oracle.legal() == {"end", "close"}


def test_giving_up_a_route() -> None:
    """R12, R13: the old route is discarded, and the carrier may extend the new one."""
    oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac")])
    oracle._players[0].hand = ["Bb", "Ba"]
    oracle._players[0].route = ["Aa", "Ab"]
    restart(oracle)
    play(oracle, "take Ac, start Bb")
    assert oracle.public()["discard"] == {"Aa": 1, "Ab": 1}
    assert oracle.legal() == {"right Ba", "end"}


def test_spread_asks_province_by_province() -> None:
    """R16, R21, F6, F10: board order, single candidates too; then tiles, carriage and the end of the turn."""
    oracle = closing(["Ca", "Bb", "Ba", "Ac", "Ab"])
    assert oracle.legal() == {"spread", "fill A", "fill B", "fill C"}
    oracle.play("spread")
    assert oracle.legal() == {"house Ab", "house Ac"}
    oracle.play("house Ac")
    assert oracle.legal() == {"house Ba", "house Bb"}
    oracle.play("house Bb")
    assert oracle.legal() == {"house Ca"}
    oracle.play("house Ca")
    assert oracle.seat == 1
    mine = oracle.public()["players"][0]
    assert mine["houses"] == ["Ac", "Bb", "Ca"]
    assert mine["tiles"] == [{"stack": "five", "value": 4}, {"stack": "all", "value": 6}]
    assert (mine["carriage"], mine["houses_left"], mine["route"]) == (3, 3, [])
    assert oracle.scores() == [2 + 4 + 6 - 3, -6]


def test_fill_places_all_and_spread_is_left_out_for_one_candidate() -> None:
    """R16, R17, F5, F7, R23: own cities are passed over; with no candidate there is no question (R20)."""
    oracle = closing(["Aa", "Ab", "Ac"])
    assert oracle.legal() == {"spread", "fill A"}
    oracle.play("fill A")
    assert oracle.public()["players"][0]["tiles"] == [{"stack": "A", "value": 4}]
    assert closing(["Aa", "Ab", "Ac"], houses=("Aa", "Ac")).legal() == {"fill A"}
    assert closing(["Aa", "Ab", "Ac"], houses=("Aa", "Ab", "Ac")).seat == 1


def test_houses_run_short() -> None:
    """R19, R27, F6, F7, F10: questions are over all that is unserved; the last house takes the end tile."""
    oracle = closing(["Ca", "Bb", "Ba", "Ac", "Ab"], houses_left=2)
    oracle.play("spread")
    assert oracle.legal() == {"house Ab", "house Ac", "house Ba", "house Bb", "house Ca"}
    oracle.play("house Ba")
    assert oracle.legal() == {"house Ab", "house Ac", "house Ca"}
    oracle.play("house Ca")
    assert oracle.public()["players"][0]["tiles"] == [
        {"stack": "end", "value": 1},
        {"stack": "five", "value": 4},
    ]

    oracle = closing(["Aa", "Ab", "Ac"], houses_left=1)
    oracle.play("fill A")
    assert oracle.legal() == {"house Aa", "house Ab", "house Ac"}
    oracle.play("house Ab")
    assert (oracle.seat, oracle.public()["players"][0]["houses"]) == (1, ["Ab"])


def test_optional_houses() -> None:
    """R18, F7, F8: leave skips one city or province, or ends the placing when houses run short."""
    option = {"optional_houses": True}
    oracle = closing(["Aa", "Ab", "Ac"], options=option)
    oracle.play("fill A")
    assert oracle.legal() == {"house Aa", "leave"}
    oracle.play("leave")
    assert oracle.legal() == {"house Ab", "leave"}
    play(oracle, "house Ab, leave")
    assert oracle.public()["players"][0]["houses"] == ["Ab"]

    oracle = closing(["Aa", "Ab", "Ac", "Ba"], options=option)
    play(oracle, "spread, leave")
    assert oracle.legal() == {"house Ba", "leave"}

    oracle = closing(["Aa", "Ab", "Ac", "Ba"], options=option, houses_left=1)
    play(oracle, "spread, leave")
    assert oracle.seat == 1


def test_cartwright_and_discard() -> None:
    """R24-R26, F10: asked when one or two short and no official helped; then down to three cards."""
    oracle = closing(["Aa", "Ab", "Ac", "Ba"], carriages=2, hand=("Ca", "Ca", "Bb", "Bb"))
    oracle.play("fill B")
    assert oracle.legal() == {"cartwright", "decline"}
    oracle.play("cartwright")
    mine = oracle.public()["players"][0]
    assert mine["carriage"] == 6
    assert mine["tiles"] == [{"stack": "four", "value": 3}, {"stack": "end", "value": 1}]
    assert oracle.public()["discard"] == {"Aa": 1, "Ab": 1, "Ac": 1, "Ba": 1}
    assert oracle.legal() == {"discard Aa", "discard Bb", "discard Ca"}
    play(oracle, "discard Ca, discard Ca")
    assert (oracle.seat, oracle.hand(0)) == (1, {"Aa": 1, "Bb": 2})

    three_short = closing(["Aa", "Ab", "Ac"], carriages=2)
    three_short.play("fill A")
    assert three_short.seat == 1


def test_distance_stack_falls_through() -> None:
    """R22: an empty stack is replaced by the next lower one with tiles."""
    oracle = closing(["Aa", "Ab", "Ac", "Ba", "Bb"])
    oracle._tiles_left["five"] = []
    oracle.play("fill B")
    assert oracle.public()["players"][0]["tiles"] == [{"stack": "four", "value": 3}]


def test_all_provinces_of_the_first_edition() -> None:
    """R21: with the option one named province is not needed."""
    for option, tiles in ((False, []), (True, [{"stack": "all", "value": 6}])):
        oracle = closing(["Ba", "Bb", "Ca"], options={"all_provinces_without_baiern": option})
        play(oracle, "spread, house Ba, house Ca")
        assert oracle.public()["players"][0]["tiles"] == tiles


def test_reshuffle_as_soon_as_the_deck_is_empty() -> None:
    """R8, R9, F3: the last deck card is drawn, then the pile is shuffled; orders must fit the pile."""

    def nearly_empty(order: list[str]) -> Oracle:
        oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac"), order])
        oracle._deck = ["Ba"]
        oracle._pile = ["Ca", "Bb"]
        return oracle

    oracle = nearly_empty(["Bb", "Ca"])
    oracle.play("take Ab")
    assert oracle.public()["display"] == ["Aa", "Ba", "Ac"]
    assert (oracle.public()["deck_size"], oracle.public()["discard"], oracle.decks_left) == (2, {}, 0)
    play(oracle, "draw, start Ab, end")
    assert oracle.hand(0) == {"Bb": 1}
    oracle.play("take Aa")
    assert oracle.public()["display"] == ["Ca", "Ba", "Ac"]
    assert oracle.public()["deck_size"] == 0
    oracle.play("take Ba")
    assert oracle.public()["display"] == ["Ca", None, "Ac"]
    with pytest.raises(OracleError, match="permutation"):
        nearly_empty(["Bb", "Bb"]).play("draw")


def test_nothing_to_draw_and_nothing_to_play() -> None:
    """R9, F4: the draw is skipped; without a card in hand the play is skipped too."""
    oracle = Oracle(BOARD, 2, 0, [deck("Aa", "Ab", "Ac")])
    oracle._display = [None, None, None]
    oracle._deck = []
    oracle._players[0].route = ["Aa", "Ab", "Ac"]
    oracle._players[1].hand = ["Ba", "Bb"]
    restart(oracle)
    assert oracle.legal() == {"end", "close"}
    oracle.play("end")
    assert oracle.legal() == {"start Ba", "start Bb"}
    oracle.play("start Ba")
    assert oracle.legal() == {"right Bb", "end"}


def test_end_of_the_game() -> None:
    """R28-R30, F13: the round is finished; ties go clockwise from the holder, or are shared without one."""
    oracle = Oracle(BOARD, 3, 1, [deck()], {"max_rounds": 1})
    whole_round = ", ".join(f"draw, draw, start {city}, end" for city in ("Ab", "Ab", "Ac"))
    play(oracle, whole_round)
    assert (oracle.over, oracle.truncated, oracle.legal()) == (True, True, set())
    assert (oracle.scores(), oracle.ranks()) == ([-6, -6, -6], [1, 1, 1])

    oracle = Oracle(BOARD, 3, 1, [deck()], {"max_rounds": 1})
    oracle._trigger_end(oracle._players[1])
    play(oracle, whole_round)
    assert (oracle.over, oracle.truncated) == (True, False)
    assert (oracle.scores(), oracle.ranks()) == ([-6, -5, -6], [3, 1, 2])


def test_errors() -> None:
    """F14 and illegal moves: they raise, and an illegal move changes nothing."""
    oracle = Oracle(BOARD, 2, 0, [deck()])
    before = (oracle.public(), oracle.legal())
    with pytest.raises(OracleError, match="not legal"):
        oracle.play("end")
    assert (oracle.public(), oracle.legal()) == before
    with pytest.raises(OracleError, match="unknown options"):
        Oracle(BOARD, 2, 0, [deck()], {"donkeys": True})
    with pytest.raises(OracleError, match="no horses"):
        Oracle(BOARD, 2, 0, [deck()], {"horses": True})
    with pytest.raises(OracleError, match="permutation"):
        Oracle(BOARD, 2, 0, [deck()[1:]])


class Shuffling(Oracle):
    """An oracle that shuffles for itself, for games of any length."""

    def __init__(self, seed: int, board: dict[str, Any], players: int, options: dict[str, Any]) -> None:
        self.random = Random(seed)
        super().__init__(board, players, 0, [], options)

    def _next_order(self, pile: list[str]) -> list[str]:
        self.random.shuffle(pile)
        return pile


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"free_city_with_fill": True, "optional_houses": True},
        {"horses": True},
        {"horses": True, "horses_kept": False, "open_backs": False, "free_city_with_fill": True},
    ],
)
def test_no_card_is_ever_lost(players: int, options: dict[str, Any]) -> None:
    """M2, N1, H1, H2: all cards are somewhere after every move, on the real northern board."""
    folder = Path(__file__).parents[1] / "thurn_env/games/thurn_und_taxis/board"
    board = tomllib.loads((folder / "north.toml").read_text("utf-8"))
    horses = bool(options.get("horses"))
    everything = Counter(all_cards(board, horses))
    assert everything.total() == 69
    oracle = Shuffling(players, board, players, {**options, "max_rounds": 120})
    seen: Counter[str] = Counter()
    while not oracle.over:
        legal = sorted(oracle.legal())
        # Give up routes seldom, and close when it can be done, so that games get on.
        wanted = [text for text in legal if not text.startswith(("start", "administrator"))]
        wanted = [text for text in wanted if text == "close"] or wanted
        move = oracle.random.choice(wanted if wanted and oracle.random.random() < 0.9 else legal)
        oracle.play(move)
        seen[move.split()[0]] += 1
        cards = Counter(oracle._deck + oracle._pile + [card for card in oracle._display if card])
        for player in oracle._players:
            cards.update(player.hand + player.route + player.harnessed)
            assert len(player.harnessed) <= 6
            assert len(player.houses) + player.houses_left == 20
        assert cards == everything
    assert seen["close"] > 10
    assert (seen["harness"] > 10) is horses
    assert (seen["cartwright"] > 0) is not horses
