"""Threads that share the lanes of a step.

Kernels release Python's global lock while they run, so Python threads can step lanes of a batch at the same time. How
they divide a step is described in `thurn_env.engine.sharing`.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from thurn_env.engine.kernels import JIT_DISABLED
from thurn_env.engine.sharing import Share, new_fields

Step = Callable[[Share], None]
"""Calls a kernel that steps lanes, with these fields."""

CHUNK = 64
"""Number of lanes that a thread takes at once; a smaller step is over before another thread has begun."""


class _Helper:
    """A thread beside the calling one, which sleeps after a pause between two steps."""

    def __init__(self) -> None:
        self._steps: SimpleQueue[tuple[Step, Share] | None] = SimpleQueue()
        self._asleep = True
        self.error: BaseException | None = None
        threading.Thread(target=self._run, name="thurn-env step", daemon=True).start()

    def _run(self) -> None:
        while (given := self._steps.get()) is not None:
            step, share = given
            try:
                step(share)
            except BaseException as error:
                self.error = error
            # A thread that sleeps keeps no batch alive.
            del given, step, share
            self._asleep = True

    def wake(self, step: Step, share: Share) -> None:
        """Let the thread take part in steps, unless it already waits for the next one."""
        if self._asleep:
            self._asleep = False
            self._steps.put((step, share))

    def end(self) -> None:
        self._steps.put(None)


class Threads:
    """Divides steps among the calling thread and others, which start when they are first needed.

    Copies, pickles and forked children have their own threads. Only one step may run at a time: callers must serialise
    calls from several threads, as for a batch.

    Args:
        count: number of threads, including the calling one. Without compiled code there is only the calling one.
    """

    def __init__(self, count: int) -> None:
        self.count = 1 if JIT_DISABLED else count
        self._helpers: list[_Helper] = []
        self._process = os.getpid()
        self._fields = new_fields()

    def __reduce__(self) -> tuple[Any, ...]:
        return Threads, (self.count,)

    def share(self, step: Step, size: int, threads: int) -> None:
        """Step `size` lanes with up to `threads` threads.

        Args:
            step: function that calls the kernel; every thread calls it. For a helper it must refer to the same arrays
                in every step.
            size: number of lanes.
            threads: number of threads.

        Raises:
            BaseException: the exception that a call raised, after the step has ended.
        """
        if os.getpid() != self._process:
            # In a forked child there are no other threads, which may have been at work.
            self._process, self._helpers, self._fields = os.getpid(), [], new_fields()
        if min(threads, self.count) < 2 or size <= CHUNK:
            step(Share(self._fields, size, helper=False))
            return
        if not self._helpers:
            self._helpers = [_Helper() for _ in range(self.count - 1)]
            weakref.finalize(self, _end, self._helpers, self._process)
        for helper in self._helpers[: threads - 1]:
            helper.wake(step, Share(self._fields, CHUNK, helper=True))
        step(Share(self._fields, CHUNK, helper=False))
        for helper in self._helpers:
            if (error := helper.error) is not None:
                helper.error = None
                raise error


def _end(helpers: list[_Helper], process: int) -> None:
    if process == os.getpid():
        for helper in helpers:
            helper.end()
