"""Compilation of stages for tables, by processes side by side."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import connection
from typing import NamedTuple

from thurn_env.engine.kernel_cache import PARTS, cache_folder
from thurn_env.engine.kernels import quiet
from thurn_env.errors import ThurnError
from thurn_env.games.contract import GameRules, Rules
from thurn_env.games.stages import STAGES
from thurn_env.tournament.workers import POLL_INTERVAL, Loss, Worker


class Warmed(NamedTuple):
    """A stage that is ready.

    Attributes:
        rules: rules of the game, with board and number of players.
        stage: name of the stage.
        seconds: compile time; 0 if it was on disk.
    """

    rules: GameRules
    stage: str
    seconds: float


class Task(NamedTuple):
    """A stage to compile for a table."""

    rules: GameRules
    stage: str


def described(rules: Rules, stage: str) -> str:
    """Return a stage and its table in words."""
    return f"{STAGES[stage].title} on the {rules.board_name} board with {rules.players} players"


def warm_stage(rules: GameRules, stage: str) -> Warmed:
    """Compile one stage.

    Raises:
        ThurnError: a file cannot be written.
    """
    ready, start = rules.prepared(stage), time.perf_counter()
    try:
        with quiet():
            if not ready:
                rules.prepare(stage)
    except OSError as error:
        raise ThurnError(f"{described(rules, stage)} cannot be compiled: {error}") from None
    if PARTS and not rules.prepared(stage):
        raise ThurnError(f"{described(rules, stage)} could not be stored in {cache_folder()}; make room there")
    return Warmed(rules, stage, 0.0 if ready else time.perf_counter() - start)


def one_by_one(
    tables: Sequence[GameRules], stages: Sequence[str], begun: Callable[[Sequence[Task]], None]
) -> Iterator[Warmed]:
    """Compile stages for tables in this process, and yield each as it is ready; see `side_by_side`."""
    for rules in tables:
        for stage in stages:
            begun([Task(rules, stage)])
            yield warm_stage(rules, stage)


def side_by_side(
    tables: Sequence[GameRules], stages: Sequence[str], jobs: int, begun: Callable[[Sequence[Task]], None]
) -> Iterator[Warmed]:
    """Compile stages for tables in `jobs` processes, and yield each as it is ready.

    One process compiles all stages of a table, since it types the rules only once.

    Args:
        tables: rules of every table.
        stages: names of `STAGES`.
        jobs: maximum number of processes.
        begun: called from time to time with what the processes are compiling.

    Raises:
        ThurnError: a process died.
    """
    tables_left: deque[deque[Task]] = deque()
    for rules in tables:
        ready = [stage for stage in stages if rules.prepared(stage)]
        yield from (Warmed(rules, stage, 0.0) for stage in ready)
        if tasks := deque(Task(rules, stage) for stage in stages if stage not in ready):
            tables_left.append(tasks)
    compiling = {Worker(): tables_left.popleft() for _ in range(min(jobs, len(tables_left)))}
    try:
        for worker, tasks in compiling.items():
            worker.give(0, warm_stage, tasks[0])
        while compiling:
            begun([tasks[0] for tasks in compiling.values()])
            # Children of a lost process may keep its connection open, so wait for the process as well.
            ends = [end for worker in compiling for end in (worker.connection, worker.process.sentinel)]
            connection.wait(ends, POLL_INTERVAL)
            for worker in list(compiling):
                if (report := worker.report()) is None:
                    continue
                tasks = compiling[worker]
                yield _result(tasks.popleft(), report)
                if tasks or tables_left:
                    compiling[worker] = tasks or tables_left.popleft()
                    worker.give(0, warm_stage, compiling[worker][0])
                else:
                    del compiling[worker]
                    worker.end()
    finally:
        for worker in compiling:
            worker.end()


def _result(task: Task, report: tuple[bool, Warmed | Exception] | Loss) -> Warmed:
    """Return what a process reports, or raise its error."""
    if isinstance(report, Loss):
        raise ThurnError(
            f"a process died while it compiled {described(*task)} ({report.how}); out of memory? Try fewer --jobs; "
            "what has been compiled is kept"
        )
    value = report[1]
    if isinstance(value, Exception):
        raise value
    return value
