"""Tables whose kernels are not compiled yet: a separate process compiles them, so that other games continue."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from thurn_env.games.contract import Searched
from thurn_env.games.stages import STAGES, estimates
from thurn_env.players.agent import is_own
from thurn_env.players.session import HUMAN
from thurn_env.serve.menu import Order
from thurn_env.serve.refusal import Refusal
from thurn_env.table.changed_options import option_words

NICENESS = 10
"""Priority of compilers; the server has 0, and higher numbers get less of the processors."""
LOOK = 0.1
"""Seconds between two checks whether a stage is compiled."""


def stages_for(agents: Sequence[str], rules: Searched) -> tuple[str, ...]:
    """Return the stages that a table with these rules and agents needs, in the order of compilation."""
    players = set(agents) - {HUMAN}
    stages = ["game"]
    if players:
        stages.append("bots")
    if any(is_own(name) for name in players):
        stages.append("search")
    if any(name.startswith("ppo+") for name in players):
        stages.append("guided-search")
    if any(name.startswith("ppo:") for name in players) and rules.ways() is not None:
        stages.append("ways")
    return tuple(stages)


class Waiting:
    """A table that waits for its kernels.

    Args:
        order: the requested table.
        stages: stages that it needs, see `stages_for`.
    """

    def __init__(self, order: Order, stages: Sequence[str]) -> None:
        self.order, self.stages = order, stages
        # One process compiles them, the first with nothing typed.
        self.estimates = estimates(stage for stage in stages if not order.compiled.prepared(stage))
        self.over = asyncio.Event()
        self.refusal: Refusal | None = None
        self.task: asyncio.Task[None] | None = None

    @property
    def left(self) -> list[str]:
        """Stages that are not compiled yet."""
        return [stage for stage in self.estimates if not self.order.compiled.prepared(stage)]

    @property
    def note(self) -> str:
        """The stage that is being prepared, as a sentence."""
        rules, left = self.order.rules, self.left
        what = f"Preparing the {rules.board_name} board for {rules.players} players, which is needed only once"
        if not left:
            return f"{what}."
        about = sum(self.estimates[stage] for stage in left)
        return f"{what}: compiling {STAGES[left[0]].title}, about {about} s left."

    def close(self) -> None:
        """Stop waiting."""
        if self.task is not None:
            self.task.cancel()


class Compiling:
    """Compiler processes, one for all tables with the same rules."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, ...], asyncio.Task[None]] = {}

    async def ready(self, order: Order, stages: Sequence[str], also: Sequence[str] = ()) -> None:
        """Wait until `stages` of a table are compiled; compile them, then `also`, unless a process does so already.

        Raises:
            Refusal: a stage cannot be compiled.
        """
        command = _command(order, list(dict.fromkeys([*stages, *also])))
        while not all(order.compiled.prepared(stage) for stage in stages):
            task = self._running.get(command)
            if task is None:
                task = self._running[command] = asyncio.create_task(_run(command))
            await asyncio.wait([task], timeout=LOOK)
            if task.done():
                # Another table may have waited for the same process, and may have started the next one.
                if self._running.get(command) is task:
                    del self._running[command]
                task.result()

    async def close(self) -> None:
        """End all processes."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _command(order: Order, stages: Sequence[str]) -> tuple[str, ...]:
    rules = order.compiled
    options = option_words(rules)
    table = ["--game", rules.name, "--board", rules.board_name, "--players", str(rules.players)]
    named = ["--option", *options] if options else []
    return (sys.executable, "-m", "thurn_env", "warm", *table, *named, "--stage", *stages)


async def _run(command: Sequence[str]) -> None:
    """Run a command to its end; raise `Refusal` if it fails, and log its last line, which may name files."""
    quiet, kept = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=quiet, stdout=quiet, stderr=kept)
    # Tables where people play come first. Windows has no such priorities, and a server that runs with a lower one may
    # not raise it.
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    try:
        said = (await process.communicate())[1].decode("utf-8", "replace").strip()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    if process.returncode:
        reason = said.splitlines()[-1] if said else "no reason was given"
        logging.getLogger(__name__).error("the kernels cannot be compiled: %s", reason)
        raise Refusal(500, "The kernels cannot be compiled; the terminal of the server shows the reason.")
