"""`thurn report`: write an HTML report of a tournament."""

from __future__ import annotations

from pathlib import Path

from tyro.conf import Positional

from thurn_env.tournament.report import MEBIBYTE, write_report


def report(path: Positional[Path], out: Path | None = None, embed: float = 1.0) -> int:
    """Write an HTML report of a finished tournament.

    Args:
        path: folder of the tournament.
        out: path of the report; by default report.html in the folder.
        embed: largest size in MiB of all records in the page, compressed. If they are larger, the page links to the
            tournament's files; 0 always links.
    """
    page = write_report(path, out, embed=embed)
    print(f"The report is {page} ({page.stat().st_size / MEBIBYTE:.1f} MiB); open it in a browser.")
    return 0
