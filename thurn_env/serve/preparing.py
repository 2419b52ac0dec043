"""From a started table to its game: kernels are compiled, agents tried once, and cards dealt."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from thurn_env.errors import ThurnError, sentence
from thurn_env.players.advice import ADVISER
from thurn_env.players.agent import Agent
from thurn_env.players.session import HUMAN, Session
from thurn_env.serve.answers import FAILED
from thurn_env.serve.dismissal import dismiss
from thurn_env.serve.equipment import Equipment
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Order
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.table import Table
from thurn_env.serve.waiting import Compiling, Waiting, stages_for
from thurn_env.serve.workers import Workers, threads
from thurn_env.table.game import Game
from thurn_env.tournament.referee import START_SECONDS

Result = TypeVar("Result")

QUICK_THREADS, THREADS, SLOW_THREADS = 4, 32, 2
"""Numbers of threads: for scripted bots; for other agents and hints; for reviews."""


class Preparation:
    """Prepares the games of all tables.

    Args:
        adviser: spec of the agent for hints and reviews; None for the default.
        patience: seconds for a decision of an agent; None for no limit.
    """

    def __init__(self, adviser: str | None = None, patience: float | None = None) -> None:
        self._adviser, self._patience = adviser or ADVISER, patience
        self._compiling = Compiling()
        self._workers = Workers(threads(QUICK_THREADS), threads(THREADS), threads(SLOW_THREADS))

    def ready(self, order: Order) -> bool:
        """Return whether all that a table needs is compiled."""
        return all(order.compiled.prepared(stage) for stage in _stages(order))

    def warm(self, table: Table) -> None:
        """Begin to compile what a table needs once it is started."""

        async def compiled() -> None:
            with suppress(Refusal):  # the start reports it
                await self._compiling.ready(table.order, _stages(table.order))

        table.warming = asyncio.create_task(compiled())

    def launch(self, table: Table) -> Waiting:
        """Begin to prepare the game of a table that has been started."""
        table.waiting = Waiting(table.order, _stages(table.order))
        table.waiting.task = asyncio.create_task(self._prepare(table, table.waiting))
        return table.waiting

    async def close(self) -> None:
        """End all compilers."""
        await self._compiling.close()

    async def try_agents(self, order: Order) -> None:
        """Let the agents of a table choose once.

        Raises:
            Refusal: one does not play this game, or does not answer.
        """
        made: list[Agent] = []
        # A bot of this package answers, however busy the machine is.
        simple = {HUMAN, *order.rules.bots}.issuperset(order.specs)
        limit = None if simple or self._patience is None else max(self._patience, START_SECONDS)
        try:
            async with asyncio.timeout(limit) as timer:
                await self._done(lambda: order.try_agents(made))
        except TimeoutError:
            if not timer.expired():  # an agent raised it
                raise
            raise Refusal(400, f"An agent of this table did not choose within {limit:g} s.") from None
        finally:
            for agent in made:
                dismiss(agent)

    async def _prepare(self, table: Table, waiting: Waiting) -> None:
        """Compile what is missing, show the board as soon as possible, then start the game."""
        order = waiting.order
        every = [*waiting.stages, *stages_for([self._adviser], waiting.order.rules)]
        compiled = self.ready(order)
        try:
            if not compiled:
                await self._compiling.ready(order, ["game"], every)
            table.game = await self._begin(table)
            waiting.over.set()
            if not compiled:
                await self._compiling.ready(order, waiting.stages, every)
                await self.try_agents(order)
            table.game.let_agents_play()
        except Exception as error:  # an agent may fail in any way; other tables continue
            if not isinstance(error, Refusal):
                logging.getLogger(__name__).exception("table %s failed", table.name)
            waiting.refusal = error if isinstance(error, Refusal) else Refusal(500, FAILED)
            waiting.over.set()
            if table.game is not None:
                table.game.fail(waiting.refusal.message)
            else:
                table.failed()

    async def _begin(self, table: Table) -> LiveGame:
        """Deal, and play the moves of a game that is resumed."""

        def replayed() -> tuple[Session, list[Game]]:
            session, past = table.order.session(), []
            for move in table.moves:
                past.append(session.game)
                session.play(move)
            return session, past

        session, past = await self._done(replayed)
        return LiveGame(
            session,
            table.seats,
            self._workers,
            table.order.stand_in,
            self._adviser,
            clock=table.clock,
            patience=self._patience,
            hints=table.hints,
            keeper=table,
            past=past,
            sandbox=table.order.sandbox,
            waiting=table.waiting,
            equipment=Equipment(self._compiling, table.order, self._adviser),
        )

    async def _done(self, function: Callable[[], Result]) -> Result:
        """Run a function in a thread; raise `Refusal` if an agent does not play this game."""
        try:
            return await self._workers.work(function)
        except ThurnError as error:
            raise Refusal(400, sentence(error)) from None


def _stages(order: Order) -> tuple[str, ...]:
    """Return the stages that a table needs, including those of its stand-in."""
    return stages_for([*order.specs, order.stand_in], order.rules)
