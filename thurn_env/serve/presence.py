"""Who is still there: people whose pages ask the server now and then."""

from __future__ import annotations

import time

ABSENT = 90.0
"""Seconds without a request after which a person counts as absent; pages ask at least every 20 s, or every minute if a
browser saves power.
"""


class Presence:
    """The last requests of the people at a table.

    Args:
        seats: number of seats.
    """

    def __init__(self, seats: int) -> None:
        self._seen = [time.monotonic()] * seats

    def note(self, seat: int) -> None:
        """Note a request of the person at a seat."""
        self._seen[seat] = time.monotonic()

    def is_over(self, seat: int) -> bool:
        """Return whether the person at a seat has sent no request for `ABSENT` seconds."""
        return time.monotonic() - self._seen[seat] > ABSENT
