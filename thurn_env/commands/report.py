"""`thurn report`: a page about a finished tournament."""

from __future__ import annotations

from pathlib import Path

from tyro.conf import Positional

from thurn_env.tournament.report import MEBIBYTE, write_report


def report(path: Positional[Path], out: Path | None = None, embed: float = 1.0) -> int:
    """Write a page about a finished tournament.

    Args:
        path: the folder of the tournament.
        out: the page; report.html in the folder if not given.
        embed: MiB that all records may take in the page, compressed. If they take more, the page links to the files of
            the tournament; 0 always links.
    """
    page = write_report(path, out, embed=embed)
    print(f"The report is {page} ({page.stat().st_size / MEBIBYTE:.1f} MiB); open it in a browser.")
    return 0
