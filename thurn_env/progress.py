"""How far a long piece of work has come: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

PLAIN_INTERVAL = 10.0
"""Seconds between two plain lines."""


def _short(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


class RateColumn(ProgressColumn):
    """Steps per second."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self.unit = unit

    def render(self, task: Task) -> Text:
        """The rate, or nothing as long as there is none."""
        speed = task.finished_speed or task.speed
        return Text(f"{_short(speed)} {self.unit}/s" if speed else "")


class Progress:
    """Progress on standard error, used with `with`.

    Args:
        what: what is being done.
        total: number of steps.
        unit: what a step is called, in the plural.
        done: steps that were done before.
    """

    def __init__(self, what: str, total: int, unit: str = "games", done: int = 0) -> None:
        self.what, self.total, self.unit, self.done = what, total, unit, done
        self._before = done
        self._started = self._said = time.monotonic()
        self._console = Console(stderr=True, highlight=False)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            RateColumn(unit),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(what, total=total, completed=done)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        if not self._console.is_terminal and kind is None:
            self._say()

    def advance(self, steps: int = 1) -> None:
        """Some steps are done."""
        self.done += steps
        self._bar.update(self._task, completed=self.done)
        if not self._console.is_terminal and time.monotonic() - self._said >= PLAIN_INTERVAL:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        rate = (self.done - self._before) / max(self._said - self._started, 1e-9)
        left = f", {(self.total - self.done) / rate:,.0f} s left" if rate and self.done < self.total else ""
        speed = f", {_short(rate)} {self.unit}/s" if rate else ""
        line = f"{self.what}: {self.done:,} of {self.total:,} {self.unit}{speed}{left}"
        self._console.print(line, soft_wrap=True)
