"""Claiming tracks and taking passengers (G4, G7, G8, G11, P6, P7)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.zug_um_zug.positions import GAME, Player, changed_board, legal, play, position
from thurn_env import Game, IllegalAction, make_rules

ROW = ["green", "green", "green", "green", "black"]


def test_g4_passengers_at_the_start() -> None:
    game = Game(2, seed=5, game=GAME)
    waiting = game.public()["waiting"]
    numbers = {place: sum(there.values()) for place, there in waiting.items()}
    assert numbers.pop("Berlin") == 5
    assert {numbers.pop(city) for city in ("Frankfurt", "Hamburg", "Köln", "München")} == {4}
    assert {numbers.pop(city) for city in ("Leipzig", "Stuttgart")} == {3}
    assert set(numbers.values()) == {1}
    assert {"Schweiz", "Österreich", "Niederlande", "Frankreich", "Dänemark"} <= set(numbers)
    total = sum((Counter(there) for there in waiting.values()), Counter())
    assert total == dict.fromkeys(("red", "black", "green", "yellow", "blue", "white"), 10)


@pytest.mark.parametrize(
    ("track", "hand", "points"),
    [
        ("Bremen-Bremerhaven white", {"white": 1}, 1),
        ("Chemnitz-Leipzig blue", {"blue": 2}, 2),
        ("Berlin-Magdeburg red", {"red": 3}, 4),
        ("Berlin-Leipzig orange", {"orange": 4}, 7),
        ("Berlin-Schwerin white", {"white": 5}, 10),
        ("Berlin-Rostock purple", {"purple": 6}, 15),
        ("Berlin-Hannover black", {"black": 7}, 18),
    ],
)
def test_g7_cards_trains_and_points(track: str, hand: dict[str, int], points: int) -> None:
    """Cards in number equal to the length, of its colour; trains are placed; points at once; cards are discarded."""
    game = position(hand={**hand, "yellow": 2}, display=ROW)
    game.play(f"claim {track}")
    player = game.public()["players"][0]
    length = sum(hand.values())
    assert player["points"] == points
    assert player["trains"] == 45 - length
    assert player["tracks"] == [track]
    assert game.hand(0) == {"yellow": 2}
    assert game.public()["discard"] == hand
    assert game.seat == 1


def test_g7_one_card_too_few() -> None:
    game = position(hand={"red": 2}, display=ROW)
    assert "Berlin-Magdeburg red" not in legal(game, "claim")
    with pytest.raises(IllegalAction, match="needs 3 red cards; there are 2, and 0 locomotives"):
        game.play("claim Berlin-Magdeburg red")


def test_g7_locomotives_stand_for_any_card() -> None:
    game = position(hand={"red": 2, "locomotive": 1}, display=ROW)
    game.play("claim Berlin-Magdeburg red")  # one way to pay, so nothing is asked
    assert game.hand(0) == {}
    assert game.public()["discard"] == {"red": 2, "locomotive": 1}


def test_g7_locomotives_alone_will_do() -> None:
    game = play(position(hand={"locomotive": 3}, display=ROW), "claim Berlin-Magdeburg red")
    assert game.hand(0) == {}


def test_g7_trains_are_needed() -> None:
    game = position(hand={"red": 3, "white": 1}, trains=2, display=ROW)
    assert "Berlin-Magdeburg red" not in legal(game, "claim")
    with pytest.raises(IllegalAction, match="needs 3 trains; 2 are left"):
        game.play("claim Berlin-Magdeburg red")
    assert "Bremen-Bremerhaven white" in legal(game, "claim")


def test_g7_a_track_need_not_touch_the_own_network() -> None:
    game = position(hand={"red": 3}, tracks=["Konstanz-Lindau yellow"], display=ROW)
    assert "Berlin-Magdeburg red" in legal(game, "claim")


def test_g7_p6_grey_is_paid_with_any_one_colour() -> None:
    game = position(hand={"red": 3, "blue": 2, "locomotive": 1, "white": 1}, display=ROW)
    game.play("claim Erfurt-Kassel grey")
    assert game.phase == "colour"
    assert list(game.legal) == ["with blue", "with red"]
    game.play("with blue")
    assert game.public()["discard"] == {"blue": 2, "locomotive": 1}


def test_p6_with_is_asked_even_when_there_is_one_colour() -> None:
    game = play(position(hand={"red": 1}, display=ROW), "claim Frankfurt-Mainz grey")
    assert list(game.legal) == ["with red"]


def test_p6_with_locomotive_means_locomotives_only() -> None:
    game = play(position(hand={"red": 1, "locomotive": 2}, display=ROW), "claim Erfurt-Kassel grey")
    assert list(game.legal) == ["with red"]
    game = play(position(hand={"red": 1, "locomotive": 3}, display=ROW), "claim Erfurt-Kassel grey")
    assert list(game.legal) == ["with red", "with locomotive"]
    game.play("with locomotive")
    assert game.hand(0) == {"red": 1}


def test_p6_a_colour_for_a_grey_track_pays_at_least_one_card_of_it() -> None:
    game = play(position(hand={"red": 3, "locomotive": 3}, display=ROW), "claim Erfurt-Kassel grey", "with red")
    assert game.phase == "locomotives"
    assert legal(game, "locomotives") == ["0", "1", "2"]
    with pytest.raises(IllegalAction, match="at least one card of the chosen colour pays for a grey track"):
        game.play("locomotives 3")
    with pytest.raises(IllegalAction, match="the track needs 3 cards"):
        game.play("locomotives 4")
    game.play("locomotives 2")
    assert game.hand(0) == {"red": 2, "locomotive": 1}


def test_p6_grey_is_paid_from_a_hand_of_any_size(tmp_path: Path) -> None:
    """Cards of one colour and locomotives together are more than a byte can count."""
    board = changed_board(tmp_path, cards_per_colour=70, locomotives=70)
    game = play(position(board=board, hand={"red": 65, "locomotive": 65}, display=ROW), "claim Erfurt-Kassel grey")
    assert list(game.legal) == ["with red", "with locomotive"]


def test_p6_locomotives_are_asked_for_only_if_there_is_a_choice() -> None:
    game = play(position(hand={"red": 3, "locomotive": 3}, display=ROW), "claim Berlin-Magdeburg red")
    assert legal(game, "locomotives") == ["0", "1", "2", "3"]
    game = play(position(hand={"red": 2, "locomotive": 3}, display=ROW), "claim Berlin-Magdeburg red")
    assert legal(game, "locomotives") == ["1", "2", "3"]
    game = play(position(hand={"red": 3}, display=ROW), "claim Berlin-Magdeburg red")
    assert game.seat == 1
    game = play(position(hand={"red": 1, "locomotive": 2}, display=ROW), "claim Erfurt-Kassel grey", "with red")
    assert game.seat == 1


def test_p6_claims_are_named_in_the_order_of_the_data_and_equal_tracks_are_one_claim() -> None:
    rules = make_rules(GAME, 2)
    claims = [text.removeprefix("claim ") for text in rules.action_texts if text.startswith("claim ")]
    assert claims[:3] == ["Augsburg-München grey", "Augsburg-Nürnberg orange", "Augsburg-Ulm grey"]
    assert claims.count("Dortmund-Düsseldorf grey") == 1  # three tracks
    assert [claim for claim in claims if claim.startswith("Berlin-Hamburg")] == [
        "Berlin-Hamburg blue",
        "Berlin-Hamburg yellow",
    ]


@pytest.mark.parametrize("players", [2, 3])
def test_g11_with_two_or_three_players_the_first_claim_closes_the_pair(players: int) -> None:
    game = position(players, hand={"blue": 7}, display=ROW, others={1: Player(hand={"yellow": 7})})
    game.play("claim Berlin-Hamburg blue")
    assert "Berlin-Hamburg yellow" not in legal(game, "claim")
    with pytest.raises(IllegalAction, match="Berlin-Hamburg is taken"):
        game.play("claim Berlin-Hamburg yellow")


@pytest.mark.parametrize("players", [4, 5])
def test_g11_with_more_players_the_other_track_stays_open_to_the_others(players: int) -> None:
    game = position(players, hand={"blue": 7, "yellow": 7}, others={1: Player(hand={"yellow": 4, "locomotive": 3})})
    play(game, "claim Berlin-Hamburg blue", "claim Berlin-Hamburg yellow")
    assert game.public()["players"][1]["tracks"] == ["Berlin-Hamburg yellow"]


def test_g11_no_second_track_of_a_pair_for_one_player() -> None:
    own = ["Berlin-Hamburg blue", "Dortmund-Düsseldorf grey"]
    game = position(4, hand={"yellow": 7}, tracks=own, display=ROW)
    assert "Berlin-Hamburg yellow" not in legal(game, "claim")
    assert "Dortmund-Düsseldorf grey" not in legal(game, "claim")
    with pytest.raises(IllegalAction, match="the player already has a track"):
        game.play("claim Berlin-Hamburg yellow")


def test_g11_three_equal_tracks_serve_three_players() -> None:
    track = "Dortmund-Düsseldorf grey"
    game = position(
        5,
        hand=["red"],
        display=ROW,
        others={1: Player(tracks=[track]), 2: Player(tracks=[track]), 3: Player(hand=["blue"])},
    )
    assert track in legal(game, "claim")
    play(game, f"claim {track}", "with red")  # the third
    for _ in range(2):
        play(game, "draw", "draw")
    assert game.seat == 3
    assert track not in legal(game, "claim")
    with pytest.raises(IllegalAction, match="every grey track of Dortmund-Düsseldorf is taken"):
        game.play(f"claim {track}")


def test_g8_one_passenger_from_each_end_by_choice() -> None:
    waiting = {"Berlin": {"red": 2, "white": 1}, "Magdeburg": ["green"]}
    game = play(position(hand={"red": 3}, waiting=waiting, display=ROW), "claim Berlin-Magdeburg red")
    assert game.phase == "passenger"
    assert game.public()["place"] == "Berlin"
    assert list(game.legal) == ["passenger red", "passenger white", "leave"]
    game.play("passenger red")
    assert game.public()["place"] == "Magdeburg"
    assert list(game.legal) == ["passenger green", "leave"]
    game.play("leave")
    assert game.seat == 1
    public = game.public()
    assert public["players"][0]["passengers"] == {"red": 1}
    assert public["waiting"]["Berlin"] == {"red": 1, "white": 1}
    assert public["waiting"]["Magdeburg"] == {"green": 1}


def test_g8_nothing_is_asked_where_nobody_waits() -> None:
    game = position(hand={"red": 3}, waiting={"Magdeburg": ["green"]}, display=ROW)
    game.play("claim Berlin-Magdeburg red")
    assert game.public()["place"] == "Magdeburg"
    assert play(game, "passenger green").seat == 1


def test_p7_payment_and_points_come_before_the_passengers() -> None:
    game = position(hand={"red": 3}, waiting={"Berlin": ["red"]}, deck=["blue"], rest=1, display=ROW)
    game.play("claim Berlin-Magdeburg red")
    assert game.phase == "passenger"
    assert game.public()["players"][0]["points"] == 4
    assert game.public()["discard"] == {"red": 3}


def test_p7_one_passenger_for_a_whole_country_whichever_terminal_was_used() -> None:
    waiting = {"Dänemark": ["blue"]}
    game = position(
        hand={"green": 5}, waiting=waiting, others={1: Player(hand={"black": 2})}, display=["red", "red", "blue"]
    )
    game.play("claim Bremerhaven-Dänemark green")
    assert game.public()["place"] == "Dänemark"
    game.play("passenger blue")
    play(game, "claim Kiel-Dänemark grey", "with black")  # nobody waits in Dänemark any more
    assert game.seat == 0
