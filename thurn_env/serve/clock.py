"""The clock for a person's decision."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Clock:
    """A clock that rings if a decision takes longer than its time.

    Args:
        seconds: time for a decision; None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._alarm: asyncio.TimerHandle | None = None

    def start(self, ring: Callable[[], None]) -> None:
        """Begin again with the whole time; call `ring` in the event loop when it is over."""
        self.stop()
        if self.seconds is not None:
            self._alarm = asyncio.get_running_loop().call_later(self.seconds, ring)

    def stop(self) -> None:
        """Do not ring any more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def left(self) -> float | None:
        """Return the seconds left; None if the clock does not run."""
        if self._alarm is None:
            return None
        return max(0.0, self._alarm.when() - asyncio.get_running_loop().time())
