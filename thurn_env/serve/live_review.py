"""The review of a finished game on the server, which appears while it is made."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.review import Review, Reviewer
from thurn_env.serve.equipment import Equipment
from thurn_env.serve.public_names import public_name
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.viewpoint import NOBODY
from thurn_env.serve.workers import Threads
from thurn_env.show.page import ReplayPage
from thurn_env.show.review_panel import review_panel
from thurn_env.table.record import Record

NOT_READY = "The review is not ready."


class LiveReview:
    """A review in the making. It begins at once, in a thread.

    Args:
        record: the game, with the names that pages show.
        adviser: spec of the agent that reviews.
        sandbox: sandbox for an adviser that is a program of its own; None for none.
        threads: where the review is made.
        equipment: what the adviser needs; None if it needs nothing more.
    """

    def __init__(
        self,
        record: Record,
        adviser: str,
        sandbox: Sandbox | None,
        threads: Threads,
        equipment: Equipment | None = None,
    ) -> None:
        self._record, self._adviser, self._sandbox, self._threads = record, adviser, sandbox, threads
        self._equipment = equipment
        self._closed = False
        self._known: tuple[Review, ReplayPage] | None = None
        self._making = asyncio.create_task(self._make())

    def progress(self) -> dict[str, Any]:
        """Return the progress; raise `Refusal` if the review failed.

        `ready` says whether the page of the review can be opened; `done` is the number of moves, out of `of`, that the
        first pass has reached; `note` says what is being compiled first, if anything.
        """
        self._check()
        reached = self._known[0].reached if self._known else 0
        note = self._equipment.note if self._equipment is not None else ""
        return {"done": reached, "of": len(self._record.moves), "ready": self._known is not None, "note": note}

    def page(self, seat: int, address: str) -> str:
        """Return the page of the review; raise `Refusal` if it is not drawn yet.

        Args:
            seat: the reader's seat, whose mistakes the page steps through at first; `NOBODY` for those of all players.
            address: address of `news`.
        """
        review, page = self._drawn()
        return page.html(review, "" if review.complete else address, None if seat == NOBODY else seat)

    def news(self) -> dict[str, Any]:
        """Return the contents of the review so far; raise `Refusal` if its page is not drawn yet, or if it failed."""
        self._check()
        review, page = self._drawn()
        return review_panel(review, page.names)

    def close(self) -> None:
        """Stop the work."""
        self._closed = True
        self._making.cancel()

    def _drawn(self) -> tuple[Review, ReplayPage]:
        if self._known is None:
            raise Refusal(409, NOT_READY)
        return self._known

    def _check(self) -> None:
        if self._making.done() and not self._making.cancelled() and self._making.exception():
            raise Refusal(500, "The review failed; the terminal of the server shows the reason.")

    async def _make(self) -> None:
        def make() -> None:
            reviewer = Reviewer(self._record.rules, self._adviser, self._sandbox, name=public_name(self._adviser))
            page = ReplayPage(self._record, f"reviewed by {reviewer.name}")
            for review in reviewer.review(self._record):
                if self._closed:
                    return
                self._known = review, page

        try:
            if self._equipment is not None:
                await self._equipment.ready()
            await self._threads(make)
        except Exception:  # an adviser may fail in any way; its error may name files, or cards
            logging.getLogger(__name__).exception("the review failed")
            raise
