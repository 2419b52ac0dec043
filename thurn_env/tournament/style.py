"""Style figures of the agents of a tournament, see `thurn_env.table.style`.

The index holds the counts of every game. A folder of an older version lacks them; its games are replayed. Games with a
forfeit are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from thurn_env.errors import RecordError
from thurn_env.files import read_text
from thurn_env.games.contract import GameRules
from thurn_env.progress import Progress
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position
from thurn_env.table.style import Figure, combined, figures_of, style_of
from thurn_env.tournament.folder import Folder

KEY = "style"
"""Key of the counts in a line of the index: a list by seat; None for a game with a forfeit."""


@dataclass(frozen=True)
class Styles:
    """The figures of a tournament.

    Attributes:
        figures: figures that the game declares; None if the counts are not known.
        agents: for every entrant all figures by name; empty if the counts are not known.
    """

    figures: tuple[Figure, ...] | None
    agents: list[dict[str, float | None]]


def styles_of(folder: Folder, lines: Sequence[Mapping[str, Any]]) -> Styles:
    """Return the style figures of all entrants.

    Args:
        folder: folder of the tournament.
        lines: all lines of its index.
    """
    names = folder.config.names
    try:
        figures = figures_of(_rules(folder))
        seats: dict[str, list[dict[str, int]]] = {name: [] for name in names}
        for line, counts in zip(lines, _counts(folder, lines), strict=True):
            if counts is not None:
                for name, seat in zip(line["agents"], counts, strict=True):
                    seats[name].append(seat)
    except RecordError:
        return Styles(None, [{} for _ in names])
    return Styles(figures, [combined(figures, seats[name]) for name in names])


def _rules(folder: Folder) -> GameRules:
    """Return the rules of the tournament's games, from its first record: the file of its board may be gone.

    Raises:
        RecordError: these rules do not exist any more.
    """
    with folder.games_file(0).open("rb") as lines:
        rules = Record.from_json(lines.readline().decode("utf-8", "replace")).rules
    if folder.description()["config"].get("board digest") != rules.board_digest:
        raise RecordError(f"the board {rules.board_name} has changed since the tournament")
    return rules


def _counts(folder: Folder, lines: Sequence[Mapping[str, Any]]) -> Iterator[list[dict[str, int]] | None]:
    """Yield the counts of every game by seat, None for a game with a forfeit.

    Raises:
        RecordError: a game without counts in the index cannot be replayed.
    """
    missing = sum(KEY not in line and line["forfeit"] is None for line in lines)
    if not missing:
        yield from (line.get(KEY) for line in lines)
        return
    tables = range(len(folder.tables))
    files = (read_text(folder.games_file(table), RecordError).split("\n")[:-1] for table in tables)
    with Progress("style figures", missing) as progress:
        for line, record in zip(lines, chain.from_iterable(files), strict=True):
            if KEY in line or line["forfeit"] is not None:
                yield line.get(KEY)
            else:
                yield style_of(last_position(Record.from_json(record)))
                progress.advance()
