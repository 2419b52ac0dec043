"""The database of a standing list: settings, agents, and every game with its record.

It is one SQLite file in the list's folder, in write-ahead mode. Every change is one short transaction, so a process may
be killed at any moment. A game is known by its deck and the agents by seat, which are unique: no game is stored twice.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thurn_env import __version__
from thurn_env.checks import quoted
from thurn_env.errors import ThurnError, some_of
from thurn_env.files import make_folder
from thurn_env.games.engines import engine
from thurn_env.tournament.arena.identity import Identity
from thurn_env.tournament.arena.settings import Settings
from thurn_env.tournament.index_lines import NOTED
from thurn_env.tournament.play import Played
from thurn_env.tournament.schedule import Slot

FILE = "arena.sqlite"
APPLICATION = 0x7468726E
"""Number that marks the file as a standing list."""
VERSION = 1
"""Version of the tables."""
BUSY_TIMEOUT = 60.0
"""Seconds to wait for another process to end its transaction."""

TABLES = f"""
CREATE TABLE settings (settings TEXT NOT NULL);
CREATE TABLE agents (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
    added TEXT NOT NULL, retired TEXT
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, lineup TEXT NOT NULL, deck INTEGER NOT NULL, rotation INTEGER NOT NULL, seats TEXT NOT NULL,
    ranks TEXT NOT NULL, facts TEXT NOT NULL, times TEXT, record BLOB NOT NULL, played TEXT NOT NULL,
    version TEXT NOT NULL, engine TEXT NOT NULL, UNIQUE (deck, seats)
);
CREATE INDEX games_of_lineup ON games (lineup, deck);
CREATE TABLE claims (
    lineup TEXT NOT NULL, deck INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (lineup, deck)
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

Lineup = tuple[int, ...]
"""Numbers of the agents at a table, in ascending order; an agent may sit in several seats."""


@dataclass(frozen=True)
class Entry:
    """An agent on the list.

    Attributes:
        id: its number.
        name: its name, unique on the list.
        spec: its spec.
        identity: its version and digest.
        added: time when it was added.
        retired: time when it was retired; None while it plays.
    """

    id: int
    name: str
    spec: str
    identity: Identity
    added: str
    retired: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the choice of further games needs of a finished one.

    Attributes:
        id: number of the game.
        lineup: the agents at the table.
        deck: number of the deck.
        seats: agent of every seat.
        ranks: rank of every seat.
        times: line of the thinking times; None if they were not measured.
    """

    id: int
    lineup: Lineup
    deck: int
    seats: tuple[int, ...]
    ranks: tuple[int, ...]
    times: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game.

    Attributes:
        id: number of the game.
        seats: agent of every seat.
        facts: line of the index, see `thurn_env.tournament.folder`.
        times: line of the thinking times; None if they were not measured.
        played: time when it ended.
    """

    id: int
    seats: tuple[int, ...]
    facts: dict[str, Any]
    times: dict[str, Any] | None
    played: str


class EmptyStore(ThurnError):
    """A database without tables: the process that was about to write them was killed."""


class Store:
    """The database of a list; a context manager that closes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / FILE
        if not self.file.is_file():
            raise ThurnError(f"{folder} holds no standing list; start one with thurn arena FOLDER add AGENT")
        self._connection = _connected(self.file)
        try:
            self._check()
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def started(cls, folder: Path, settings: Settings) -> Store:
        """Open the list in a folder; start one with these settings if there is none."""
        make_folder(folder)
        connection = _connected(folder / FILE)
        try:
            with _clear_errors(folder / FILE), _written(connection):
                # Tables and their marks are one transaction: a killed process leaves all or nothing.
                if not connection.execute("SELECT name FROM sqlite_master").fetchall():
                    for statement in filter(str.strip, TABLES.split(";")):
                        connection.execute(statement)
                    connection.execute("INSERT INTO settings VALUES (?)", [json.dumps(asdict(settings))])
        finally:
            connection.close()
        return cls(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def _check(self) -> None:
        """Raise `ThurnError` if the database is no list, or a list of another version."""
        ((application,),) = self.rows("PRAGMA application_id")
        ((version,),) = self.rows("PRAGMA user_version")
        if application == version == 0 and not self.rows("SELECT name FROM sqlite_master"):
            raise EmptyStore(
                f"{self.folder} holds no standing list yet; add an agent with thurn arena FOLDER add AGENT"
            )
        if application != APPLICATION:
            raise ThurnError(f"{self.file} is not the database of a standing list; choose another folder")
        if version != VERSION:
            raise ThurnError(
                f"{self.file} has version {version} of the tables, this version of thurn-env writes {VERSION}; "
                "use the version that wrote it, or start another list"
            )

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._clear_errors():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def written(self) -> Iterator[sqlite3.Connection]:
        """Change the database in one transaction."""
        with self._clear_errors(), _written(self._connection):
            yield self._connection

    def _clear_errors(self) -> Any:
        return _clear_errors(self.file)

    @property
    def settings(self) -> Settings:
        """The settings of the list."""
        try:
            ((text,),) = self.rows("SELECT settings FROM settings")
            return Settings(**json.loads(text))
        except (ValueError, TypeError) as error:
            if isinstance(error, ThurnError):
                raise
            raise ThurnError(f"{self.file} is damaged: it has no settings; restore it from a copy") from None

    def entries(self) -> list[Entry]:
        """Return all agents in the order in which they were added."""
        query = "SELECT id, name, spec, version, digest, added, retired FROM agents ORDER BY id"
        return [
            Entry(number, name, spec, Identity(version, digest), added, retired)
            for number, name, spec, version, digest, added, retired in self.rows(query)
        ]

    def entry(self, name: str) -> Entry:
        """Return an agent by name; raise `ThurnError` if there is none."""
        entries = self.entries()
        for entry in entries:
            if entry.name == name:
                return entry
        names = some_of([entry.name for entry in entries])
        raise ThurnError(f"there is no agent {quoted(name)} on the list; the agents are {names}")

    def add(self, agents: Sequence[tuple[str, str, Identity]]) -> None:
        """Add agents, each given as name, spec and identity.

        Raises:
            ThurnError: a name is taken; no agent is added then.
        """
        game = self.settings.game
        with self.written() as connection:
            for name, spec, identity in agents:
                found = connection.execute("SELECT spec, version, digest FROM agents WHERE name = ?", [name]).fetchone()
                if found is not None:
                    other, *known = found
                    remedy = "add it under another name with --name"
                    if other != spec:
                        raise ThurnError(f"the name {name!r} on the list is that of the agent {other!r}: {remedy}")
                    if Identity(*known).same(identity, game):
                        raise ThurnError(f"the agent {name!r} is on the list already; to add it twice, {remedy}")
                    raise ThurnError(
                        f"the agent {name!r} on the list has digest {known[1]}, this one has "
                        f"{identity.digest}: {remedy}"
                    )
                connection.execute(
                    "INSERT INTO agents (name, spec, version, digest, added) VALUES (?, ?, ?, ?, ?)",
                    [name, spec, *identity, now()],
                )

    def retire(self, name: str) -> None:
        """Retire an agent: it keeps its games and its rating, and plays no further games."""
        entry = self.entry(name)
        if entry.retired is not None:
            raise ThurnError(f"the agent {name!r} was retired before, at {entry.retired}")
        with self.written() as connection:
            connection.execute("UPDATE agents SET retired = ? WHERE id = ?", [now(), entry.id])

    def save(self, lineup: Lineup, games: Sequence[tuple[Slot, tuple[int, ...], Played]]) -> int:
        """Store finished games of a lineup, each given as slot, agents by seat and what was played.

        Returns:
            The number of games that were not stored before.
        """
        digest = engine(self.settings.game)
        with self.written() as connection:
            before = connection.total_changes
            for slot, seats, played in games:
                facts = json.loads(played.line)
                connection.execute(
                    "INSERT OR IGNORE INTO games (lineup, deck, rotation, seats, ranks, facts, times, record, played, "
                    "version, engine) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        text_of(lineup),
                        slot.deck,
                        slot.rotation,
                        text_of(seats),
                        text_of(facts["ranks"]),
                        played.line,
                        played.times,
                        zlib.compress(played.record.encode()),
                        now(),
                        __version__,
                        digest,
                    ],
                )
            return connection.total_changes - before

    def outcomes(self, after: int = 0) -> list[Outcome]:
        """Return the games with a number above `after`, in the order in which they were stored."""
        query = "SELECT id, lineup, deck, seats, ranks, times FROM games WHERE id > ? ORDER BY id"
        with self._clear_damage():
            return [
                Outcome(number, numbers_in(lineup), deck, numbers_in(seats), numbers_in(ranks), _times_in(times))
                for number, lineup, deck, seats, ranks, times in self.rows(query, [after])
            ]

    def games(self) -> list[Game]:
        """Return all games, ordered by deck and agents."""
        query = "SELECT id, seats, facts, times, played FROM games ORDER BY deck, lineup, rotation"
        with self._clear_damage():
            games = [
                Game(number, numbers_in(seats), _facts_in(facts), _times_in(times), played)
                for number, seats, facts, times, played in self.rows(query)
            ]
            if not {agent for game in games for agent in game.seats} <= {entry.id for entry in self.entries()}:
                raise ValueError("a game of an agent that is not on the list")
        return games

    @contextmanager
    def _clear_damage(self) -> Iterator[None]:
        """Turn errors of texts in the database into a `ThurnError`."""
        try:
            yield
        except ThurnError:
            raise
        except (ValueError, TypeError, AttributeError):
            raise ThurnError(f"{self.file} is damaged: a game has no readable facts; restore it from a copy") from None

    def record(self, game: int) -> str:
        """Return the record of a game as JSON."""
        ((packed,),) = self.rows("SELECT record FROM games WHERE id = ?", [game])
        try:
            return zlib.decompress(packed).decode()
        except (zlib.error, UnicodeDecodeError):
            raise ThurnError(f"{self.file}: the record of game {game} is damaged; restore it from a copy") from None


def _facts_in(text: str) -> dict[str, Any]:
    """Return the line of the index of a game; raise `ValueError` if it is none."""
    facts = json.loads(text)
    if not isinstance(facts, dict) or not facts.keys() >= NOTED:
        raise ValueError("no line of an index")
    return facts


def _times_in(text: str | None) -> dict[str, Any] | None:
    """Return the thinking times of a game; raise `ValueError` if they are none."""
    times = None if text is None else json.loads(text)
    if times is not None and not (isinstance(times, dict) and times.keys() >= {"agents", "seconds", "decisions"}):
        raise ValueError("no thinking times")
    return times


def text_of(numbers: Sequence[int]) -> str:
    """Return numbers as a text."""
    return ",".join(map(str, numbers))


def numbers_in(text: str) -> tuple[int, ...]:
    """Return the numbers in a text of `text_of`."""
    return tuple(map(int, text.split(",")))


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _connected(file: Path) -> sqlite3.Connection:
    """Return a connection without transactions of its own."""
    with _clear_errors(file):
        connection = sqlite3.connect(file, timeout=BUSY_TIMEOUT, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        # A commit is on the disk when it returns, also if the machine loses power.
        connection.execute("PRAGMA synchronous = FULL")
        return connection


@contextmanager
def _written(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def _clear_errors(file: Path) -> Iterator[None]:
    """Turn errors of SQLite into a `ThurnError` that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise ThurnError(f"{file}: {error}; is another process writing, or the disk full?") from None
    except sqlite3.DatabaseError as error:
        raise ThurnError(f"{file} is damaged or no database: {error}; restore it from a copy") from None
