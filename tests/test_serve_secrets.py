"""Hidden cards never leave the server to play on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serving import Clock, begin, first_seed, play_out, serving, state
from tests.slow_guests import CURIOUS, SEEN
from thurn_env import Game, Record, make_rules
from thurn_env.players.agent import ScriptedAgent
from thurn_env.players.session import Session
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Menu
from thurn_env.serve.refusal import Refusal


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
    if not live.session.waiting:
        return live.state(), live.picture.label
    refusals = []
    for action in set(game.rules.action_texts) - set(game.legal):
        with pytest.raises(Refusal) as refused:
            live.play(live.played, action)
        refusals.append(refused.value.message)
    return live.state(), live.picture.label, str(await live.hint(live.played)), refusals


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_all_that_is_sent_is_the_same_however_the_hidden_cards_lie(name: str, board: str, seat: int) -> None:
    rules = make_rules(name, 2, board)
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


RAILS = {"game": "zug_um_zug_deutschland", "board": "tiny_rails", "seed": 4}


@pytest.mark.parametrize("agents", [["human", "greedy"], ["greedy", "greedy"]])
def test_which_tickets_the_others_keep_is_not_told(client: TestClient, agents: list[str]) -> None:
    """Where only agents play, the table is seen through the eyes of seat 0, and so are the moves."""
    address = begin(client, **RAILS, agents=agents)
    news = play_out(client, address)
    told = {
        seat: [move["move"] for move in news["moves"] if move["seat"] == seat and move["move"][0] in "kr("]
        for seat in (0, 1)
    }
    assert len(told[0]) >= 3
    assert "(secret)" not in told[0]
    assert set(told[1]) == {"(secret)"}
    assert "(secret)" not in Record.from_json(client.get(f"{address}/record").text).moves


def test_agents_are_made_ready_with_cards_of_another_game() -> None:
    order = Menu((CURIOUS,)).order({"board": "tiny", "agents": ["human", CURIOUS], "seed": first_seed(0)})
    SEEN.clear()
    order.try_agents()
    assert SEEN
    game, _ = order.deal()
    assert game.view(0).text not in SEEN


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
