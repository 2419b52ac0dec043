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
        self._decision: object = None
        self._end = 0.0

    def start(self, decision: object, ring: Callable[[], None]) -> None:
        """Start the time for a decision; call `ring` in the event loop when it is over.

        For the decision of the last call, even if the clock was stopped meanwhile, the same time goes on: nobody gains
        time by leaving the table.
        """
        self.stop()
        if self.seconds is None:
            return
        loop = asyncio.get_running_loop()
        if decision is not self._decision:
            self._decision, self._end = decision, loop.time() + self.seconds
        self._alarm = loop.call_at(self._end, ring)

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
