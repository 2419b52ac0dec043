"""Players, the end and the score (G1, G13 - G16, P1, P8, P9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.zug_um_zug.positions import GAME, Player, changed_board, play, position
from thurn_env import Game, OptionError

ROW = ["green", "green", "green", "green", "black"]
DRAW = ("draw", "draw")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_g1_what_every_player_begins_with(players: int) -> None:
    game = Game(players, seed=1, game=GAME)
    for player in game.public()["players"]:
        assert player["trains"] == 45
        assert player["hand_size"] == 4
        assert player["tracks"] == []
    starts = {Game(players, seed=seed, game=GAME).start_player for seed in range(40)}
    assert starts == set(range(players))


@pytest.mark.parametrize("players", [1, 6])
def test_g1_two_to_five_players(players: int) -> None:
    with pytest.raises(OptionError, match="2 to 5 players"):
        Game(players, game=GAME)


def ending(trains: int, players: int = 3, seat: int = 1) -> Game:
    """A position in which the mover claims a track of three and has so many trains left then."""
    return position(players, seat=seat, start_player=0, hand={"red": 3}, trains=trains + 3, display=ROW)


@pytest.mark.parametrize("trains", [0, 1, 2])
def test_g13_everybody_has_one_more_turn_the_player_who_began_the_end_too(trains: int) -> None:
    game = ending(trains)
    game.play("claim Berlin-Magdeburg red")
    assert game.public()["last_turns"] == 3
    seats = []
    while not game.over:
        seats.append(game.seat)
        play(game, *DRAW)
    assert seats == [2, 0, 1]
    assert not game.truncated


def test_g13_three_trains_do_not_begin_the_end() -> None:
    game = play(ending(3), "claim Berlin-Magdeburg red")
    assert game.public()["last_turns"] is None


def test_p8_a_second_player_with_few_trains_changes_nothing() -> None:
    game = position(
        2, hand={"red": 3}, trains=4, display=ROW, others={1: Player(hand={"orange": 4}, trains=5)}, rounds=9
    )
    play(game, "claim Berlin-Magdeburg red", "claim Berlin-Leipzig orange")
    assert game.public()["last_turns"] == 1
    assert play(game, *DRAW).over


def scored(players: int = 2, board: str = "germany", **seats: Player) -> Game:
    """A game that ends with the turn under way."""
    table = {int(name[1:]): player for name, player in seats.items()}
    own = table.pop(0, Player())
    game = position(players, board, others=table, last_turns=1, **vars(own))
    return play(game, *DRAW)


def test_g14_completed_tickets_add_and_the_others_subtract() -> None:
    own = Player(tracks=["Berlin-Leipzig orange"], tickets=["Berlin-Leipzig", "Berlin-Erfurt"])
    game = scored(s0=own)
    assert game.over
    row = game.breakdown()[0]
    assert (row["tracks"], row["tickets completed"], row["tickets not completed"]) == (7, 4, -7)
    assert row["Globetrotter"] == 15
    assert game.breakdown()[1]["Globetrotter"] == 0
    assert game.scores == [19, 0]


def test_g14_globetrotter_goes_to_all_who_tie() -> None:
    one = Player(tracks=["Berlin-Leipzig orange"], tickets=["Berlin-Leipzig"])
    other = Player(tracks=["Frankfurt-Köln grey"], tickets=["Köln-Frankfurt", "Berlin-Köln"])
    game = scored(3, s0=one, s2=other)
    assert [row["Globetrotter"] for row in game.breakdown()] == [15, 0, 15]


def test_p8_without_any_completed_ticket_all_tie() -> None:
    game = scored(3, s0=Player(tickets=["Berlin-Köln"]))
    assert [row["Globetrotter"] for row in game.breakdown()] == [15, 15, 15]
    assert game.scores == [1, 15, 15]


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 2, 1), (20, 10, 0)),
        ((3, 3, 1), (20, 20, 0)),  # a tie for most: no second
        ((3, 1, 1), (20, 10, 10)),  # a tie for second
        ((2, 2, 2), (20, 20, 20)),
        ((4, 0, 0), (20, 0, 0)),  # who has none never scores
        ((2, 2, 0), (20, 20, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((1, 3, 2), (0, 20, 10)),
    ],
)
def test_g15_most_and_second_most_passengers(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    table = {f"s{seat}": Player(passengers={"white": count}) for seat, count in enumerate(counts)}
    game = scored(3, **table)
    assert tuple(row["white passengers"] for row in game.breakdown()) == points
    assert tuple(row["black passengers"] for row in game.breakdown()) == (0, 0, 0)


def test_g15_every_colour_counts_for_itself() -> None:
    game = scored(2, s0=Player(passengers={"white": 2, "red": 1}), s1=Player(passengers={"white": 1, "red": 3}))
    assert [row["white passengers"] for row in game.breakdown()] == [20, 10]
    assert [row["red passengers"] for row in game.breakdown()] == [10, 20]


def test_g16_ties_go_to_more_completed_tickets() -> None:
    # 15 + 4 + 7 points each; the first player has completed a ticket, the second one none.
    one = Player(tracks=["Berlin-Leipzig orange"], tickets=["Berlin-Leipzig"])
    game = scored(2, s0=one)
    gap = game.scores[0] - game.scores[1]
    assert gap == 26
    # A track of 6 and one of 5 and a track of 1 make 15 + 10 + 1.
    other = Player(tracks=["Berlin-Rostock purple", "Berlin-Schwerin white", "Bremen-Bremerhaven white"])
    game = scored(2, s0=one, s1=other)
    assert game.scores == [26, 26]
    assert game.ranks == [1, 2]
    assert game.winner == 0


def test_g16_then_to_more_passengers() -> None:
    # Both have 20 + 10 for passengers; the second player has one more.
    one = Player(passengers={"white": 1, "red": 1})
    other = Player(passengers={"white": 1, "red": 2})
    game = scored(2, s0=one, s1=other)
    assert [sum(row.values()) for row in game.breakdown()] == [45, 55]
    one = Player(passengers={"white": 2, "red": 1})
    other = Player(passengers={"white": 1, "red": 3})
    game = scored(2, s0=one, s1=other)
    assert game.scores == [45, 45]
    assert game.ranks == [2, 1]


def test_g16_all_passengers_are_counted_however_many_there_are(tmp_path: Path) -> None:
    """Passengers of all colours together are more than a byte can count."""
    one = Player(passengers={"white": 51, "red": 40})
    other = Player(passengers={"white": 50, "red": 80})
    game = scored(2, changed_board(tmp_path, passengers_per_colour=100), s0=one, s1=other)
    assert game.scores == [45, 45]
    assert game.ranks == [2, 1]


def test_g16_p1_then_the_victory_is_shared() -> None:
    game = scored(3, s2=Player(tickets=["Berlin-Köln"]))
    assert game.scores == [15, 15, 1]
    assert game.ranks == [1, 1, 3]
    assert game.winner is None
    assert game.rules.rewards(game.states, 0, 0).tolist() == [0.25, 0.25, -0.5]
    assert game.rules.rewards(game.states, 0, 1).tolist() == [0.5, 0.5, -1]
    assert game.rules.rewards(game.states, 0, 2).tolist() == pytest.approx([0, 0, -14 / 90])
    assert game.rules.rewards(game.states, 0, 3).tolist() == pytest.approx([15 / 90, 15 / 90, 1 / 90])


def test_p9_a_game_is_cut_off_after_so_many_rounds() -> None:
    game = position(2, start_player=1, seat=1, rounds=9, max_rounds=10)
    play(game, *DRAW)
    assert not game.over
    play(game, *DRAW)
    assert game.over
    assert game.truncated
    assert game.rounds == 10


def test_p1_p9_the_end_goes_before_the_cut() -> None:
    game = position(2, start_player=1, seat=0, rounds=9, max_rounds=10, last_turns=1)
    play(game, *DRAW)
    assert game.over
    assert not game.truncated
