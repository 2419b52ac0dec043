"""Limits of requests and new tables for every address, so that nobody can use up the server."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

BURST = 5.0
"""Seconds of requests that may come at once."""
MOST_ADDRESSES = 10_000
"""Number of addresses that are remembered; the least recent one is forgotten."""
MOST_WAITING = 64
"""Largest number of requests of one address at a time; pages wait for news with one each."""
PREFIX = 64
"""Bits of an IPv6 address that count: one customer gets all addresses with them."""


@dataclass(frozen=True)
class Rates:
    """Limits for one address.

    Attributes:
        requests: requests per second.
        new_tables: new tables per minute.
    """

    requests: float
    new_tables: float


@dataclass
class Budget:
    """What is left to an address, a token bucket: requests and tables come back with time."""

    requests: float
    tables: float
    at: float
    waiting: int = 0


class Limits:
    """Middleware that answers 429 to addresses that ask too much. Addresses of this machine have no limit.

    Args:
        app: the limited application.
        rates: the limits; None for no limit.
        clock: function that returns the time in seconds.
    """

    def __init__(self, app: ASGIApp, rates: Rates | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.app, self.rates, self._clock = app, rates, clock
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        address = _address(scope)
        if self.rates is None or address is None:
            await self.app(scope, receive, send)
            return
        budget = self._budget(address, self.rates)
        path = scope["path"]
        new_table = scope["method"] == "POST" and (path == "/games" or path.endswith("/rematch"))
        if budget.requests < 1 or budget.waiting >= MOST_WAITING or (new_table and budget.tables < 1):
            what = "tables" if new_table and budget.tables < 1 else "requests"
            error = f"Too many {what} from your address; try again in a minute."
            await JSONResponse({"error": error}, 429, {"retry-after": "60"})(scope, receive, send)
            return
        budget.requests -= 1
        budget.tables -= new_table
        budget.waiting += 1
        try:
            await self.app(scope, receive, send)
        finally:
            budget.waiting -= 1

    def _budget(self, address: str, rates: Rates) -> Budget:
        """Return what is left to an address now."""
        now = self._clock()
        budget = self._budgets.setdefault(address, Budget(rates.requests * BURST, rates.new_tables, now))
        self._budgets.move_to_end(address)
        while len(self._budgets) > MOST_ADDRESSES:
            self._budgets.popitem(last=False)
        passed, budget.at = now - budget.at, now
        budget.requests = min(rates.requests * BURST, budget.requests + passed * rates.requests)
        budget.tables = min(rates.new_tables, budget.tables + passed * rates.new_tables / 60)
        return budget


def _address(scope: Scope) -> str | None:
    """Return the address that sent a request; None for this machine and where there is no limit."""
    if scope["type"] != "http" or scope.get("client") is None:
        return None
    try:
        found = ipaddress.ip_address(scope["client"][0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return None if found.is_loopback else str(ipaddress.ip_network((int(found), PREFIX), strict=False))
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)
