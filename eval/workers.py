"""Several processes that work on a row of tasks, with the results in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from thurn_env.errors import ThurnError

Result = TypeVar("Result")

AHEAD = 3
"""Tasks handed out for every process: enough to keep all busy, few to lose when the work is stopped."""


def in_order(
    function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Generator[Result, None, None]:
    """`function(*task)` for every task, in order.

    With one job everything happens in this process. When the iterator is closed, or an exception passes through it, the
    processes are stopped at once.
    """
    if jobs <= 1:
        yield from (function(*task) for task in tasks)
        return
    others = set(multiprocessing.active_children())
    waiting = iter(tasks)
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_ignore_interrupt)
    futures: deque[Future[Result]] = deque()
    finished = False
    try:
        # Ctrl-C is for this process alone. A process that starts while it is ignored ignores it too.
        with _interrupt_ignored():
            futures.extend(pool.submit(function, *task) for task in islice(waiting, jobs * AHEAD))
        while futures:
            result = futures.popleft().result()
            futures.extend(pool.submit(function, *task) for task in islice(waiting, 1))
            yield result
        finished = True
    except BrokenProcessPool:
        raise ThurnError("a worker process was killed from outside; out of memory? Try fewer --jobs") from None
    finally:
        with _interrupt_ignored():
            if not finished:
                for process in set(multiprocessing.active_children()) - others:
                    process.terminate()
            pool.shutdown(cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupt_ignored() -> Iterator[None]:
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread, which is the only one that gets signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
