"""Hidden cards never leave the server to play on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serving import Clock, begin, serving, state
from thurn_env import Game, make_rules
from thurn_env.agent import ScriptedAgent
from thurn_env.serve.live_game import LiveGame
from thurn_env.session import Session


@pytest.fixture
def client() -> Iterator[TestClient]:
    with serving(Clock()) as made:
        yield made


async def looked_at(game: Game, seat: int) -> tuple[Any, ...]:
    """All that the server would send of a position."""
    agents = [None if place == seat else ScriptedAgent("greedy") for place in range(game.players)]

    async def now(function: Any) -> Any:
        return function()

    live = LiveGame(Session(game, agents), ["human"] * game.players, now, now, "greedy")
    return live.state(), live.picture.label, str(await live.hint(live.played)) if live.session.waiting else ""


@pytest.mark.parametrize("seat", [0, 1])
def test_all_that_is_sent_is_the_same_however_the_hidden_cards_lie(seat: int) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    bot = ScriptedAgent("sensible-random")
    bot.reset(0, rules, 3)
    game = Game.from_rules(rules, 5)
    differing = 0
    while not game.over:
        if len(game.legal) > 1 or game.seat != seat:
            sent = asyncio.run(looked_at(game, seat))
            for deal in range(3):
                other = game.redeal(seat, deal)
                differing += other.to_bytes() != game.to_bytes()
                assert asyncio.run(looked_at(other, seat)) == sent
        game.play(bot.act(game.view()))
    assert differing > 50


def test_a_running_game_tells_no_seed_and_no_deck(client: TestClient) -> None:
    address = begin(client, seed=987654321)
    news = state(client, address)
    for _ in range(10):
        told = json.dumps(news) + client.get(address).text
        assert "987654321" not in told
        assert "decks" not in told
        body = {"move": news["move"], "action": news["turn"]["legal"][0]}
        client.post(f"{address}/moves", json=body)
        news = state(client, address)
        if news["over"]:
            break
