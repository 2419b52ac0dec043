"""The log of a program: the last part of what it wrote to its standard error."""

from __future__ import annotations

LONGEST_LOG = 64 * 1024
"""Number of bytes of a log that are kept."""
LONGEST_LINE = 200
"""Number of characters of a line in an error message."""


class Log:
    """The last `LONGEST_LOG` bytes that a program wrote to its standard error."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, written: bytes) -> None:
        """Append bytes, and drop the oldest ones beyond the limit."""
        self._kept += written
        del self._kept[:-LONGEST_LOG]

    def take(self) -> str:
        """Return the text kept so far, and begin again with an empty log."""
        text = self.text
        self._kept.clear()
        return text

    @property
    def text(self) -> str:
        """The kept text; bytes that are not UTF-8 are replaced."""
        return self._kept.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        """The last line that is not empty; empty if there is none."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        return "".join(letter if letter.isprintable() else "?" for letter in lines[-1][:LONGEST_LINE]) if lines else ""
