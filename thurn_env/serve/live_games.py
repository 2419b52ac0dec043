"""All games on the server: limited in number, and deleted after a time without requests."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.waiting import Waiting


class LiveGames:
    """Games by name. A name is unguessable and gives the right to play.

    Args:
        limit: largest number of games.
        expiry: seconds without a request after which a game is deleted.
        clock: function that returns the time in seconds.
    """

    def __init__(self, limit: int, expiry: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit, self.expiry, self._clock = limit, expiry, clock
        self._games: dict[str, LiveGame | Waiting] = {}
        self._last_request: dict[str, float] = {}
        self._reserved = 0

    def __len__(self) -> int:
        return len(self._games)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Reserve room for a game that is being created; raise `Refusal` if there is none."""
        self.forget_idle()
        if len(self._games) + self._reserved >= self.limit:
            raise Refusal(503, f"All {self.limit} tables are taken; try again when a game has ended.")
        self._reserved += 1
        try:
            yield
        finally:
            self._reserved -= 1

    def add(self, game: LiveGame | Waiting) -> str:
        """Add a game, or a table that waits for it, and return its name."""
        name = secrets.token_urlsafe(12)
        self._games[name] = game
        self._last_request[name] = self._clock()
        return name

    def replace(self, name: str, game: LiveGame) -> None:
        """Replace a waiting table with its game, if the table was not deleted."""
        if name in self._games:
            self._games[name] = game
        else:
            game.close()

    def __getitem__(self, name: str) -> LiveGame | Waiting:
        self.forget_idle()
        if name not in self._games:
            raise Refusal(404, "There is no such game; it may have expired.")
        self._last_request[name] = self._clock()
        return self._games[name]

    def forget_idle(self) -> None:
        """Delete games without recent requests."""
        now = self._clock()
        for name in [name for name, last in self._last_request.items() if now - last > self.expiry]:
            del self._last_request[name]
            self._games.pop(name).close()

    def close(self) -> None:
        """Delete all games."""
        for game in self._games.values():
            game.close()
        self._games.clear()
        self._last_request.clear()
