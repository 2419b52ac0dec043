"""A game on the server: its agents move in threads, its person by requests.

Everything here runs in the event loop, except work in threads, which gets copies. All output comes from the view of one
seat: the person's or, if only agents play, the first one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from thurn_env.checks import whole
from thurn_env.drawing.picture import Picture
from thurn_env.errors import IllegalAction, ThurnError
from thurn_env.players.advice import Advice, Adviser
from thurn_env.players.session import Session
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.targets import targets_svg
from thurn_env.show.film import Drawings, Film, shown
from thurn_env.show.page import replay_page, unique_names

Result = TypeVar("Result")


class Threads(Protocol):
    """Protocol of a runner of functions in threads."""

    def __call__(self, function: Callable[[], Result], /) -> Awaitable[Result]:
        """Run the function and return its result."""


class Closed(Exception):
    """The game was deleted, so the result of this work is not needed."""


class LiveGame:
    """A game and its presentation.

    Args:
        session: the game.
        names: names of the players by seat.
        work: threads for urgent work: agents and hints.
        slow_work: threads for reviews, which may wait.
        adviser: spec of the agent for hints and reviews; None for the default.
    """

    def __init__(
        self, session: Session, names: Sequence[str], work: Threads, slow_work: Threads, adviser: str | None = None
    ) -> None:
        self.session = session
        self.agents = list(names)
        self.names = unique_names(names)
        self.seat = session.agents.index(None) if None in session.agents else 0
        self.closed = False
        self.problem = ""
        self.reviewed = 0
        self.review_page: str | None = None
        self._work, self._slow_work, self._adviser = work, slow_work, adviser
        self._film = Film(Drawings())
        self._labels: list[str] = []
        self._moves: list[dict[str, Any]] = []
        self._undone = 0
        self._changed = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._hint: tuple[str, asyncio.Task[Advice]] | None = None
        self._review: asyncio.Task[None] | None = None
        self.picture = self._show()

    @property
    def played(self) -> int:
        """Number of moves played; every request that changes something has to name it."""
        return len(self._moves)

    def _show(self) -> Picture:
        """Draw the position as the seat sees it."""
        picture = self.session.game.view(self.seat).picture(self.names)
        self._film.add(picture)
        self._labels.append(picture.label)
        return picture

    def _play(self, action: str | int) -> None:
        before = self.session.game
        self.session.play(action)
        move = before.rules.told(self.session.game.moves[-1], before.seat, self.seat)
        self._moves.append({"seat": before.seat, "round": before.rounds + 1, "move": move})
        self.picture = self._show()
        self._notify()

    def _notify(self) -> None:
        """Wake requests that wait for news."""
        self._changed.set()
        self._changed = asyncio.Event()

    # Agents

    def let_agents_play(self) -> None:
        """Start to play agents' moves and forced ones until a person has to choose; do not wait for it."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._let_agents_play())

    async def _let_agents_play(self) -> None:
        session = self.session
        while not session.game.over and not session.waiting:
            try:
                self._play(await self._work(session.answer))
            except Exception:  # an agent may fail in any way; other games continue
                # Do not show the reason to the person: it may name cards in the agent's hand.
                name = self.names[session.game.seat]
                logging.getLogger(__name__).exception("agent %s failed", name)
                self.problem = f"{name} failed, so the game cannot continue."
                self._notify()
                return
        if session.game.over:
            with suppress(Exception):  # the game is over, whatever an agent does now
                await self._work(lambda: session.finish(self.agents))

    def fail(self, problem: str) -> None:
        """Report why the game cannot continue."""
        self.problem = problem
        self._notify()

    # Actions of the person

    def _check(self, number: Any) -> None:
        """Raise `Refusal` unless the person has to choose after exactly `number` moves."""
        if whole(number) is None:
            raise Refusal(400, "Field 'move' (int) is required: the number of moves played so far.")
        if self.session.game.over:
            raise Refusal(409, "The game is over.")
        if number != self.played:
            raise Refusal(409, f"Field 'move' is {number}, but {self.played} moves have been played.")
        if not self.session.waiting:
            raise Refusal(409, "It is not your turn.")

    def play(self, number: Any, action: Any) -> None:
        """Play an action of the person.

        Args:
            number: number of moves played before.
            action: the action.

        Raises:
            Refusal: it is not the person's turn, the number of moves is wrong, or the action is not legal.
        """
        self._check(number)
        if not isinstance(action, str):
            raise Refusal(400, "Field 'action' (str) is required: the action to play.")
        try:
            self._play(action)
        except IllegalAction as error:
            raise Refusal(422, f"{error}.") from None
        self.let_agents_play()

    def undo(self, number: Any) -> None:
        """Undo the person's last decision; raise `Refusal` as `play` does, or if it cannot be undone."""
        self._check(number)
        try:
            self.session.undo()
        except ThurnError as error:
            raise Refusal(409, f"{str(error).capitalize()}.") from None
        moves = len(self.session.game.moves) - len(self._moves)
        for history in (self._moves, self._film.positions, self._labels):
            del history[moves:]
        self.picture = self.session.game.view(self.seat).picture(self.names)
        self._undone += 1
        self._notify()

    async def hint(self, number: Any) -> Advice:
        """Return the adviser's advice, computed once per position; raise `Refusal` as `play` does."""
        self._check(number)
        if self._hint is None or self._hint[0] != self.moment:
            view = self.session.game.view()
            rules, spec = view.game.rules, self._adviser
            task = asyncio.create_task(_awaited(self._work(lambda: Adviser(rules, spec).advise(view))))
            self._hint = self.moment, task
        return await asyncio.shield(self._hint[1])

    # State for the page

    @property
    def moment(self) -> str:
        """Id of the position for `news`, unique even after undos."""
        return f"{self.played}.{self._undone}"

    async def news(self, since: str | None, seconds: float) -> dict[str, Any]:
        """Return the changes since a moment, waiting for some if there are none; the whole position for None.

        Args:
            since: `moment` of the last known position.
            seconds: timeout in seconds.
        """
        if since == self.moment and not self.session.game.over and not self.problem:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return self.state(since)

    def state(self, since: str | None = None) -> dict[str, Any]:
        """Return the seat's view as JSON: all positions since a moment, and the possible actions."""
        known = self._known(since)
        steps: list[tuple[int, int | None]] = [(self.played, None)]
        if known is not None:
            steps = [(position, position - 1) for position in range(known + 1, self.played + 1)]
        game, first = self.session.game, known or 0
        return {
            "moment": self.moment,
            "move": self.played,
            "seat": self.seat if None in self.session.agents else None,
            "to_move": game.seat,
            "first": first,
            "moves": self._moves[first:],
            "frames": [
                {
                    "position": position,
                    "label": self._labels[position],
                    "changes": [
                        [layer, self._film.drawings.texts[drawing]]
                        for layer, drawing in self._film.changes(position, before)
                    ],
                }
                for position, before in steps
            ],
            "turn": self._turn(),
            "over": game.over,
            "problem": self.problem,
        }

    def _known(self, since: str | None) -> int | None:
        """Return the number of moves at a moment; None if it was undone or never existed."""
        moves, _, undone = (since or "").partition(".")
        known = int(moves) if moves.isascii() and moves.isdecimal() and len(moves) < 9 else None
        return known if known is not None and undone == str(self._undone) and known <= self.played else None

    def _turn(self) -> dict[str, Any] | None:
        """Return the person's possible actions; None if it is not the person's turn."""
        if not self.session.waiting:
            return None
        legal = list(self.session.game.legal)
        return {
            "legal": legal,
            "targets": {block.name: targets_svg(block, legal) for block in shown(self.picture)},
            "undo": self.session.undo_problem() == "",
        }

    # After the game

    def record_text(self) -> str:
        """Return the record, which shows all cards; raise `Refusal` before the game is over."""
        if not self.session.game.over:
            raise Refusal(409, "The record shows all cards, so it is available only after the game is over.")
        return self.session.game.record(self.agents).to_json() + "\n"

    def review(self) -> dict[str, Any]:
        """Start the review if necessary, and return its progress; raise `Refusal` before the game is over."""
        if not self.session.game.over:
            raise Refusal(409, "The review shows all cards, so it is available only after the game is over.")
        if self._review is None:
            self._review = asyncio.create_task(self._make_review())
        if self._review.done() and (error := self._review.exception()):
            raise Refusal(500, f"The review failed: {error}.")
        return {"done": self.reviewed, "of": self.played, "ready": self.review_page is not None}

    async def _make_review(self) -> None:
        record, spec = self.session.game.record(self.agents), self._adviser

        def on_move() -> None:
            if self.closed:
                raise Closed
            self.reviewed += 1

        def page() -> str:
            adviser = Adviser(record.rules, spec)
            advice = adviser.review(record, on_move)
            return replay_page(record, f"reviewed by {adviser.agent.name}", advice=advice)

        self.review_page = await self._slow_work(page)

    def close(self) -> None:
        """Stop all work for the game, which is deleted."""
        self.closed = True
        for task in (self._running, self._hint and self._hint[1], self._review):
            if task is not None:
                task.cancel()
        self._notify()


async def _awaited(work: Awaitable[Result]) -> Result:
    return await work
