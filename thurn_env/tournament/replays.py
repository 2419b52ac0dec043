"""Pages of recorded games beside a report, which its list of games opens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from thurn_env.errors import RecordError
from thurn_env.files import make_folder, write_text
from thurn_env.progress import Progress
from thurn_env.show.page import replay_page
from thurn_env.table.record import Record
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.summary import FinishedGame


def replays_folder(page: Path) -> Path:
    """Return the folder of the games of a report."""
    return page.with_name(f"{page.stem}-games")


def write_replays(folder: Folder, games: Sequence[FinishedGame], page: Path, number: int) -> dict[str, Path]:
    """Write pages of the first games of a tournament, and return them by `TABLE.LINE`.

    A game whose record does not replay gets none.

    Args:
        folder: the tournament.
        games: its games.
        page: path of the report.
        number: largest number of games with a page.

    Raises:
        RecordError: a record is damaged.
    """
    chosen = sorted(games, key=lambda game: (game.table, game.line))[:number]
    place = replays_folder(page)
    made: dict[str, Path] = {}
    if not chosen:
        return made
    make_folder(place)
    with Progress("draw", len(chosen)) as progress:
        for table in sorted({game.table for game in chosen}):
            file = folder.games_file(table)
            lines = {game.line for game in chosen if game.table == table}
            for line, record in enumerate(Record.load_all(file), start=1):
                if line in lines:
                    page_of_game = place / f"{file.stem}-{line}.html"
                    with suppress(RecordError):
                        write_text(page_of_game, replay_page(record, f"{file.name}, game {line}"))
                        made[f"{table}.{line}"] = page_of_game
                    progress.advance()
                if line >= max(lines):
                    break
    return made
