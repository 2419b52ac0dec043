"""What tables need beside their board, and what somebody waits for meanwhile.

The kernels of an adviser are compiled by a separate process when somebody first asks for advice.
"""

from __future__ import annotations

import asyncio

from thurn_env.serve.menu import Order
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.waiting import Compiling, Waiting, stages_for


def note_of(waiting: Waiting | None) -> str:
    """Return what is still being compiled, as a sentence; empty if nothing is."""
    return waiting.note if waiting is not None and waiting.left else ""


class Equipment:
    """The kernels of the adviser of a table.

    Args:
        compiling: compiler processes.
        order: the table.
        adviser: spec of the adviser.
    """

    def __init__(self, compiling: Compiling, order: Order, adviser: str) -> None:
        self._compiling, self._order = compiling, order
        self._stages = stages_for([adviser], order.rules)
        self._waiting: Waiting | None = None

    @property
    def note(self) -> str:
        """What somebody waits for, as a sentence; empty if nobody does."""
        return note_of(self._waiting)

    async def ready(self, seconds: float | None = None) -> None:
        """Wait until everything is compiled.

        Args:
            seconds: how long to wait; None for no limit. Compiling goes on after that.

        Raises:
            Refusal: it takes longer, with the note; or a stage cannot be compiled.
        """
        if all(self._order.compiled.prepared(stage) for stage in self._stages):
            return
        if self._waiting is None:
            self._waiting = Waiting(self._order, self._stages)
        try:
            async with asyncio.timeout(seconds):
                await self._compiling.ready(self._order, self._stages)
        except TimeoutError:
            raise Refusal(503, self._waiting.note) from None
