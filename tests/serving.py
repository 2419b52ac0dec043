"""A server for tests, and what people at its tables do."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from tests.slow_guests import FAILING, GO_ON, THINKING
from thurn_env import Game, make_rules
from thurn_env.serve.app import make_app
from thurn_env.serve.live_games import LiveGames
from thurn_env.serve.menu import Menu
from thurn_env.serve.waiting import stages_for

ORDER = {"board": "tiny", "agents": ["human", "greedy"], "seed": 4}
LIMIT = 5
EXPIRY = 100.0


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def serving(clock: Clock) -> Iterator[TestClient]:
    """A server with agents of its own, and somebody who asks it."""
    GO_ON.clear()
    menu = Menu((THINKING, FAILING))
    with TestClient(make_app(menu, LiveGames(LIMIT, EXPIRY, clock), "greedy"), base_url="http://localhost") as client:
        yield client
        GO_ON.set()


@contextmanager
def in_a_thread() -> Iterator[str]:
    """A server for browsers, in a thread of this process; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = make_app(Menu(), LiveGames(20, 3600.0), "greedy")
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


def prepare(order: dict[str, Any]) -> None:
    """Compile what a table needs, so that it need not wait."""
    game, agents = order.get("game", "thurn_und_taxis"), order["agents"]
    rules = make_rules(game, len(agents), order.get("board"), **order.get("options", {}))
    for stage in stages_for(agents):
        rules.prepare(stage)


def begin(client: TestClient, **order: Any) -> str:
    """Set a table up; its address."""
    prepare(ORDER | order)
    answer = client.post("/games", json=ORDER | order)
    assert answer.status_code == 201, answer.text
    address: str = answer.json()["address"]
    return address


def state(client: TestClient, address: str) -> Any:
    """The position once the person is to choose, or the game is over."""
    news = client.get(f"{address}/state").json()
    while not (news["turn"] or news["over"] or news["problem"]):
        news = client.get(f"{address}/state", params={"since": news["moment"]}).json()
    return client.get(f"{address}/state").json()


def play_out(client: TestClient, address: str) -> Any:
    """Play the first legal action to the end."""
    news = state(client, address)
    while not news["over"]:
        answer = client.post(f"{address}/moves", json={"move": news["move"], "action": news["turn"]["legal"][-1]})
        assert answer.status_code == 200, answer.text
        news = state(client, address)
    return news


def refused(answer: Any, status: int) -> str:
    """The sentence of an error."""
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    sentence: str = answer.json()["error"]
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence
    return sentence


def first_seed(seat: int) -> int:
    """A seed with which a seat begins."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    return next(seed for seed in range(1, 50) if Game.from_rules(rules, seed).seat == seat)
