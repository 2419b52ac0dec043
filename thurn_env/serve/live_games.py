"""All games on the server: no more than a number at a time, and each forgotten when nobody looks at it any more."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.waiting import Waiting


class LiveGames:
    """Games by name. Names cannot be guessed: who knows one may play.

    Args:
        limit: how many games there may be.
        expiry: seconds after which a game is forgotten that nobody asked for.
        clock: seconds.
    """

    def __init__(self, limit: int, expiry: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit, self.expiry, self._clock = limit, expiry, clock
        self._games: dict[str, LiveGame | Waiting] = {}
        self._asked: dict[str, float] = {}
        self._reserved = 0

    def __len__(self) -> int:
        return len(self._games)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Keep room for a game that is being set up; `Refusal` if there is none."""
        self.forget_idle()
        if len(self._games) + self._reserved >= self.limit:
            raise Refusal(503, f"All {self.limit} tables are taken; try again when a game has ended.")
        self._reserved += 1
        try:
            yield
        finally:
            self._reserved -= 1

    def add(self, game: LiveGame | Waiting) -> str:
        """The name of a new game, or of a table that waits for it."""
        name = secrets.token_urlsafe(12)
        self._games[name] = game
        self._asked[name] = self._clock()
        return name

    def replace(self, name: str, game: LiveGame) -> None:
        """Put a game in the place of the table that waited for it, if somebody still does."""
        if name in self._games:
            self._games[name] = game
        else:
            game.close()

    def __getitem__(self, name: str) -> LiveGame | Waiting:
        self.forget_idle()
        if name not in self._games:
            raise Refusal(404, "There is no such game; it may have expired.")
        self._asked[name] = self._clock()
        return self._games[name]

    def forget_idle(self) -> None:
        """Forget the games that nobody asked for in a long time."""
        now = self._clock()
        for name in [name for name, asked in self._asked.items() if now - asked > self.expiry]:
            del self._asked[name]
            self._games.pop(name).close()

    def close(self) -> None:
        """Forget all games."""
        for game in self._games.values():
            game.close()
        self._games.clear()
        self._asked.clear()
