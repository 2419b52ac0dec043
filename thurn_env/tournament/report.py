"""The HTML report of a tournament: ratings, scores, seats, and every game with its record.

The report is a single file that loads nothing else. Its links to records point into the tournament's folder, and those
to pages of games into a folder beside it.
"""

from __future__ import annotations

from pathlib import Path

from thurn_env.checks import MOST_GAMES, checked_number, checked_whole
from thurn_env.errors import MissingExtra
from thurn_env.files import HTML, check_replaceable, make_folder, write_text
from thurn_env.tournament.folder import Folder

PAGE = "report.html"
MEBIBYTE = 1 << 20
LARGEST_PAGE = 1024
"""Largest `embed` in MiB."""


def write_report(
    tournament: str | Path, path: str | Path | None = None, *, embed: float = 1.0, replays: int = 0
) -> Path:
    """Write an HTML report of a finished tournament and return its path.

    Args:
        tournament: the folder of the tournament.
        path: path of the report, or a folder for it; None writes `report.html` into the tournament's folder.
        embed: largest size in MiB of all records in the page, compressed. If they are larger, the page links to the
            tournament's files; 0 always links.
        replays: number of games, the first ones, that get a page to step through, in a folder beside the report.

    Raises:
        MissingExtra: without the extra `eval`.
        OptionError: `embed` or `replays` is out of bounds.
        RecordError: a record is damaged.
        ThurnError: there is no finished tournament in the folder.
    """
    checked_number("embed", embed, 0, LARGEST_PAGE)
    number = checked_whole("replays", replays, 0, MOST_GAMES)
    folder, place = Folder.existing(Path(tournament)), Path(tournament if path is None else path)
    page = place / PAGE if path is None or place.is_dir() else place
    try:
        from thurn_env.tournament.page import page_of
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("jinja2", "matplotlib", "markupsafe"):
            raise
        raise MissingExtra(f'the report needs {error.name}: pip install "thurn-env[eval]"') from None
    make_folder(page.parent)
    check_replaceable(page, HTML, "a page")
    text = page_of(folder, page, int(embed * MEBIBYTE), number)
    write_text(page, text)
    return page
