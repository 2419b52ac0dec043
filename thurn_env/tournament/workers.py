"""Worker processes for a sequence of tasks, with results in the order of the tasks.

A process that dies loses only its own task: another process replaces it and retries the task once. Pools of the
standard library break as a whole in that case, and pebble, which does not, waits forever for a process that ended with
exit code 0, as after `os._exit(0)`.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import connection
from types import FrameType, TracebackType
from typing import Any, NamedTuple, NoReturn, Self, TypeVar

from thurn_env.checks import quoted
from thurn_env.console import print_on_any_console
from thurn_env.engine.library_threads import limit_process
from thurn_env.errors import OptionError, ThurnError
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules, Rules
from thurn_env.tournament import notes

Result = TypeVar("Result")
Task = TypeVar("Task", bound=tuple[Any, ...])

AHEAD = 3
"""Results per process that may wait for an earlier one: enough to keep all busy, few to lose when stopped."""

POLL_INTERVAL = 0.25
"""Seconds between two checks of the processes if none of them reports."""

EXIT_TIMEOUT = 5.0
"""Seconds that an idle process gets to end by itself."""

LEAVE_TIMEOUT = 2.0
"""Seconds that a busy process gets to end the programs that it started."""


class Loss(NamedTuple):
    """The loss of a task whose process died.

    Attributes:
        seat: seat that chose last, or `notes.NOBODY`.
        moves: moves of the game before that, as action indices.
        how: exit status of the process in words.
        hung: whether the process was killed because it exceeded its deadline.
    """

    seat: int
    moves: list[int]
    how: str
    hung: bool


def ending(code: int) -> str:
    """Return in words how a process with this exit code ended."""
    names = [number.name for number in signal.Signals if number == -code]
    return f"killed by {names[0]}" if names else f"exit code {code}"


def give_up(_: tuple[Any, ...], loss: Loss) -> NoReturn:
    """Raise `ThurnError` for a lost task that no agent is to blame for."""
    raise ThurnError(f"a worker process died twice on the same task ({loss.how}); out of memory? Try fewer --jobs")


class Worker:
    """A worker process and its current task."""

    def __init__(self) -> None:
        # Agents may start processes or threads, which a forked process would inherit only in part.
        context = multiprocessing.get_context("spawn")
        self.note = context.RawValue(notes.Note)
        self.connection, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(there, self.note), name="tournament")
        # Ctrl-C is for the parent alone. A process that starts while it is ignored ignores it, too.
        with _interrupt_ignored():
            self.process.start()
        there.close()
        self.number: int | None = None

    def give(self, number: int, function: Callable[..., Any], task: tuple[Any, ...]) -> None:
        """Send a task to the process."""
        self.number = number
        self.note.clear()
        try:
            self.connection.send((function, task))
        except OSError:
            # It died while idle, which `report` handles like any other death.
            self.process.join(EXIT_TIMEOUT)

    def report(self) -> tuple[bool, Any] | Loss | None:
        """Return whether the task succeeded and its result; a `Loss` if the process died; None while it is busy."""
        alive, hung = self.process.is_alive(), False
        try:
            if self.connection.poll():
                answer: tuple[bool, Any] = self.connection.recv()
                self.number = None
                return answer
        except (EOFError, OSError):
            alive = False
        if alive and self.note.overdue:
            alive, hung = False, True
        if alive:
            return None
        if hung:
            self.process.kill()
        self.process.join(EXIT_TIMEOUT)
        how = ending(self.process.exitcode or 0)
        return Loss(self.note.seat, list(self.note.moves[: self.note.count]), how, hung)

    def stop(self) -> None:
        """Ask the process to end. A busy one is interrupted, and ends the programs that it started."""
        self.connection.close()
        if self.number is not None:
            self.process.terminate()

    def end(self, deadline: float | None = None) -> None:
        """End the process, after letting it clean up; a busy one until the deadline, as `time.monotonic` tells it."""
        self.stop()
        left = LEAVE_TIMEOUT if deadline is None else max(0.0, deadline - time.monotonic())
        self.process.join(EXIT_TIMEOUT if self.number is None else left)
        self.process.kill()
        self.process.join()
        self.process.close()


class Crew:
    """A pool of worker processes, started on demand; a context manager."""

    def __init__(self, jobs: int) -> None:
        self.jobs = max(1, jobs)
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes."""
        with _interrupt_ignored():
            for worker in self._workers:
                worker.stop()
            deadline = time.monotonic() + LEAVE_TIMEOUT
            while self._workers:
                self._workers.pop().end(deadline)

    def in_order(
        self, function: Callable[..., Result], tasks: Iterable[Task], lost: Callable[[Task, Loss], Result]
    ) -> Generator[Result, None, None]:
        """Yield `function(*task)` for every task, in order; `lost(task, loss)` if its process died twice or hung."""
        numbered = enumerate(tasks)
        under_way: dict[int, Task] = {}
        ready: deque[int] = deque()
        died: set[int] = set()
        finished: dict[int, Result] = {}
        expected, taken = 0, 0
        while True:
            while taken < expected + self.jobs * AHEAD and (entry := next(numbered, None)) is not None:
                number, under_way[number] = entry
                ready.append(number)
                taken = number + 1
            while ready and (worker := self._free()) is not None:
                number = ready.popleft()
                worker.give(number, function, under_way[number])
            if not under_way:
                return
            for number, report in self._reports():
                if not isinstance(report, Loss):
                    finished[number] = _opened(report)
                elif report.hung or number in died:
                    finished[number] = lost(under_way[number], report)
                else:
                    died.add(number)
                    ready.appendleft(number)
            while expected in finished:
                del under_way[expected]
                yield finished.pop(expected)
                expected += 1

    def _free(self) -> Worker | None:
        """Return an idle process, started if there may be more; None if all are busy."""
        for worker in self._workers:
            if worker.number is None:
                return worker
        if len(self._workers) == self.jobs:
            return None
        self._workers.append(Worker())
        return self._workers[-1]

    def _reports(self) -> Iterator[tuple[int, tuple[bool, Any] | Loss]]:
        """Wait briefly for reports of busy processes, yield them, and dismiss processes that died."""
        busy = [worker for worker in self._workers if worker.number is not None]
        # Children of a lost process may keep its connection open, so wait for the process as well, and with a timeout.
        connection.wait([end for worker in busy for end in (worker.connection, worker.process.sentinel)], POLL_INTERVAL)
        for worker in busy:
            number, report = worker.number, worker.report()
            if isinstance(report, Loss):
                self._workers.remove(worker)
                worker.end()
            if report is not None and number is not None:
                yield number, report


