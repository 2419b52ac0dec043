"""Tickets in pictures of the second game: all of a hand, and flags at their ends."""

from __future__ import annotations

import re

import pytest

from tests.drawings import outside, overlapping, texts, writings
from thurn_env import Game, make_rules
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules


def _rules() -> BoundRules:
    rules = make_rules("zug_um_zug_deutschland", 2, "germany")
    assert isinstance(rules, BoundRules)
    return rules


def _holding(tickets: int, seat: int = 0) -> Game:
    """A game in which a seat holds the first tickets of the board, and nobody chooses any."""
    game = Game.from_rules(_rules(), 4)
    state = game.states[0]
    state["drawn_tickets"][:] = -1
    state["held"][:] = 0
    for number in range(tickets):
        state["held"][seat][number // 64] |= 1 << number % 64
    return game


def _flags(svg: str) -> int:
    return len(re.findall('class="flag ', svg))


@pytest.mark.parametrize("tickets", [1, 8, 9, 15, 18, 24, 32])
def test_all_tickets_of_a_hand_are_shown(tickets: int) -> None:
    game = _holding(tickets)
    board: Board = _rules().board
    svg = game.view(0).picture().svg()
    shown = texts(svg)
    names = [ticket.name for ticket in board.tickets[:tickets]]
    assert all(re.search(rf"^{re.escape(name)}$", shown, re.M) for name in names)
    assert "more" not in shown
    written = writings(svg)
    assert outside(svg, written) == []
    tickets_only = [writing for writing in written if writing.text in names]
    assert overlapping(tickets_only) == []


def test_the_ends_of_own_tickets_have_flags_on_the_map() -> None:
    game = _holding(3)
    ends = {end for ticket in _rules().board.tickets[:3] for end in ticket.ends}
    assert _flags(game.view(0).picture().svg()) == len(ends)


def test_nobody_sees_the_ends_of_the_tickets_of_others() -> None:
    assert _flags(_holding(3).view(1).picture().svg()) == 0


def test_completed_tickets_need_no_flags() -> None:
    game = _holding(3)
    game.states[0]["done"][0][0] |= 1
    ends = {end for ticket in _rules().board.tickets[1:3] for end in ticket.ends}
    assert _flags(game.view(0).picture().svg()) == len(ends)


def test_offered_tickets_have_hollow_flags() -> None:
    game = Game.from_rules(_rules(), 4)
    while game.phase != "ticket":
        game.play(game.legal[0])
    svg = game.view(game.seat).picture().svg()
    assert "hollow-flag" in svg
