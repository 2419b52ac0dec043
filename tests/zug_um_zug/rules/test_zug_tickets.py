"""Tickets (G5, G9, G12, P5)."""

from __future__ import annotations

import heapq

import pytest

from tests.zug_um_zug.positions import GAME, Player, legal, play, position
from thurn_env import Game, IllegalAction
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.shipped import load_board

NAMES = [ticket.name for ticket in load_board("germany").tickets]


def test_g5_p5_in_the_set_up_everybody_announces_a_mix_and_keeps_two() -> None:
    game = Game(2, seed=3, game=GAME, start_player=1)
    piles = game.record().chance["tickets"]
    assert game.seat == 1
    assert game.phase == "mix"
    assert list(game.legal) == ["long 0", "long 1", "long 2", "long 3", "long 4"]
    game.play("long 1")
    drawn = [*piles["short"][:3], piles["long"][0]]  # short ones first
    assert list(game.legal) == [f"keep {drawn[0]}", f"return {drawn[0]}"]
    play(game, f"return {drawn[0]}", f"return {drawn[1]}")
    assert list(game.legal) == [f"keep {drawn[2]}"]
    play(game, f"keep {drawn[2]}", f"keep {drawn[3]}")
    assert game.seat == 0
    assert game.phase == "mix"
    # What the first player returned stays aside: the next ticket is the one below.
    game.play("long 0")
    assert next(iter(game.legal)) == f"keep {piles['short'][3]}"


def test_g5_p5_what_is_returned_is_shuffled_back_when_all_have_chosen() -> None:
    game = Game(2, seed=3, game=GAME)
    kept = set()
    for _ in range(2):
        game.play("long 2")
        for answer in ("return", "keep", "return", "keep"):
            move = next(text for text in game.legal if text.startswith(answer))
            kept.add(move.split(" ", 1)[1])
            if answer == "return":
                kept.remove(move.split(" ", 1)[1])
            game.play(move)
    assert game.phase == "turn"
    assert game.rounds == 0
    assert game.public()["piles"] == {"short": 53, "long": 32}
    chance = game.record().chance
    for pile in ("short", "long"):
        assert set(chance["ticket_shuffles"][pile]) == set(chance["tickets"][pile]) - kept
    game.play("tickets")
    game.play("long 0")
    assert next(iter(game.legal)) == f"keep {chance['ticket_shuffles']['short'][0]}"


def test_g5_more_than_two_may_be_kept() -> None:
    game = play(Game(2, seed=3, game=GAME, start_player=0), "long 4")
    for _ in range(4):
        game.play(next(iter(game.legal)))
    assert game.public()["players"][0]["tickets"] == {"short": 0, "long": 4}


def test_g9_later_one_ticket_must_be_kept() -> None:
    piles = {"short": ["Berlin-Leipzig", "Köln-Frankfurt"], "long": ["Berlin-Mainz", "Berlin-Köln"]}
    game = play(position(piles=piles), "tickets", "long 2")
    play(game, "return Berlin-Leipzig", "return Köln-Frankfurt", "return Berlin-Mainz")
    assert list(game.legal) == ["keep Berlin-Köln"]
    with pytest.raises(IllegalAction, match="minimum number"):
        game.play("return Berlin-Köln")
    game.play("keep Berlin-Köln")
    assert game.seat == 1
    assert game.public()["players"][0]["tickets"] == {"short": 0, "long": 1}


def test_g9_p5_rejects_go_under_their_own_pile_the_first_above_the_second() -> None:
    piles = {"short": ["Berlin-Leipzig", "Köln-Frankfurt"], "long": ["Berlin-Mainz", "Berlin-Köln"]}
    game = play(position(piles=piles), "tickets", "long 2")
    play(game, "return Berlin-Leipzig", "return Köln-Frankfurt", "return Berlin-Mainz", "keep Berlin-Köln")
    state = game.states[0]
    short = [NAMES[ticket] for ticket in state["pile"][0][: state["pile_size"][0]][::-1]]
    assert short[-2:] == ["Berlin-Leipzig", "Köln-Frankfurt"]
    assert NAMES[state["pile"][1][0]] == "Berlin-Mainz"
    assert game.public()["piles"] == {"short": 55, "long": 33}


def test_g9_the_mix_is_limited_by_the_piles() -> None:
    game = position(others={1: Player(tickets=NAMES[3:55])})  # three short ones are left
    assert game.public()["piles"]["short"] == 3
    assert legal(play(game, "tickets"), "long") == ["1", "2", "3", "4"]
    game = position(others={1: Player(tickets=NAMES[3:55] + NAMES[57:])})  # and two long ones
    assert legal(play(game, "tickets"), "long") == ["1", "2"]
    game = position(others={1: Player(tickets=NAMES[2:55] + NAMES[56:])})  # three in all
    assert legal(play(game, "tickets"), "long") == ["1"]


