"""Records of a finished tournament, packed for an HTML page."""

from __future__ import annotations

import base64
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from thurn_env.errors import ThurnError
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.summary import FinishedGame

CHUNK = 24
"""Records packed together: games of one deck share its cards and compress to a third of their separate size."""


@dataclass(frozen=True)
class Records:
    """The records for a page.

    Attributes:
        packed: for every table its records, `CHUNK` at a time as lines, compressed by zlib in base64; None if they are
            too large.
        size: size of `packed` in bytes.
    """

    packed: list[list[str]] | None
    size: int


def records_of(folder: Folder, games: Sequence[FinishedGame], limit: int) -> Records:
    """Read all records, and pack them if they take at most `limit` bytes.

    Raises:
        ThurnError: a file of records is missing or does not match its index.
    """
    packed: list[list[str]] = []
    size = 0
    wanted = Counter(game.table for game in games)
    for table in range(len(folder.tables)):
        lines = _lines(folder, table, wanted[table])
        packed.append([])
        for first in range(0, len(lines), CHUNK):
            if size > limit:
                break
            packed[table].append(base64.b64encode(zlib.compress(b"".join(lines[first : first + CHUNK]), 9)).decode())
            size += len(packed[table][-1])
    return Records(packed if size <= limit else None, size)


def _lines(folder: Folder, table: int, wanted: int) -> list[bytes]:
    file = folder.games_file(table)
    try:
        with file.open("rb") as content:
            lines = content.readlines()
    except FileNotFoundError:
        raise ThurnError(f"{file} is missing; the report links to it") from None
    if len(lines) != wanted:
        raise ThurnError(
            f"{file} has {len(lines):,} records, but its index {wanted:,}; "
            "one of them is damaged: delete the folder and play again"
        )
    return lines
