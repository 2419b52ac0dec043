"""`thurn report`: write an HTML report of a tournament."""

from __future__ import annotations

from pathlib import Path

from tyro.conf import Positional

from thurn_env.checks import MOST_GAMES, checked_whole
from thurn_env.tournament.report import MEBIBYTE, write_report


def report(path: Positional[Path], out: Path | None = None, embed: float = 1.0, replays: int = 10) -> int:
    """Write an HTML report of a finished tournament.

    Args:
        path: folder of the tournament.
        out: path of the report; by default report.html in the folder.
        embed: largest size in MiB of all records in the page, compressed. If they are larger, the page links to the
            tournament's files; 0 always links.
        replays: number of games, the first ones, that "Show" opens as a page to step through. The pages are in a folder
            beside the report; drawing one takes some seconds.
    """
    checked_whole("--replays", replays, 0, MOST_GAMES)
    page = write_report(path, out, embed=embed, replays=replays)
    print(f"The report is {page} ({page.stat().st_size / MEBIBYTE:.1f} MiB); open it in a browser.")
    return 0