def test_g9_p5_fewer_tickets_are_drawn_if_fewer_are_left() -> None:
    game = position(others={1: Player(tickets=NAMES[2:])})
    play(game, "tickets", "long 0")
    assert list(game.legal) == [f"keep {NAMES[0]}", f"return {NAMES[0]}"]
    play(game, f"return {NAMES[0]}")
    assert list(game.legal) == [f"keep {NAMES[1]}"]


def test_p5_fewer_than_the_minimum_are_all_kept() -> None:
    game = play(position(others={1: Player(tickets=NAMES[1:])}), "tickets", "long 0")
    assert list(game.legal) == [f"keep {NAMES[0]}"]


def test_g9_no_tickets_left() -> None:
    game = position(piles={"short": [], "long": []})
    assert "tickets" not in game.legal
    with pytest.raises(IllegalAction, match="no tickets left"):
        game.play("tickets")


@pytest.mark.parametrize(
    "way",
    [
        ("Freiburg-Schweiz orange", "Freiburg-Stuttgart grey"),
        ("Konstanz-Schweiz white", "Konstanz-Stuttgart green"),
        ("Lindau-Schweiz blue", "Lindau-Ulm red", "Stuttgart-Ulm grey"),
    ],
)
def test_g12_any_terminal_meets_a_country_ticket(way: tuple[str, ...]) -> None:
    tracks = [*way, "Mannheim-Stuttgart grey", "Frankfurt-Mannheim grey"]
    game = position(tickets=["Köln-Schweiz"], tracks=tracks, hand={"red": 4})
    assert game.breakdown()[0]["tickets completed"] == 0
    play(game, "claim Frankfurt-Köln grey", "with red")
    assert game.breakdown()[0]["tickets completed"] == 10


def test_g12_a_country_is_never_passed_through() -> None:
    """Freiburg and Konstanz both reach Schweiz; that does not join them."""
    tracks = ["Freiburg-Schweiz orange", "Freiburg-Karlsruhe white", "Karlsruhe-Mannheim blue"]
    tracks += ["Frankfurt-Mannheim grey", "Konstanz-Lindau yellow"]
    game = position(tickets=["Frankfurt-Lindau"], tracks=tracks, hand={"white": 1})
    game.play("claim Konstanz-Schweiz white")
    assert game.breakdown()[0]["tickets completed"] == 0
    game = position(tickets=["Frankfurt-Lindau"], tracks=tracks, hand={"black": 2})
    game.play("claim Freiburg-Konstanz black")
    assert game.breakdown()[0]["tickets completed"] == 8


def test_g12_a_ticket_between_two_countries() -> None:
    tracks = ["Emden-Niederlande white", "Bremerhaven-Emden grey"]
    game = position(tickets=["Dänemark-Niederlande"], tracks=tracks, hand={"green": 5}, display=["red", "red", "red"])
    assert game.breakdown()[0]["tickets not completed"] == -10
    game.play("claim Bremerhaven-Dänemark green")
    assert game.breakdown()[0]["tickets completed"] == 10


def test_g9_a_ticket_that_is_completed_already_counts_at_once() -> None:
    piles = {"short": ["Berlin-Leipzig"]}
    game = play(position(piles=piles, tracks=["Berlin-Leipzig orange"]), "tickets", "long 3", "keep Berlin-Leipzig")
    assert game.breakdown()[0]["tickets completed"] == 4


def shortest(board: Board, start: str, goal: str) -> int:
    """The length of the shortest way, never through a country."""
    countries = {place.name for place in board.places if place.country}
    queue, settled = [(0, start)], set()
    while queue:
        length, place = heapq.heappop(queue)
        if place == goal:
            return length
        if place in settled or (place in countries and place != start):
            continue
        settled.add(place)
        for pair in board.pairs:
            if place in pair.ends:
                other = pair.ends[1] if pair.ends[0] == place else pair.ends[0]
                heapq.heappush(queue, (length + pair.length, other))
    raise AssertionError(f"no way from {start} to {goal}")


@pytest.mark.parametrize("name", ["germany", "tiny_rails"])
def test_g5_every_ticket_is_worth_its_shortest_way(name: str) -> None:
    """But for Kiel-Stuttgart, whose card says one point more or less."""
    board = load_board(name)
    odd = {ticket.name for ticket in board.tickets if ticket.points != shortest(board, *ticket.ends)}
    assert odd == ({"Kiel-Stuttgart"} if name == "germany" else set())


def test_g5_the_numbers_of_tickets() -> None:
    board = load_board("germany")
    assert (len(board.short_tickets), len(board.long_tickets)) == (55, 34)
    assert (min(t.points for t in board.short_tickets), max(t.points for t in board.short_tickets)) == (2, 11)
    assert (min(t.points for t in board.long_tickets), max(t.points for t in board.long_tickets)) == (12, 22)
