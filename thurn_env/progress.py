"""Progress of long tasks: a bar on a terminal, otherwise a plain line from time to time."""

from __future__ import annotations

import time
from collections import deque
from datetime import timedelta
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

PLAIN_INTERVAL = 10.0
"""Seconds between two plain lines."""
RECENT = 120.0
"""Seconds over which the rate is measured: agents and games differ widely in speed."""
FEWEST_MARKS = 5
"""Minimum number of marks for the rate, however old they are."""
MARK_INTERVAL = 1.0
"""Seconds between two marks."""


def _short(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


class Progress:
    """Progress on standard error; a context manager.

    The rate and the remaining time are based on the last two minutes; the final rate is that of the whole task.

    Args:
        what: the task.
        total: number of steps.
        unit: name of a step, in the plural.
        done: steps done before.
        at_most: whether the task may be finished before its last step, so that the remaining time is an upper bound.

    Attributes:
        note: text shown after the rate.
    """

    def __init__(self, what: str, total: int, unit: str = "games", done: int = 0, *, at_most: bool = False) -> None:
        self.what, self.total, self.unit, self.done, self.at_most = what, total, unit, done, at_most
        self.note = ""
        self._printed_at = time.monotonic()
        self._begun = (self._printed_at, done)
        self._marks = deque([self._begun])
        self._console = Console(stderr=True, highlight=False)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            # Read whenever the bar is drawn, so that a standstill shows.
            TextColumn("{task.fields[progress].beside_bar}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(what, total=total, completed=done, progress=self)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Old releases of rich end a bar that was never drawn with an empty line.
        if self._console.is_terminal:
            self._bar.stop()
        elif kind is None:
            self._print_line()

    def name(self, what: str) -> None:
        """Name the current part of the task; plain lines keep the name of the whole."""
        self._bar.update(self._task, description=what)

    def expect(self, total: int) -> None:
        """Change the number of steps."""
        self.total = total
        self._bar.update(self._task, total=total)

    def advance(self, steps: int = 1) -> None:
        """Report that `steps` steps are done."""
        self.done += steps
        now = time.monotonic()
        if now - self._marks[-1][0] >= MARK_INTERVAL:
            self._marks.append((now, self.done))
        while len(self._marks) > FEWEST_MARKS and self._marks[1][0] <= now - RECENT:
            self._marks.popleft()
        self._bar.update(self._task, completed=self.done)
        if not self._console.is_terminal and now - self._printed_at >= PLAIN_INTERVAL:
            self._print_line()

    def finish_at(self, steps: int) -> None:
        """Report that the task is finished after `steps` steps in total."""
        self.total = self.done = steps
        self._bar.update(self._task, total=steps, completed=steps)

    @property
    def beside_bar(self) -> str:
        """Text beside the bar: the rate, and below it the note, since terminals are narrow."""
        return "\n".join(filter(None, (self.rate_text, self.note)))

    @property
    def rate_text(self) -> str:
        """Steps per second and remaining time, `7.2 games/s, 0:06:25 left`; empty while there is no rate."""
        since, before = self._begun if self.done >= self.total else self._marks[0]
        rate = (self.done - before) / max(time.monotonic() - since, 1e-9)
        if not rate:
            return ""
        left = timedelta(seconds=round((self.total - self.done) / rate))
        remaining = f", {'at most ' if self.at_most else ''}{left} left" if self.done < self.total else ""
        return f"{_short(rate)} {self.unit}/s{remaining}"

    def _print_line(self) -> None:
        self._printed_at = time.monotonic()
        line = f"{self.what}: {self.done:,} of {self.total:,} {self.unit}"
        self._console.print(", ".join(filter(None, (line, self.rate_text, self.note))), soft_wrap=True)
