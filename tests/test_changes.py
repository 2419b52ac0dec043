"""Marks of what the others changed since a player's last decision."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.serving import Clock, begin, serving, state
from thurn_env import Game, make_rules
from thurn_env.games.show.changes import Change, changes_of

TABLES: dict[str, dict[str, Any]] = {
    "thurn_und_taxis": {"board": "tiny", "agents": ["human", "greedy"]},
    "zug_um_zug_deutschland": {"board": "tiny_rails", "agents": ["human", "sensible-random"]},
}


def _rings(svg: str, seat: int) -> int:
    """Number of marks in a seat's colour."""
    return len(re.findall(rf'class="latest frame-{seat}"', svg))


@pytest.mark.parametrize("game", TABLES)
def test_the_last_turn_of_the_others_is_marked_until_the_next_own_action(game: str) -> None:
    """Every new house, every new track and every card taken in the first game has a mark in the mover's colour."""
    seen = 0
    with serving(Clock()) as client:
        address = begin(client, game=game, **TABLES[game])
        news = state(client, address)
        while not news["over"] and seen < 5:
            answers = [move for move in news["moves"][news["turn"]["since"] :] if move["seat"] == 1]
            own = [move for move in news["moves"][news["turn"]["since"] :] if move["seat"] == 0]
            drawn = news["turn"]["targets"]["map"]
            marked = [move for move in answers if move["move"].split()[0] in ("take", "claim")]
            if game == "zug_um_zug_deutschland":
                marked = [move for move in marked if move["move"].startswith("claim")]
            assert _rings(drawn, 1) >= len({move["move"] for move in marked})
            assert _rings(drawn, 0) == 0 or own
            if not answers:
                assert "latest" not in drawn
            seen += bool(marked)
            data = {"move": news["move"], "action": news["turn"]["legal"][-1]}
            assert client.post(f"{address}/moves", json=data).status_code == 200
            news = state(client, address)
    assert seen


def test_undoing_shows_the_last_turn_again() -> None:
    with serving(Clock()) as client:
        address = begin(client, **TABLES["thurn_und_taxis"])
        news = state(client, address)
        undone = 0
        while not news["over"] and not undone:
            before = news["turn"]
            data = {"move": news["move"], "action": before["legal"][0]}
            client.post(f"{address}/moves", json=data)
            news = state(client, address)
            if news["turn"] and news["turn"]["undo"]:
                client.post(f"{address}/undo", json={"move": news["move"]})
                after = state(client, address)
                assert after["turn"] == before
                undone += "latest" in before["targets"]["map"]
                client.post(f"{address}/moves", json={"move": after["move"], "action": before["legal"][0]})
                news = state(client, address)
        assert undone


def test_new_houses_have_a_mark_each() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    game = Game.from_rules(rules, 3)
    before = rules.public(game.states, 0)
    after = rules.public(game.states, 0)
    after["players"][1]["houses"] = [rules.board.cities[0].name, rules.board.cities[1].name]
    drawn = changes_of(rules).marks(rules, Change(before, after, []))
    assert _rings(drawn["map"], 1) == 2
    assert _rings(drawn["map"], 0) == 0
    assert changes_of(rules).marks(rules, Change(after, after, []))["map"] == ""
