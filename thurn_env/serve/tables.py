"""All tables on the server: limited in number, and closed after a time without requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from thurn_env.serve.menu import Menu
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.store import Store
from thurn_env.serve.table import Table

MOST_LISTED = 30
"""Largest number of tables in a list of the start page."""


class Place(NamedTuple):
    """Where a link leads to.

    Attributes:
        table: the table.
        seat: the seat; `NOBODY` for the invitation and for spectators.
        invited: whether the link is the invitation.
    """

    table: Table
    seat: int
    invited: bool


class Tables:
    """Tables by the secrets of their links.

    Args:
        limit: largest number of tables in memory.
        expiry: seconds without a request after which a table is closed. Without a store it is lost, otherwise the next
            request for one of its links reads it again.
        clock: function that returns the time in seconds.
        store: keeps the tables; None if they are not kept.
    """

    def __init__(
        self, limit: int, expiry: float, clock: Callable[[], float] = time.monotonic, store: Store | None = None
    ) -> None:
        self.limit, self.expiry, self._clock, self.store = limit, expiry, clock, store
        self._tables: dict[str, Table] = {}
        self._links: dict[str, tuple[Table, int]] = {}
        self._last_request: dict[str, float] = {}
        self._reserved = 0

    def __len__(self) -> int:
        return len(self._tables)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Reserve room for a table that is being created; raise `Refusal` if there is none."""
        self.forget_idle()
        if len(self._tables) + self._reserved >= self.limit:
            raise Refusal(503, f"All {self.limit} tables are taken; try again when a game has ended.")
        self._reserved += 1
        try:
            yield
        finally:
            self._reserved -= 1

    def add(self, table: Table) -> None:
        """Add a table."""
        self._tables[table.name] = table
        self._last_request[table.name] = self._clock()
        table.dismissed = lambda: self.close(table)
        self.index(table)

    def index(self, table: Table) -> None:
        """Note the links of a table again, after people joined or left."""
        self._links = {token: place for token, place in self._links.items() if place[0] is not table}
        self._links |= {token: (table, seat) for token, seat in table.links().items()}

    def find(self, token: str) -> Place | None:
        """Return where a link leads to; None if it leads to no table in memory."""
        self.forget_idle()
        if token not in self._links:
            return None
        table, seat = self._links[token]
        self._last_request[table.name] = self._clock()
        return Place(table, seat, token == table.invitation)

    def read(self, token: str, menu: Menu) -> Place:
        """Read a table from the store.

        Raises:
            Refusal: there is no such table, or it cannot be resumed.
        """
        found = self.store.find(token) if self.store is not None else None
        if found is None or self.store is None:
            raise Refusal(404, "There is no such game; it may have expired.")
        name, content, moves = found
        with self.room():
            try:
                table = Table.from_store(menu, self.store, name, content, moves)
            except Refusal as refusal:
                raise Refusal(409, f"This game cannot be resumed: {refusal.message}") from None
            self.add(table)
        table, seat = self._links[token]
        return Place(table, seat, token == table.invitation)

    def knows(self, token: str) -> bool:
        """Return whether a link leads to a table, without counting as a request for it."""
        return token in self._links or (self.store is not None and self.store.owner(token) is not None)

    def lists(self, tokens: Sequence[str]) -> dict[str, list[Any]]:
        """Return the tables for a browser's start page, without counting as a request for them.

        Args:
            tokens: secrets of the links that the browser knows.

        Returns:
            `mine`: for every token the state of its table in a few words, None if there is no such table. `open` and
            `watch`: titles and addresses of other tables, if they are to be listed.
        """
        places = [self._links.get(token) for token in tokens]
        names = [
            place[0].name if place is not None else self.store and self.store.owner(token)
            for token, place in zip(tokens, places, strict=True)
        ]
        mine = [
            place[0].status(place[1]) if place is not None else name and "saved"
            for name, place in zip(names, places, strict=True)
        ]
        opened: list[dict[str, str]] = []
        running: list[dict[str, str]] = []
        for name, (title, started, invitation, watching) in self._listed().items():
            chosen, token = (running, watching) if started else (opened, invitation)
            if name not in names and len(chosen) < MOST_LISTED:
                chosen.append({"title": title, "address": f"/games/{token}"})
        return {"mine": mine, "open": opened, "watch": running}

    def _listed(self) -> dict[str, tuple[str, bool, str, str]]:
        """Return title, whether it has begun, invitation and link to watch of every table that is to be listed."""
        found = {
            table.name: (table.title, table.started, table.invitation, table.watching)
            for table in sorted(self._tables.values(), key=lambda table: -self._last_request[table.name])
            if table.listed and not table.over and (table.started or table.open_seats)
        }
        for name, content in self.store.listed(MOST_LISTED) if self.store is not None else ():
            if name not in self._tables:
                found[name] = (content["title"], content["started"], content["invitation"], content["watching"])
        return found

    def forget_idle(self) -> None:
        """Close tables without recent requests."""
        now = self._clock()
        for name in [name for name, last in self._last_request.items() if now - last > self.expiry]:
            self.close(self._tables[name])

    def forget_old(self) -> None:
        """Delete tables without requests for weeks from the store, if there is one; raise `Refusal` if that fails."""
        if self.store is not None:
            self.store.forget_old(self._tables)

    def wake(self) -> None:
        """Answer all requests that wait for news."""
        for table in self._tables.values():
            table.wake()

    def close(self, table: Table) -> None:
        """Close a table and take it out of memory."""
        self._links = {token: place for token, place in self._links.items() if place[0] is not table}
        self._tables.pop(table.name, None)
        self._last_request.pop(table.name, None)
        table.close()

    def close_all(self) -> None:
        """Close all tables, and the store."""
        for table in list(self._tables.values()):
            self.close(table)
        if self.store is not None:
            self.store.close()
