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
from thurn_env.games import GAMES
from thurn_env.games.contract import SECRET
from thurn_env.players.agent import ScriptedAgent
from thurn_env.players.session import Session
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Menu
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.seat import Seat
from thurn_env.serve.viewpoint import NOBODY
from thurn_env.serve.workers import Workers


@pytest.fixture
def client() -> Iterator[TestClient]:
    with serving(Clock()) as made:
        yield made


async def now(function: Any) -> Any:
    """Run work at once instead of in a thread."""
    return function()


async def looked_at(game: Game, seat: int) -> tuple[Any, ...]:
    """All that the server would send of a position."""
    agents = [None if place == seat else ScriptedAgent("greedy") for place in range(game.players)]
    seats = [Seat(name="human", token="x") for _ in agents]
    live = LiveGame(Session(game, agents), seats, Workers(now, now, now), "greedy", "greedy")
    if not live.session.waiting:
        return (live.state(seat),)
    refusals = []
    for action in set(game.rules.action_texts) - set(game.legal):
        with pytest.raises(Refusal) as refused:
            live.play(seat, live.played, action)
        refusals.append(refused.value.message)
    return live.state(seat), str(await live.hint(seat, live.played)), refusals


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


def test_which_tickets_the_others_keep_is_not_told(client: TestClient) -> None:
    address = begin(client, **RAILS, agents=["human", "greedy"])
    told = told_by_seat(play_out(client, address))
    assert len(told[0]) >= 3
    assert SECRET not in told[0]
    assert set(told[1]) == {SECRET}
    assert SECRET not in Record.from_json(client.get(f"{address}/record").text).moves


def test_who_watches_agents_learns_no_secret_move(client: TestClient) -> None:
    address = begin(client, **RAILS, agents=["greedy", "greedy"])
    told = told_by_seat(play_out(client, address))
    assert set(told[0]) == set(told[1]) == {SECRET}


def told_by_seat(news: Any) -> list[list[str]]:
    """The choices of tickets by seat, as they were told."""
    return [
        [move["move"] for move in news["moves"] if move["seat"] == seat and move["move"][0] in "kr("] for seat in (0, 1)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_spectators_see_the_same_in_all_deals_that_look_alike_to_the_public(name: str) -> None:
    """Positions that differ only in hidden cards, of any seat, give the same answer."""
    board = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}[name]
    rules = make_rules(name, 2, board)
    bot = ScriptedAgent("sensible-random")
    bot.reset(0, rules, 3)
    game = Game.from_rules(rules, 5)
    differing = [0, 0]
    while not game.over:
        sent = asyncio.run(watched(game))
        for seat in (0, 1):
            other = game.redeal(1 - seat, 3).redeal(seat, 4)
            differing[seat] += other.hand(seat) != game.hand(seat)
            assert asyncio.run(watched(other)) == sent
        game.play(bot.act(game.view()))
    assert min(differing) > 20


async def watched(game: Game) -> Any:
    """All that the server would send of a position to spectators."""
    seats = [Seat(name="Ann", token="x"), Seat(name="Bob", token="y")]
    live = LiveGame(Session(game, [None, None]), seats, Workers(now, now, now), "greedy")
    return live.state(NOBODY)


def test_agents_are_made_ready_with_cards_of_another_game() -> None:
    order = Menu((CURIOUS,)).order({"board": "tiny", "agents": ["human", CURIOUS], "seed": first_seed(0)})
    SEEN.clear()
    order.try_agents([])
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
