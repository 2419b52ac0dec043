"""Threads of the server, by urgency."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeVar

import anyio
import anyio.to_thread

Result = TypeVar("Result")


class Threads(Protocol):
    """Protocol of a runner of functions in threads."""

    def __call__(self, function: Callable[[], Result], /) -> Awaitable[Result]:
        """Run the function and return its result."""


class Workers(NamedTuple):
    """Threads by urgency, so that slow work never delays quick work.

    Attributes:
        quick: for scripted bots.
        work: for other agents and for hints.
        slow: for reviews, which may wait.
    """

    quick: Threads
    work: Threads
    slow: Threads


def threads(number: int) -> Threads:
    """Return a runner of functions in at most `number` threads."""
    limiter: list[anyio.CapacityLimiter] = []

    async def run(function: Callable[[], Result]) -> Result:
        if not limiter:  # can only be made in an event loop
            limiter.append(anyio.CapacityLimiter(number))
        return await anyio.to_thread.run_sync(function, limiter=limiter[0], abandon_on_cancel=True)

    return run
