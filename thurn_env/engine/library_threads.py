"""Number of threads of the libraries behind NumPy and torch.

These libraries start one thread per core. Small matrix products, such as a forward pass for one position, gain nothing
from that, and slow down by orders of magnitude when another process keeps one of the cores busy: all threads then wait
for the one without a core. Processes that run side by side therefore use one thread each.
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
"""Environment variables by which users set the number of threads. If one of them is set, nothing is changed."""

FALLBACKS = ("OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables to set: most libraries read the first one, Apple's reads the second one."""


def _chosen() -> bool:
    """Return whether the user has set the number of threads."""
    return any(name in os.environ for name in VARIABLES)


def limit_threads(number: int) -> None:
    """Limit the loaded libraries to `number` threads, unless the environment sets their number."""
    if not _chosen():
        threadpool_limits(number)


def limit_process() -> None:
    """Limit this process to one thread for each library, unless the environment sets their number.

    For processes that run side by side. The limit also holds for libraries loaded later, and for child processes.
    """
    if not _chosen():
        threadpool_limits(1)
        os.environ.update(dict.fromkeys(FALLBACKS, "1"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Apply `limit_process` while the context is open.

    Libraries loaded before get their threads back afterwards; those loaded within the context keep one thread.
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
