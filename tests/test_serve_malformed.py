"""Malformed and out-of-turn requests: the server answers all of them 4xx, and nothing changes."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient
from starlette.testclient import TestClient

from tests.serving import Clock, open_table, play_together, serving
from thurn_env.checks import whole

REQUESTS = 10_000
PATHS = ("moves", "undo", "hint", "join", "start", "return", "record", "nothing", "../moves", "moves/", "%00")
NUMBERS: tuple[Any, ...] = (None, True, -1, 0, 1, 7, 10**30, 1.5)
VALUES = (*NUMBERS, "", "draw", "close", "take Ulm", "x" * 300, "\u202e\x00", [], [[]], {}, {"a": 1})
FIELDS = ("move", "action", "since", "seat", "name", "links", "agents", "__proto__")
TYPES = ("application/json", "application/json; charset=utf-8", "text/plain", "", "application/x-www-form-urlencoded")


def bad_body(random: Random, moves: int, legal: list[str]) -> bytes:
    """A body that plays nothing: raw bytes, or an object whose number of moves or whose action is wrong."""
    kind = random.randrange(6)
    if kind == 0:
        return random.randbytes(random.randrange(40))
    if kind == 1:
        return json.dumps(random.choice(VALUES)).encode()[: random.randrange(1, 40)]
    if kind == 2:
        return b"[" * random.randrange(20_000)
    body = {random.choice(FIELDS): random.choice(VALUES) for _ in range(random.randrange(6))}
    if kind == 3:
        body |= {"move": moves, "action": random.choice([value for value in VALUES if value not in legal])}
    # A request that could be a good one gets an unknown field.
    return json.dumps(body | ({"extra": 1} if whole(body.get("move")) == moves else {})).encode()


@pytest.mark.parametrize("seed", [1])
def test_bad_requests_change_nothing(seed: int) -> None:
    random = Random(seed)
    with serving(Clock()) as client:
        addresses, links = open_table(client, "Ann", "Bob")
        client.post(f"{addresses[0]}/start", json={})
        play_together(client, addresses, moves=6)
        places = [*addresses, links["watching"], links["invitation"]]
        before = [client.get(f"{place}/state").json() for place in places]
        legal = next(news["turn"]["legal"] for news in before if news["turn"])
        assert client.portal is not None
        statuses = client.portal.call(answers, client, random, places, before[0]["move"], legal)
        assert all(400 <= status < 500 for status in statuses), statuses
        assert {400, 403, 404, 409, 413, 415, 405} <= set(statuses)
        assert [client.get(f"{place}/state").json() for place in places] == before
        assert play_together(client, addresses)["over"]


async def answers(client: TestClient, random: Random, places: list[str], moves: int, legal: list[str]) -> Counter[int]:
    """Send all bad requests and count the statuses of the answers.

    The client is one of the server's own loop: `TestClient` changes threads several times for every request.
    """
    transport = ASGITransport(client.app)
    async with AsyncClient(transport=transport, base_url="http://localhost", follow_redirects=True) as asking:
        return Counter([await one(asking, random, places, moves, legal) for _ in range(REQUESTS)])


async def one(client: AsyncClient, random: Random, places: list[str], moves: int, legal: list[str]) -> int:
    """Send a bad request and return the status of the answer."""
    place = random.choice([*places, "/games/nothing", "/games/" + "x" * 500])
    path = f"{place}/{random.choice(PATHS)}"
    kind = random.random()
    headers = {"content-type": random.choice(TYPES) if random.random() < 0.2 else "application/json"}
    if kind < 0.05:  # who is not to move plays an action that would be legal
        news = {each: (await client.get(f"{each}/state")).json() for each in places[:2]}
        waiting = next(each for each in news if not news[each]["turn"])
        action = {"move": moves, "action": random.choice(legal)}
        return (await client.post(f"{waiting}/moves", json=action)).status_code
    if kind < 0.1:
        method = random.choice(["PUT", "DELETE", "PATCH"])
        return (await client.request(method, f"{place}/moves", headers=headers)).status_code
    if kind < 0.15:
        headers |= random.choice([{"host": "evil.example"}, {"origin": "http://evil.example"}, {"host": "["}])
    return (await client.post(path, content=bad_body(random, moves, legal), headers=headers)).status_code
