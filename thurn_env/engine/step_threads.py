"""Threads that share the work of a step.

Kernels release Python's global lock while they run, so Python threads can step parts of a batch at the same time.
Between two steps they wait on queues, which takes a few microseconds.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Work = Callable[[int, int], None]
"""Does the work for the indices from the first number to before the second."""

LEAST_WORK = 32
"""Minimum number of lanes per thread: smaller steps are over before another thread has begun."""


class _Helper:
    """A thread beside the calling one that works whenever it gets a part."""

    def __init__(self) -> None:
        self._parts: SimpleQueue[tuple[Work, int, int] | None] = SimpleQueue()
        self._ends: SimpleQueue[None] = SimpleQueue()
        # Counted separately from the queues, so that an interrupted wait leaves nothing that a later one could mistake.
        self._given = self._finished = 0
        self._error: BaseException | None = None
        threading.Thread(target=self._run, name="thurn-env step", daemon=True).start()

    def _run(self) -> None:
        while (part := self._parts.get()) is not None:
            work, first, last = part
            try:
                work(first, last)
            except BaseException as error:
                self._error = error
            # A thread that waits for work keeps no batch alive.
            del part, work
            self._finished += 1
            self._ends.put(None)

    def give(self, work: Work, first: int, last: int) -> None:
        self._given += 1
        self._parts.put((work, first, last))

    def wait(self) -> BaseException | None:
        """Wait for the end of the work, also when interrupted; return the exception that it raised."""
        interruption: BaseException | None = None
        while self._finished != self._given:
            try:
                self._ends.get()
            except KeyboardInterrupt as error:
                interruption = error
        raised, self._error = self._error, None
        return raised or interruption

    def end(self) -> None:
        self._parts.put(None)


class Threads:
    """Divides work among the calling thread and others, which start when they are first needed.

    Copies, pickles and forked children have their own threads. Only one step may run at a time: callers must serialise
    calls from several threads, as for a batch.

    Args:
        count: number of threads, including the calling one.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._helpers: list[_Helper] = []
        self._process = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Threads, (self.count,)

    def share(self, work: Work, size: int, threads: int, lead: float = 0.0) -> None:
        """Do `work` for the indices below `size`, in one part for each of up to `threads` threads.

        Args:
            work: function to call for every part.
            size: number of indices.
            threads: number of threads.
            lead: share of the whole work that the calling thread does before another one has begun. Its part is larger
                by as much, so that it finishes last and need not be woken up.

        Raises:
            BaseException: the exception that a part raised, after all parts have ended.
        """
        parts = min(threads, size // LEAST_WORK)
        if parts < 2:
            work(0, size)
            return
        first = lead + (1.0 - lead) / parts
        ends = [0, *(round(size * (first + (1.0 - first) * part / (parts - 1))) for part in range(parts))]
        helpers = self._started()[: parts - 1]
        for helper, first, last in zip(helpers, ends[1:], ends[2:], strict=False):
            helper.give(work, first, last)
        try:
            work(0, ends[1])
        finally:
            errors = [helper.wait() for helper in helpers]
        for error in errors:
            if error is not None:
                raise error

    def _started(self) -> list[_Helper]:
        """Return the other threads of this process; after a fork, new ones."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._helpers = [_Helper() for _ in range(self.count - 1)]
            weakref.finalize(self, _end, self._helpers, self._process)
        return self._helpers


def _end(helpers: list[_Helper], process: int) -> None:
    if process == os.getpid():
        for helper in helpers:
            helper.end()
