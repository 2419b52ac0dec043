"""One page about a finished tournament: ratings, scores, seats, and every game with its record.

    python -m eval.report runs/first

The page is a single file that fetches nothing. Its links to records lead into the folder of the tournament.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from eval.folder import Folder
from thurn_env.checks import checked_number
from thurn_env.commands.arguments import call, program
from thurn_env.errors import MissingExtra
from thurn_env.files import write_text

PROGRAM = "python -m eval.report"
MEBIBYTE = 1 << 20
LARGEST_PAGE = 1024
"""MiB of records that a page may be asked to hold."""


@dataclass(frozen=True)
class Arguments:
    """Write a page about a finished tournament.

    Args:
        path: the folder of the tournament.
        out: the page; report.html in the folder if not given.
        embed: MiB that all records may take in the page, packed. Where they take more, the page links to the files of
            the tournament instead; 0 always does.
    """

    path: Positional[Path]
    out: Path | None = None
    embed: float = 1.0

    @property
    def page(self) -> Path:
        """The file to be written."""
        if self.out is None:
            return self.path / "report.html"
        return self.out / "report.html" if self.out.is_dir() else self.out


def run(command: list[str]) -> int:
    """Read, draw, write."""
    arguments = call(Arguments, command, PROGRAM)
    checked_number("--embed", arguments.embed, 0, LARGEST_PAGE)
    folder = Folder.existing(arguments.path)
    try:
        from eval.page import page_of
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("jinja2", "matplotlib"):
            raise
        raise MissingExtra(f"the report needs {error.name}: pip install -e '.[eval]'") from None
    page = page_of(folder, arguments.page.parent, int(arguments.embed * MEBIBYTE))
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    write_text(arguments.page, page)
    size = arguments.page.stat().st_size / MEBIBYTE
    print(f"The report is {arguments.page} ({size:.1f} MiB); open it in a browser.")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