def _opened(report: tuple[bool, Any]) -> Any:
    worked, value = report
    if not worked:
        raise value
    return value


def _serve(there: connection.Connection, note: notes.Note) -> None:
    """Run tasks in a worker process until the parent closes the connection."""
    limit_process()
    # Modules stay until the end; searching them for garbage would slow every short task.
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # By itself, it would end the process without ending the programs of agents.
    signal.signal(signal.SIGTERM, _leave)
    # Printing by an agent must not fail because of the console's encoding.
    print_on_any_console()
    notes.share(note)
    while True:
        try:
            function, task = there.recv()
            there.send(_answer(function, task))
        except (EOFError, OSError):
            return
        except notes.Leave:
            sys.exit(128 + signal.SIGTERM)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    # Asked again, the process goes on to end its programs.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise notes.Leave


def _answer(function: Callable[..., Any], task: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return whether the task succeeded, and its result or error."""
    try:
        return True, function(*task)
    except ThurnError as error:
        return False, error
    except notes.Leave:
        raise
    except BaseException as error:
        return False, RuntimeError("in a worker process: " + "".join(traceback.format_exception(error)))


@contextmanager
def _interrupt_ignored() -> Iterator[None]:
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread, the only one that receives signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def require_loadable(rules: Rules) -> None:
    """Raise `OptionError` unless `make_rules` makes these rules from names, as worker processes do."""
    if not isinstance(rules, GameRules):
        raise OptionError(f"rules must be made by make_rules, not {quoted(rules)}")
    loaded = make_rules(rules.name, rules.players, rules.board_name, **rules.options)
    if loaded.board_digest != rules.board_digest:
        raise OptionError(
            f"the name {quoted(rules.board_name)} loads another board than that of these rules; save the board as a "
            "file and make the rules from its path: worker processes load the board themselves"
        )
