"""Tables on disk, in one SQLite file: what is written survives the end of the server, however it ends."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thurn_env.errors import ThurnError
from thurn_env.serve.refusal import Refusal

FILE = "games.sqlite"
BUSY = "another server keeps its games in this folder; choose another one with --keep"
VERSION = 1
"""Version of the schema, stored in the file."""
DAYS = 30
"""Days without a request after which a table is deleted; records stay."""
MOST_TABLES = 10_000
"""Largest number of tables; those without a request for the longest time are deleted."""
SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    asked REAL NOT NULL,     -- time of the last request, seconds since 1970
    listed INTEGER NOT NULL, -- whether the start page lists it
    over INTEGER NOT NULL,
    content TEXT NOT NULL    -- JSON: order, seats and links
);
CREATE TABLE links (token TEXT PRIMARY KEY, id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE) WITHOUT ROWID;
CREATE INDEX links_of_table ON links (id);
CREATE TABLE moves (
    id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
    number INTEGER NOT NULL, -- from 0
    action TEXT NOT NULL,
    PRIMARY KEY (id, number)
) WITHOUT ROWID;
CREATE TABLE records (id TEXT PRIMARY KEY, ended REAL NOT NULL, record TEXT NOT NULL);
"""

Content = dict[str, Any]
"""A table as JSON."""


class Store:
    """The tables and records in a folder.

    Args:
        folder: the folder; created if it does not exist.
        clock: function that returns the time in seconds since 1970.

    Raises:
        ThurnError: the file cannot be opened or is damaged, or another version of this package made it.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The file holds the secrets of links, and the seeds of games.
            file.touch(mode=0o600)
            # Only the thread of the event loop uses it; another one may have made it.
            self._file = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode=WAL")
            # A commit survives the end of the process without a flush; only a power failure may take the last ones.
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute("PRAGMA foreign_keys=ON")
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._file.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version={VERSION};COMMIT;")
            (state,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":
                raise sqlite3.DatabaseError(f"it is damaged ({state}); restore it from a copy")
        except (OSError, sqlite3.Error) as error:
            raise ThurnError(f"{file}: the games cannot be kept here: {error}") from None
        if version not in (0, VERSION):
            self._file.close()
            raise ThurnError(f"{file}: another version of thurn-env made this file; choose another folder with --keep")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction; raises `Refusal` if it fails, and then nothing is written."""
        try:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")
        except sqlite3.Error as error:
            raise Refusal(503, f"The server cannot keep games now: {error}.") from error

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raise `Refusal` if they cannot be read."""
        try:
            return self._file.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise Refusal(503, f"The server cannot read games now: {error}.") from error

    def save(self, name: str, content: Content, tokens: Sequence[str], listed: bool) -> None:
        """Write a table, new or changed, with the tokens of all its links."""
        text = json.dumps(content, ensure_ascii=False)
        with self._writing() as file:
            file.execute(
                "INSERT INTO tables VALUES (?, ?, ?, 0, ?)"
                " ON CONFLICT (id) DO UPDATE"
                " SET content = excluded.content, asked = excluded.asked, listed = excluded.listed",
                (name, self._clock(), listed, text),
            )
            file.execute("DELETE FROM links WHERE id = ?", (name,))
            file.executemany("INSERT INTO links VALUES (?, ?)", [(token, name) for token in tokens])

    def move(self, name: str, number: int, action: str, record: str | None = None) -> None:
        """Write a move, and the record if the game ends with it."""
        with self._writing() as file:
            file.execute("INSERT INTO moves VALUES (?, ?, ?)", (name, number, action))
            file.execute(
                "UPDATE tables SET asked = ?, over = ? WHERE id = ?", (self._clock(), record is not None, name)
            )
            if record is not None:
                file.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (name, self._clock(), record))

    def undo(self, name: str, moves: int) -> None:
        """Delete all but the first `moves` moves."""
        with self._writing() as file:
            file.execute("DELETE FROM moves WHERE id = ? AND number >= ?", (name, moves))

    def find(self, token: str) -> tuple[str, Content, list[str]] | None:
        """Return the id, the content and the moves of the table with a link; None if there is none."""
        rows = self._rows("SELECT id, content FROM links JOIN tables USING (id) WHERE token = ?", token)
        if not rows:
            return None
        name, content = rows[0]
        with self._writing() as file:
            file.execute("UPDATE tables SET asked = ? WHERE id = ?", (self._clock(), name))
        moves = self._rows("SELECT action FROM moves WHERE id = ? ORDER BY number", name)
        return name, json.loads(content), [action for (action,) in moves]

    def owner(self, token: str) -> str | None:
        """Return the id of the table that a link leads to; None if there is none."""
        rows = self._rows("SELECT id FROM links WHERE token = ?", token)
        return str(rows[0][0]) if rows else None

    def listed(self, limit: int) -> list[tuple[str, Content]]:
        """Return the tables for the start page whose games are not over, the last requested first."""
        rows = self._rows("SELECT id, content FROM tables WHERE listed AND NOT over ORDER BY asked DESC LIMIT ?", limit)
        return [(name, json.loads(content)) for name, content in rows]

    def forget_old(self, in_use: Iterable[str] = ()) -> None:
        """Delete all tables without a request for `DAYS` days, and the oldest of more than `MOST_TABLES`.

        Args:
            in_use: ids of the tables in memory, where requests are answered without this file.
        """
        with self._writing() as file:
            asked = [(self._clock(), name) for name in in_use]
            file.executemany("UPDATE tables SET asked = ? WHERE id = ?", asked)
            file.execute("DELETE FROM tables WHERE asked < ?", (self._clock() - DAYS * 86_400,))
            last = "SELECT id FROM tables ORDER BY asked DESC LIMIT ?"
            file.execute(f"DELETE FROM tables WHERE id NOT IN ({last})", (MOST_TABLES,))

    def records(self) -> list[str]:
        """Return the records of all finished games as JSON, the earliest first; raise `ThurnError` if that fails."""
        try:
            return [record for (record,) in self._rows("SELECT record FROM records ORDER BY ended, id")]
        except Refusal as refusal:
            raise ThurnError(refusal.message.rstrip(".")) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
