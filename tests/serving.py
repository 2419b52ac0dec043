"""A server for tests, and what people at its tables do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from tests.slow_guests import FAILING, GO_ON, THINKING
from thurn_env import Game, make_rules
from thurn_env.serve.app import make_app
from thurn_env.serve.listening import listening_socket
from thurn_env.serve.menu import Menu
from thurn_env.serve.store import Store
from thurn_env.serve.tables import Tables
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
def serving(
    clock: Clock, folder: Path | None = None, patience: float | None = None, agents: tuple[str, ...] = ()
) -> Iterator[TestClient]:
    """A server with agents of its own, which may keep its games in a folder, and somebody who asks it."""
    GO_ON.clear()
    tables = Tables(LIMIT, EXPIRY, clock, Store(folder) if folder is not None else None)
    app = make_app(Menu((THINKING, FAILING, *agents)), tables, "greedy", patience=patience)
    with TestClient(app, base_url="http://localhost") as client:
        yield client
        GO_ON.set()


@contextmanager
def in_a_thread() -> Iterator[str]:
    """A server for browsers, in a thread of this process; its address."""
    listener = listening_socket("127.0.0.1", 0)
    app = make_app(Menu(), Tables(100, 3600.0), "greedy")
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
    # Also what a stand-in and the adviser need.
    for stage in stages_for([*agents, "greedy"], rules):
        rules.prepare(stage)


def begin(client: TestClient, **order: Any) -> str:
    """Set a table up; its address."""
    prepare(ORDER | order)
    answer = client.post("/games", json=ORDER | order)
    assert answer.status_code == 201, answer.text
    address: str = answer.json()["address"]
    return address


def open_table(client: TestClient, *names: str, **order: Any) -> tuple[list[str], dict[str, Any]]:
    """Open a table for people with these names, who all join it; the addresses of their seats, and the other links."""
    asked = {"board": "tiny", "agents": ["human"] * len(names), "name": names[0]} | order
    prepare(asked)
    answer = client.post("/games", json=asked)
    assert answer.status_code == 201, answer.text
    links = answer.json()
    addresses = [links["address"]]
    for name in names[1:]:
        joined = client.post(f"{links['invitation']}/join", json={"name": name})
        assert joined.status_code == 201, joined.text
        addresses.append(joined.json()["address"])
    return addresses, links


def play_together(client: TestClient, addresses: list[str], moves: int = 10_000) -> Any:
    """Let people at a table follow their hints, to the end or until so many moves have been played."""
    news = client.get(f"{addresses[0]}/state").json()
    while not news["over"] and news["move"] < moves:
        turns = [client.get(f"{address}/state").json() for address in addresses]
        for address, news in zip(addresses, turns, strict=True):
            if news["turn"]:
                hint = client.post(f"{address}/hint", json={"move": news["move"]}).json()
                body = {"move": news["move"], "action": hint["action"]}
                answer = client.post(f"{address}/moves", json=body)
                assert answer.status_code == 200, answer.text
                news = answer.json()
                break
        else:
            news = client.get(f"{addresses[0]}/state", params={"since": turns[0]["moment"]}).json()
        assert not news["problem"]
    return client.get(f"{addresses[0]}/state").json()


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
