"""A table: seats of people and agents, links, and from its start on a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from thurn_env.checks import finite, whole
from thurn_env.players.session import HUMAN
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Menu, Order
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.seat import Seat, checked_name, new_token
from thurn_env.serve.store import Content, Store
from thurn_env.serve.viewpoint import NOBODY
from thurn_env.serve.waiting import Waiting
from thurn_env.table.game import Game

SHORTEST_CLOCK, LONGEST_CLOCK = 5, 24 * 3600
"""Bounds of the clock for a decision in seconds."""
CHOICES = {
    "hints": "whether people may ask for hints and undo decisions",
    "listed": "whether the start page lists the table",
}
"""Settings of a table that are true by default, with their meanings."""
OPEN = "open"
"""Reason why a bot plays at a seat that nobody took before the start."""


class Table:
    """A table.

    Args:
        order: game and players.
        seats: the seats.
        invitation, watching: secrets of the link to join the table, and of the link to watch it.
        clock: seconds for a person's decision; None for no limit.
        hints: whether people may ask for hints and undo decisions.
        listed: whether the start page lists the table.
        store: keeps the table; None if it is not kept.
        name: id in the store.

    Attributes:
        started: whether the game has begun, or is being prepared.
        game: the game, once it is prepared.
        waiting: what is to be prepared for the game, from the start on.
        warming: compiles what the game will need, before the start.
        moves: moves of the game that is to be resumed.
        rematch: secrets of the links at the table of the rematch, by seat, and at last the one to watch it; empty while
            there is no rematch.
        dismissed: called if the table can no longer be kept, so that it must be read from the store again.
    """

    def __init__(
        self,
        order: Order,
        seats: list[Seat],
        invitation: str,
        watching: str,
        clock: float | None,
        hints: bool,
        listed: bool,
        store: Store | None = None,
        name: str = "",
    ) -> None:
        self.order, self.seats = order, seats
        self.invitation, self.watching = invitation, watching
        self.clock, self.hints, self.listed = clock, hints, listed
        self.store = store
        self.name = name or new_token()
        self.started = False
        self.game: LiveGame | None = None
        self.waiting: Waiting | None = None
        self.warming: asyncio.Task[None] | None = None
        self.moves: list[str] = []
        self.rematch: list[str] = []
        self.dismissed: Callable[[], None] = lambda: None
        self.version = 0
        self._changed = asyncio.Event()

    @classmethod
    def from_request(cls, menu: Menu, body: Content, store: Store | None) -> Table:
        """Return the table that a request describes; its sender takes the first seat for people.

        Raises:
            Refusal: the request is wrong.
        """
        person = checked_name(body.pop("name", None))
        clock = _checked_clock(body.pop("clock", None))
        hints, listed = (_checked_choice(body, name, meaning) for name, meaning in CHOICES.items())
        order = menu.order(body)
        if body.get("seed") is not None and (order.names.count(HUMAN) > 1 or not hints):
            why = "at a table for several people" if hints else "at a table without hints"
            raise Refusal(400, f"Leave out 'seed' {why}: it would tell you all cards.")
        seats = [Seat("" if agent == HUMAN else agent) for agent in order.names]
        for seat in seats:
            if seat.open:
                seat.sit_down(person)
                break
        return cls(order, seats, new_token(), new_token(), clock, hints, listed, store)

    @classmethod
    def from_store(cls, menu: Menu, store: Store, name: str, content: Content, moves: list[str]) -> Table:
        """Return a table that was kept.

        Raises:
            Refusal: the menu no longer has its game or agents.
        """
        seats = [Seat(**seat) for seat in content["seats"]]
        settings = {key: content[key] for key in ("invitation", "watching", "clock", "hints", "listed")}
        table = cls(menu.order(content["order"]), seats, **settings, store=store, name=name)
        table.started, table.moves, table.rematch = content["started"], moves, content["rematch"]
        return table

    def save(self) -> None:
        """Keep the table, if it has a store."""
        if self.store is None:
            return
        content = {
            "title": self.title,
            "order": self.order.asked,
            "seats": [seat.as_dict() for seat in self.seats],
            "invitation": self.invitation,
            "watching": self.watching,
            "clock": self.clock,
            "hints": self.hints,
            "listed": self.listed,
            "started": self.started,
            "rematch": self.rematch,
        }
        with self._kept():
            self.store.save(self.name, content, list(self.links()), self.listed)

    def links(self) -> dict[str, int]:
        """Return the secrets of all links, with their seats, or `NOBODY` for invitation and spectators."""
        own = {seat.token: place for place, seat in enumerate(self.seats) if seat.token}
        return own | {self.invitation: NOBODY, self.watching: NOBODY}

    # Keeper of the game

    def played(self, game: Game) -> None:
        """Keep the last move, and the record if the game is over."""
        if self.store is None:
            return
        action = game.rules.action_texts[game.moves[-1]]
        record = game.record([seat.played_by for seat in self.seats]).to_json() if game.over else None
        with self._kept():
            self.store.move(self.name, len(game.moves) - 1, action, record)

    def undone(self, game: Game) -> None:
        """Drop all moves after a position."""
        if self.store is not None:
            with self._kept():
                self.store.undo(self.name, len(game.moves))

    def seated(self) -> None:
        """Keep the seats."""
        self.save()

    def failed(self) -> None:
        """List the table no more: its game cannot begin, or cannot continue."""
        self.listed = False
        with suppress(Refusal):  # who asks for the table is told by the next request
            self.save()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Dismiss the table if it cannot be written: what was not written must not be shown."""
        try:
            yield
        except Refusal:
            self.dismissed()
            raise

    # Before the start

    @property
    def open_seats(self) -> list[int]:
        """Seats that nobody owns."""
        return [place for place, seat in enumerate(self.seats) if seat.open]

    def join(self, name: Any, place: Any = None) -> Seat:
        """Give an open seat to a person and return it.

        Args:
            name: the person's name.
            place: number of the seat; None for the first open one.

        Raises:
            Refusal: the name is wrong, the seat is taken, or the game has begun.
        """
        person = checked_name(name)
        if self.started:
            raise Refusal(409, "The game has begun; you can watch it.")
        if not self.open_seats:
            raise Refusal(409, "All seats are taken.")
        number = self.open_seats[0] if place is None else whole(place)
        if number not in self.open_seats:
            seats = ", ".join(map(str, self.open_seats))
            raise Refusal(409, f"Field 'seat' must be an open seat: {seats}.")
        seat = self.seats[number]
        seat.sit_down(person)
        self._change()
        return seat

    def leave(self, place: int) -> None:
        """Open the seat of a person who leaves before the start."""
        self.seats[place].stand_up()
        self._change()

    def start(self) -> None:
        """Begin the game; the stand-in takes open seats. Raise `Refusal` if it has begun."""
        if self.started:
            raise Refusal(409, "The game has begun already.")
        for place in self.open_seats:
            self.seats[place].help(self.order.stand_in, OPEN)
        self.started = True
        self._change()

    # After the end

    @property
    def people(self) -> int:
        """Number of people who own a seat."""
        return sum(bool(seat.token) for seat in self.seats)

    def again(self, menu: Menu) -> Table:
        """Return a table that is not started yet, for the same people and agents, with other cards."""
        order = menu.order({key: value for key, value in self.order.asked.items() if key != "seed"})
        seats = [Seat(seat.agent) for seat in self.seats]
        for seat, before in zip(seats, self.seats, strict=True):
            if before.token:
                seat.sit_down(before.name)
        return Table(order, seats, new_token(), new_token(), self.clock, self.hints, self.listed, self.store)

    def offer_rematch(self, table: Table) -> None:
        """Tell everybody at this table the own link at another one."""
        # `NOBODY`, the seat of spectators, is the last place of a list.
        self.rematch = [*(seat.token for seat in table.seats), table.watching]
        self._change()

    # Changes

    def _change(self) -> None:
        self.save()
        self.version += 1
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Answer all requests that wait for news."""
        self._notify()
        if self.game is not None:
            self.game.wake()

    async def news(self, seat: int, since: str | None, seconds: float) -> dict[str, Any]:
        """Return the seats and links that a visitor may know, waiting for a change if there is none."""
        if since == str(self.version) and (not self.started or (self.over and not self.rematch)):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return self.for_page(seat)

    def for_page(self, seat: int) -> dict[str, Any]:
        """Return the seats, and for those who sit at the table the links to hand on."""
        found: dict[str, Any] = {
            "version": str(self.version),
            "started": self.started,
            "seat": None if seat == NOBODY else seat,
            "seats": [owner.for_page() for owner in self.seats],
            "stand_in": self.order.stand_in,
            "rematch": f"/games/{self.rematch[seat]}" if self.rematch else None,
        }
        if seat != NOBODY:
            found["links"] = {"invitation": f"/games/{self.invitation}", "watching": f"/games/{self.watching}"}
        return found

    # For lists

    @property
    def settings(self) -> str:
        """What else people have to know about the table before they join it; empty or with a comma before it."""
        clock = f", {_in_words(self.clock)} for a decision" if self.clock is not None else ""
        return clock + ("" if self.hints else ", no hints, no undo")

    @property
    def title(self) -> str:
        """Game, board and players in a line."""
        rules = self.order.rules
        names = ", ".join("open seat" if seat.open else seat.title for seat in self.seats)
        return f"{rules.title}, {rules.board_name} board{self.settings}: {names}"

    def status(self, seat: int) -> str:
        """Return in a few words what a visitor at a seat has to know."""
        if not self.started:
            return "not started"
        if self.game is None:
            return "in progress"
        game = self.game.session.game
        if game.over:
            return "over"
        mine = self.game.session.waiting and game.seat == seat
        return "your turn" if mine else f"{self.game.names[game.seat]} to move"

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game is not None and self.game.session.game.over

    def close(self) -> None:
        """Stop all work for the table."""
        for part in (self.waiting, self.game):
            if part is not None:
                part.close()
        if self.warming is not None:
            self.warming.cancel()
        self.version += 1
        self._changed.set()


def _checked_choice(body: Content, name: str, meaning: str) -> bool:
    """Take a choice out of a request, true by default; raise `Refusal` if it is neither true nor false."""
    chosen = body.pop(name, True)
    if not isinstance(chosen, bool):
        raise Refusal(400, f"Field {name!r} must be true or false: {meaning}.")
    return chosen


def _in_words(seconds: float) -> str:
    """Return a duration as `45 seconds`, `10 minutes` or `24 hours`: in the largest unit of which it is a multiple."""
    for unit, length in (("hours", 3600), ("minutes", 60)):
        if seconds > length and seconds % length == 0:
            return f"{seconds / length:g} {unit}"
    return f"{seconds:g} seconds"


def _checked_clock(clock: Any) -> float | None:
    """Return the seconds for a decision; raise `Refusal` if they are out of range."""
    if clock is None:
        return None
    seconds = finite(clock)
    if seconds is None or not SHORTEST_CLOCK <= seconds <= LONGEST_CLOCK:
        raise Refusal(400, f"Field 'clock' must be null or {SHORTEST_CLOCK} to {LONGEST_CLOCK} seconds for a decision.")
    return seconds
