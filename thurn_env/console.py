"""Output to consoles whose encoding lacks characters."""

from __future__ import annotations

import io
import sys


def print_on_any_console() -> None:
    """Make standard output and error replace characters that the encoding lacks, instead of failing.

    Bytes on standard input that cannot be decoded are kept, so that they can still name a file.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        # Notebooks and tests replace the standard streams.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
