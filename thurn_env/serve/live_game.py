"""A game on the server: its agents move in threads, its people by requests.

Everything here runs in the event loop, except work in threads, which gets copies. All output comes from the view of one
seat, or shows only what is public.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from thurn_env.checks import whole
from thurn_env.errors import IllegalAction, sentence
from thurn_env.players.advice import ADVISER, Advice
from thurn_env.players.agent import Agent, ScriptedAgent, agent_seed, make_agent
from thurn_env.players.match import chosen
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.session import Session
from thurn_env.serve.advising import advice
from thurn_env.serve.clock import Clock
from thurn_env.serve.dismissal import dismiss
from thurn_env.serve.endings import end_for_page
from thurn_env.serve.equipment import Equipment, note_of
from thurn_env.serve.keeper import Keeper
from thurn_env.serve.live_review import NOT_READY, LiveReview
from thurn_env.serve.presence import Presence
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.seat import Seat
from thurn_env.serve.turns import turn_for_page
from thurn_env.serve.viewpoint import NOBODY, Viewpoint
from thurn_env.serve.waiting import Waiting
from thurn_env.serve.workers import Workers
from thurn_env.show.film import Drawings
from thurn_env.show.page import unique_names
from thurn_env.table.game import Game

HINT_PATIENCE = 2.0
"""Seconds that a request for a hint waits for a compiler."""
LEFT, FAILED = "left", "failed"
"""Reasons why a bot plays in place of the owner of a seat."""


class LiveGame:
    """A game and its presentation.

    Args:
        session: the game; it may have begun.
        seats: the seats; a bot that plays for an owner is noted in them.
        workers: threads for the work.
        stand_in: spec of the scripted bot that plays in place of people who left or are late, and of failed agents.
        adviser: spec of the agent for hints and reviews; None for the default.
        clock: seconds for a person's decision, after which the stand-in takes it; None for no limit.
        patience: seconds for a decision of an agent that is not scripted, after which the stand-in replaces the agent.
        hints: whether people may ask for hints and undo decisions.
        keeper: keeps the game on disk; None if it is not kept.
        past: all earlier positions of a game that is resumed.
        sandbox: sandbox for an adviser that is a program of its own; None for none.
        waiting: what the table's agents wait for; None if they need nothing more.
        equipment: what the adviser needs; None if it needs nothing more.
    """

    def __init__(
        self,
        session: Session,
        seats: Sequence[Seat],
        workers: Workers,
        stand_in: str,
        adviser: str | None = None,
        *,
        clock: float | None = None,
        patience: float | None = None,
        hints: bool = True,
        keeper: Keeper | None = None,
        past: Sequence[Game] = (),
        sandbox: Sandbox | None = None,
        waiting: Waiting | None = None,
        equipment: Equipment | None = None,
    ) -> None:
        self.session, self.seats = session, seats
        self.names = unique_names([seat.title for seat in seats])
        self.problem = ""
        self._workers, self._stand_in, self._adviser, self._sandbox = workers, stand_in, adviser or ADVISER, sandbox
        self._clock, self._patience, self._hints, self._keeper = Clock(clock), patience, hints, keeper
        self._waiting, self._equipment = waiting, equipment
        self._games = [*past, session.game]
        self._drawings = Drawings()
        self._viewpoints: dict[int, Viewpoint] = {}
        # A resumed game does not know how many moves were undone before.
        self._life = secrets.token_hex(3) if past else ""
        self._undone = 0
        self._stirred = 0
        self._presence = Presence(len(seats))
        self._changed = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._late: asyncio.Task[None] | None = None
        self._hint: tuple[str, asyncio.Task[Advice]] | None = None
        self._review: LiveReview | None = None
        for place, seat in enumerate(seats):
            if seat.stand_in:
                session.hand_over(place, make_agent(seat.stand_in, session.game.rules.bots))

    @property
    def played(self) -> int:
        """Number of moves played; every request that changes something has to name it."""
        return len(self._games) - 1

    def greet(self, seat: int) -> None:
        """Note that the person at a seat, `NOBODY` for spectators, has sent a request."""
        if seat != NOBODY:
            self._presence.note(seat)

    def viewpoint(self, seat: int) -> Viewpoint:
        """Return what a seat sees, or spectators for `NOBODY`."""
        if seat not in self._viewpoints:
            self._viewpoints[seat] = Viewpoint(seat, self.names, self._games, self._drawings)
        return self._viewpoints[seat]

    def _play(self, action: str | int) -> None:
        self.session.play(action)
        self._games.append(self.session.game)
        if self._keeper is not None:
            self._keeper.played(self.session.game)
        self.wake()

    def wake(self) -> None:
        """Wake requests that wait for news."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _stir(self) -> None:
        """Tell everybody about a change that is no move."""
        self._stirred += 1
        self.wake()

    # Agents

    def let_agents_play(self) -> None:
        """Start to play agents' moves and forced ones until a person has to choose; do not wait for it."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._let_agents_play())

    async def _let_agents_play(self) -> None:
        session = self.session
        while not session.game.over and not session.waiting:
            game, seat = session.game, session.game.seat
            agent = session.agents[seat]
            simple = isinstance(agent, ScriptedAgent) or len(game.legal_actions) == 1
            try:
                # A bot of this package answers, however busy the machine is, and there is nobody to replace it.
                async with asyncio.timeout(None if simple else self._patience):
                    action = await (self._workers.quick if simple else self._workers.work)(session.answer)
            except Exception:  # an agent may fail in any way; other games continue
                if session.agents[seat] is agent and not self._replace(seat):
                    return
                continue
            # The owner may have returned meanwhile.
            if session.game is game and session.agents[seat] is agent:
                self._play(action)
        self._start_clock()
        if session.game.over:
            with suppress(Exception):  # the game is over, whatever an agent does now
                await self._workers.work(lambda: session.finish(self.players()))

    def _replace(self, seat: int) -> bool:
        """Replace an agent that failed by the stand-in; return whether there is a better one."""
        # Do not show the reason to people: it may name cards in the agent's hand.
        logging.getLogger(__name__).exception("agent %s failed", self.names[seat])
        if self.seats[seat].stand_in or self.seats[seat].agent == self._stand_in:
            self.fail(f"{self.names[seat]} failed, so the game cannot continue.")
            return False
        dismiss(self.session.agents[seat])
        self._help(seat, FAILED)
        return True

    def _help(self, seat: int, reason: str) -> None:
        """Let the stand-in play for a seat from now on."""
        self.seats[seat].help(self._stand_in, reason)
        self.session.hand_over(seat, self._new_stand_in())
        self._keep_seats()
        self._stir()

    def _new_stand_in(self) -> Agent:
        return make_agent(self._stand_in, self.session.game.rules.bots)

    def _keep_seats(self) -> None:
        if self._keeper is not None:
            self._keeper.seated()

    def players(self) -> list[str]:
        """Return who played, by seat, for the record."""
        return [seat.played_by for seat in self.seats]

    def fail(self, problem: str) -> None:
        """Report why the game cannot continue."""
        self.problem = problem
        if self._keeper is not None:
            self._keeper.failed()
        self._stir()

    # The clock

    def _start_clock(self) -> None:
        """Start the clock if a person has to choose; it goes on if the person had to choose before."""
        self._clock.stop()
        if self.session.waiting:
            self._clock.start(self.session.game, partial(self._ring, self.session.game))

    def _ring(self, game: Game) -> None:
        """Let the stand-in take a late decision."""
        self._late = asyncio.create_task(self._decide(game))

    async def _decide(self, game: Game) -> None:
        stand_in, seat = self._new_stand_in(), game.seat

        def act() -> int:
            stand_in.reset(seat, game.rules, agent_seed(game.seed, seat))
            return chosen(game, stand_in)

        action = await self._workers.quick(act)
        if self.session.game is game and self.session.waiting:
            self.seats[seat].help(self._stand_in)
            self._keep_seats()
            self._play(action)
            self.let_agents_play()

    # Actions of people

    def _check(self, seat: int, number: Any) -> None:
        """Raise `Refusal` unless the person at a seat has to choose after exactly `number` moves."""
        if whole(number) is None:
            raise Refusal(400, "Field 'move' (int) is required: the number of moves played so far.")
        if seat == NOBODY:
            raise Refusal(403, "This link is for watching only.")
        if self.session.game.over:
            raise Refusal(409, "The game is over.")
        if number != self.played:
            raise Refusal(409, f"Field 'move' is {number}, but {self.played} moves have been played.")
        if not self.session.waiting or self.session.game.seat != seat:
            raise Refusal(409, "It is not your turn.")

    def play(self, seat: int, number: Any, action: Any) -> None:
        """Play an action of a person.

        Args:
            seat: the person's seat.
            number: number of moves played before.
            action: the action.

        Raises:
            Refusal: it is not the person's turn, the number of moves is wrong, or the action is not legal.
        """
        self._check(seat, number)
        if not isinstance(action, str):
            raise Refusal(400, "Field 'action' (str) is required: the action to play.")
        try:
            self._play(action)
        except IllegalAction as error:
            raise Refusal(422, sentence(error)) from None
        self._go_on()

    def _go_on(self) -> None:
        """Start the next person's clock, or the agents."""
        if self.session.waiting:
            self._start_clock()
        else:
            self._clock.stop()
            self.let_agents_play()

    def _undo_problem(self) -> str:
        if not self._hints:
            return "at this table, decisions cannot be undone"
        # With a clock, playing and undoing would buy time.
        return (
            "with a clock, decisions cannot be undone"
            if self._clock.seconds is not None
            else self.session.undo_problem()
        )

    def undo(self, seat: int, number: Any) -> None:
        """Undo a person's last decision; raise `Refusal` as `play` does, or if it cannot be undone."""
        self._check(seat, number)
        if problem := self._undo_problem():
            raise Refusal(409, f"{problem.capitalize()}.")
        self.session.undo()
        del self._games[len(self.session.game.moves) + 1 :]
        for viewpoint in self._viewpoints.values():
            viewpoint.forget(len(self._games))
        self._undone += 1
        if self._keeper is not None:
            self._keeper.undone(self.session.game)
        self.wake()

    async def hint(self, seat: int, number: Any) -> Advice:
        """Return the adviser's advice, computed once per position.

        Raises:
            Refusal: as by `play`; there are no hints at this table; or what the adviser needs is still being compiled.
        """
        self._check(seat, number)
        if not self._hints:
            raise Refusal(409, "There are no hints at this table.")
        if self._equipment is not None:
            await self._equipment.ready(HINT_PATIENCE)
            self._check(seat, number)
        position = f"{self.played}.{self._branch}"
        if self._hint is None or self._hint[0] != position:
            work = advice(self.session.game.view(), self._adviser, self._sandbox, self._workers.work)
            self._hint = position, asyncio.create_task(work)
        return await asyncio.shield(self._hint[1])

    def leave(self, seat: int) -> None:
        """Let the stand-in play for a person who leaves; raise `Refusal` if that is not possible."""
        if self.session.game.over:
            raise Refusal(409, "The game is over.")
        if self.seats[seat].stand_in:
            raise Refusal(409, "You have left already.")
        self._help(seat, LEFT)
        self._go_on()

    def excuse(self, seat: int, other: Any) -> None:
        """Let the stand-in play for another person who is absent; raise `Refusal` if that is not possible."""
        number = whole(other)
        if number is None or not 0 <= number < len(self.seats) or number == seat or not self._absent(number):
            raise Refusal(409, "Field 'seat' must be the seat of another person who is absent.")
        self.leave(number)

    def _absent(self, seat: int) -> bool:
        """Return whether a person who should play has sent no request for a while."""
        owner = self.seats[seat]
        playing = bool(owner.token) and not owner.stand_in and not self.session.game.over
        return playing and self._presence.is_over(seat)

    def come_back(self, seat: int) -> None:
        """Give a seat back to a person who left; raise `Refusal` if the person did not leave."""
        if not self.seats[seat].stand_in:
            raise Refusal(409, "You sit at the table already.")
        self.seats[seat].take_back()
        self.session.hand_over(seat, None)
        self._keep_seats()
        self._start_clock()
        self._stir()

    # State for the page

    @property
    def moment(self) -> str:
        """Id of the position and of the seats for `news`, unique even after undos."""
        return f"{self.played}.{self._branch}.{self._stirred}"

    @property
    def _branch(self) -> str:
        """Id of the course of the game, which changes when a decision is undone."""
        return f"{self._life}{self._undone}"

    async def news(self, seat: int, since: str | None, seconds: float) -> dict[str, Any]:
        """Return the changes since a moment, waiting for some if there are none; the whole position for None.

        Args:
            seat: the viewer's seat; `NOBODY` for spectators.
            since: `moment` of the last known position.
            seconds: timeout in seconds.
        """
        if since == self.moment and not self.session.game.over and not self.problem:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return self.state(seat, since)

    def state(self, seat: int, since: str | None = None) -> dict[str, Any]:
        """Return a seat's view as JSON: all positions since a moment, and the possible actions."""
        viewpoint, known = self.viewpoint(seat), self._known(since)
        steps: list[tuple[int, int | None]] = [(self.played, None)]
        if known is not None:
            steps = [(position, position - 1) for position in range(known + 1, self.played + 1)]
        game, first = self.session.game, known or 0
        return {
            "moment": self.moment,
            "move": self.played,
            "seat": None if seat == NOBODY else seat,
            "to_move": game.seat,
            "first": first,
            "moves": [viewpoint.move(position) for position in range(first + 1, self.played + 1)],
            "frames": [viewpoint.frame(position, before) for position, before in steps],
            "turn": self._turn(seat),
            "seats": [owner.for_page() | {"absent": self._absent(place)} for place, owner in enumerate(self.seats)],
            "clock": self._clock.left() if self.session.waiting else None,
            "over": game.over,
            "end": end_for_page(self._games, self.names) if game.over else None,
            "problem": self.problem,
            "note": note_of(self._waiting),
        }

    def _known(self, since: str | None) -> int | None:
        """Return the number of moves at a moment; None if it was undone or never existed."""
        moves, _, rest = (since or "").partition(".")
        known = int(moves) if moves.isascii() and moves.isdecimal() and len(moves) < 9 else None
        branch = rest.partition(".")[0]
        return known if known is not None and branch == self._branch and known <= self.played else None

    def _turn(self, seat: int) -> dict[str, Any] | None:
        """Return the possible actions of the person at a seat; None if it is not the person's turn."""
        if not self.session.waiting or self.session.game.seat != seat:
            return None
        undo = self._undo_problem() == ""
        return turn_for_page(self._games, seat, self.viewpoint(seat).picture()) | {"undo": undo, "hint": self._hints}

    # After the game

    def record_text(self) -> str:
        """Return the record, which shows all cards; raise `Refusal` before the game is over."""
        if not self.session.game.over:
            raise Refusal(409, "The record shows all cards, so it is available only after the game is over.")
        return self.session.game.record(self.players()).to_json() + "\n"

    def begin_review(self) -> LiveReview:
        """Return the review, and start it if necessary; raise `Refusal` before the game is over."""
        if not self.session.game.over:
            raise Refusal(409, "The review shows all cards, so it is available only after the game is over.")
        if self._review is None:
            # With the names of the page, not those of the record, such as `human:Ann`.
            record = self.session.game.record(self.names)
            self._review = LiveReview(record, self._adviser, self._sandbox, self._workers.slow, self._equipment)
        return self._review

    def review(self) -> LiveReview:
        """Return the review; raise `Refusal` if nobody has started it."""
        if self._review is None:
            raise Refusal(409, NOT_READY)
        return self._review

    def close(self) -> None:
        """Stop all work for the game, which is deleted."""
        self._clock.stop()
        for task in (self._running, self._late, self._hint and self._hint[1]):
            if task is not None:
                task.cancel()
        if self._review is not None:
            self._review.close()
        for agent in self.session.agents:
            dismiss(agent)
        self.wake()
