"""How many threads the libraries behind NumPy and torch may use.

These libraries start one thread for every core. Products of small matrices, such as a policy's for one position, gain
nothing by that, and they become slower by orders of magnitude when another process keeps one of the cores busy: all
threads then wait for the one that has no core. Processes that work side by side therefore take one thread each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""Environment variables by which a user chooses the number of threads. If one of them is set, nothing is changed."""

FALLBACKS = ("OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""The variables that are enough to set: the libraries read the first one, Apple's reads the second one."""


def _chosen() -> bool:
    """Whether the user has chosen the number of threads."""
    return any(name in os.environ for name in VARIABLES)


def limit_threads(number: int) -> None:
    """Limit the libraries that are loaded to `number` threads, unless the environment sets their number."""
    if not _chosen():
        threadpool_limits(number)


def limit_process() -> None:
    """Limit this process to one thread for each library, unless the environment sets their number.

    For processes that work side by side. The limit also holds for libraries that are loaded later, and for processes
    that this one starts.
    """
    if not _chosen():
        threadpool_limits(1)
        os.environ.update(dict.fromkeys(FALLBACKS, "1"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Do what `limit_process` does, while the context is open.

    Libraries that are loaded before have their threads back afterwards; those loaded in the meantime keep to one.
    """
    if _chosen():
        yield
        return
    with threadpool_limits(1):
        os.environ.update(dict.fromkeys(FALLBACKS, "1"))
        try:
            yield
        finally:
            for name in FALLBACKS:
                os.environ.pop(name, None)
