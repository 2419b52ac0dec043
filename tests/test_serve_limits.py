"""Limits for every address that asks the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from tests.serving import Clock
from thurn_env.serve.limits import BURST, MOST_ADDRESSES, MOST_WAITING, Limits, Rates

RATES = Rates(requests=2, new_tables=3)


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ask(clock: Clock) -> Callable[..., int]:
    limits = Limits(answering, RATES, clock)
    return lambda *request: asyncio.run(asked(limits, *request))


async def asked(limits: Limits, address: str, method: str = "GET", path: str = "/") -> int:
    """The status of the answer to a request."""
    statuses: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    await limits({"type": "http", "method": method, "path": path, "client": (address, 1)}, receive, send)
    return statuses[0]


def test_requests_come_back_with_time(ask: Callable[..., int], clock: Clock) -> None:
    burst = int(RATES.requests * BURST)
    assert [ask("203.0.113.5") for _ in range(burst + 2)] == [200] * burst + [429] * 2
    assert ask("203.0.113.6") == 200
    clock.now = 1.0
    assert [ask("203.0.113.5") for _ in range(3)] == [200, 200, 429]


def test_new_tables(ask: Callable[..., int], clock: Clock) -> None:
    assert [ask("203.0.113.5", "POST", "/games") for _ in range(4)] == [200, 200, 200, 429]
    assert ask("203.0.113.5", "POST", "/games/x/moves") == 200
    clock.now = 20.0
    assert [ask("203.0.113.5", "POST", "/games") for _ in range(2)] == [200, 429]
    clock.now = 40.0
    assert [ask("203.0.113.5", "POST", "/games/x/rematch") for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_has_no_limit(ask: Callable[..., int], address: str) -> None:
    assert {ask(address, "POST", "/games") for _ in range(50)} == {200}


def test_addresses_of_one_customer_share_a_limit(ask: Callable[..., int]) -> None:
    assert [ask(f"2001:db8::{number}", "POST", "/games") for number in range(1, 5)] == [200, 200, 200, 429]
    assert ask("2001:db8:0:1::1", "POST", "/games") == 200


def test_the_memory_is_bounded(ask: Callable[..., int]) -> None:
    async def many() -> int:
        limits = Limits(answering, RATES, Clock())
        for number in range(MOST_ADDRESSES + 10):
            await asked(limits, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        return len(limits._budgets)

    assert asyncio.run(many()) == MOST_ADDRESSES


def test_requests_that_wait_at_the_same_time() -> None:
    async def many() -> list[int]:
        go_on = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await go_on.wait()
            await answering(scope, receive, send)

        limits = Limits(slow, Rates(requests=1000, new_tables=1), Clock())
        waiting = [asyncio.create_task(asked(limits, "203.0.113.5")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        refused = await asked(limits, "203.0.113.5")
        go_on.set()
        return [refused, *await asyncio.gather(*waiting), await asked(limits, "203.0.113.5")]

    assert asyncio.run(many()) == [429] + [200] * (MOST_WAITING + 1)
