"""Consoles that lack letters of the texts they are to show."""

from __future__ import annotations

import io
import sys


def print_on_any_console() -> None:
    """Let standard output and error replace letters that the console's encoding lacks, instead of failing at them.

    What cannot be decoded on standard input is kept as it is, so that it can still name a file.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        # Notebooks and tests have streams of their own.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
