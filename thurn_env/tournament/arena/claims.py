"""Claims: several processes may play on one list, and no two of them play the same game.

A process claims decks of a lineup before it plays them. Its claims last while it lives: each process holds the lock of
a file of its own, which the system releases when the process ends, however it ends. Then others take over.
"""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from filelock import FileLock, Timeout

from thurn_env.tournament.arena.store import Lineup, Store, numbers_in, text_of
from thurn_env.tournament.schedule import Slot, Table, seatings
from thurn_env.tournament.seeds import game_seeds

FOLDER = "players"
"""Folder with a lock for every process that plays."""
SUFFIX = ".lock"


class Wanted(NamedTuple):
    """A wish for games: the agents at a table, and the number of decks."""

    lineup: Lineup
    decks: int


class Unit(NamedTuple):
    """Games of one lineup to play: each with its slot, whose seats are places in the lineup, and the agents by seat."""

    lineup: Lineup
    games: tuple[tuple[Slot, tuple[int, ...]], ...]


class Claims:
    """The claims of this process; a context manager that gives them up at the end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._settings = store.settings
        self._owner = secrets.token_hex(8)
        self._folder = store.folder / FOLDER

    def __enter__(self) -> Self:
        self._folder.mkdir(exist_ok=True)
        # Within a transaction, since another process could take the file for one of a process that has ended while it
        # exists and is not locked yet.
        with self._store.written() as connection:
            self._lock = _lock_of(self._folder, self._owner)
            self._lock.acquire(timeout=0)
            self._drop_dead(connection)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._store.written() as connection:
                connection.execute("DELETE FROM claims WHERE owner = ?", [self._owner])
        finally:
            self._lock.release()
            _file_of(self._folder, self._owner).unlink(missing_ok=True)

    def take(self, wanted: Wanted) -> Unit:
        """Claim the first decks of a lineup that no process has finished or claimed."""
        lineup = wanted.lineup
        with self._store.written() as connection:
            self._drop_dead(connection)
            values = [text_of(lineup)]
            claimed = {
                deck for (deck,) in connection.execute("SELECT deck FROM claims WHERE lineup = ?", values).fetchall()
            }
            stored: dict[int, set[str]] = {}
            for deck, seats in connection.execute("SELECT deck, seats FROM games WHERE lineup = ?", values).fetchall():
                stored.setdefault(deck, set()).add(seats)
            chosen: list[tuple[Slot, tuple[int, ...]]] = []
            deck, left = 0, wanted.decks
            while left:
                missing = [] if deck in claimed else self._missing(lineup, deck, stored.get(deck, set()))
                if missing:
                    connection.execute("INSERT INTO claims VALUES (?, ?, ?)", [text_of(lineup), deck, self._owner])
                    chosen += missing
                    left -= 1
                deck += 1
        return Unit(lineup, tuple(chosen))

    def take_unfinished(self, active: set[int]) -> list[Unit]:
        """Claim the decks of which a process that has ended played only some seatings."""
        with self._store.written() as connection:
            self._drop_dead(connection)
            query = "SELECT lineup, deck, GROUP_CONCAT(seats, ' ') FROM games GROUP BY lineup, deck"
            claimed = set(connection.execute("SELECT lineup, deck FROM claims").fetchall())
            units = []
            for text, deck, seats in connection.execute(query).fetchall():
                lineup = numbers_in(text)
                missing = self._missing(lineup, deck, set(seats.split(" ")))
                if missing and (text, deck) not in claimed and active.issuperset(lineup):
                    connection.execute("INSERT INTO claims VALUES (?, ?, ?)", [text, deck, self._owner])
                    units.append(Unit(lineup, tuple(missing)))
        return units

    def give_back(self, lineup: Lineup, decks: set[int]) -> None:
        """Give up the claims of finished decks."""
        with self._store.written() as connection:
            connection.executemany(
                "DELETE FROM claims WHERE lineup = ? AND deck = ?", [(text_of(lineup), deck) for deck in decks]
            )

    def under_way(self) -> tuple[list[Wanted], bool]:
        """Return the claimed decks of all living processes, and whether another process has any."""
        with self._store.written() as connection:
            self._drop_dead(connection)
            query = "SELECT lineup, COUNT(*) FROM claims GROUP BY lineup ORDER BY lineup"
            claimed = [Wanted(numbers_in(lineup), decks) for lineup, decks in connection.execute(query).fetchall()]
            others = connection.execute("SELECT 1 FROM claims WHERE owner != ? LIMIT 1", [self._owner]).fetchone()
        return claimed, others is not None

    def _missing(self, lineup: Lineup, deck: int, stored: set[str]) -> list[tuple[Slot, tuple[int, ...]]]:
        """Return the games of a deck that are not stored."""
        settings = self._settings
        seeds = game_seeds(settings.secret, settings.seed, deck, settings.players)
        places = {agent: place for place, agent in enumerate(dict.fromkeys(lineup))}
        return [
            (Slot(deck, rotation, tuple(places[agent] for agent in seats), seeds), seats)
            for rotation, seats in enumerate(seatings(lineup, deck))
            if text_of(seats) not in stored
        ]

    def _drop_dead(self, connection: sqlite3.Connection) -> None:
        """Delete the claims of processes that have ended."""
        owners = {owner for (owner,) in connection.execute("SELECT DISTINCT owner FROM claims").fetchall()}
        owners |= {file.stem for file in self._folder.glob(f"*{SUFFIX}")}
        for owner in owners - {self._owner}:
            if _ended(self._folder, owner):
                connection.execute("DELETE FROM claims WHERE owner = ?", [owner])
                _file_of(self._folder, owner).unlink(missing_ok=True)


def games_per_deck(lineup: Table) -> int:
    """Return the number of games in which a lineup plays a deck."""
    return len(seatings(lineup, 0))


def _ended(folder: Path, owner: str) -> bool:
    lock = _lock_of(folder, owner)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    lock.release()
    return True


def _lock_of(folder: Path, owner: str) -> FileLock:
    return FileLock(_file_of(folder, owner), thread_local=False)


def _file_of(folder: Path, owner: str) -> Path:
    return folder / f"{owner}{SUFFIX}"
