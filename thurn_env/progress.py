"""How far a long piece of work has come: a bar on a terminal, a plain line now and then elsewhere."""

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
"""Seconds that the rate is taken from: some agents think a thousand times as long as others, and the games of one
tournament are far from equally long."""
FEWEST_MARKS = 5
"""Moments that the rate is taken from at least, however long ago they were."""
MARK_INTERVAL = 1.0
"""Seconds between two of these moments."""


def _short(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


class Progress:
    """Progress on standard error, used with `with`.

    The rate is that of the last two minutes, from which the time left follows, and in the end that of the whole.

    Args:
        what: what is being done.
        total: number of steps.
        unit: what a step is called, in the plural.
        done: steps that were done before.
    """

    def __init__(self, what: str, total: int, unit: str = "games", done: int = 0) -> None:
        self.what, self.total, self.unit, self.done = what, total, unit, done
        self._said = time.monotonic()
        self._begun = (self._said, done)
        self._marks = deque([self._begun])
        self._console = Console(stderr=True, highlight=False)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            # Asked for whenever the bar is drawn, so that a standstill shows.
            TextColumn("{task.fields[progress].pace}"),
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
            self._say()

    def name(self, what: str) -> None:
        """Say what is being done now; the plain lines keep the name of the whole."""
        self._bar.update(self._task, description=what)

    def advance(self, steps: int = 1) -> None:
        """Some steps are done."""
        self.done += steps
        now = time.monotonic()
        if now - self._marks[-1][0] >= MARK_INTERVAL:
            self._marks.append((now, self.done))
        while len(self._marks) > FEWEST_MARKS and self._marks[1][0] <= now - RECENT:
            self._marks.popleft()
        self._bar.update(self._task, completed=self.done)
        if not self._console.is_terminal and now - self._said >= PLAIN_INTERVAL:
            self._say()

    @property
    def pace(self) -> str:
        """Steps per second and the time left, `7.2 games/s, 0:06:25 left`; nothing as long as there is no rate."""
        since, before = self._begun if self.done >= self.total else self._marks[0]
        rate = (self.done - before) / max(time.monotonic() - since, 1e-9)
        if not rate:
            return ""
        left = timedelta(seconds=round((self.total - self.done) / rate))
        return f"{_short(rate)} {self.unit}/s" + (f", {left} left" if self.done < self.total else "")

    def _say(self) -> None:
        self._said = time.monotonic()
        line = f"{self.what}: {self.done:,} of {self.total:,} {self.unit}"
        self._console.print(", ".join(filter(None, (line, self.pace))), soft_wrap=True)
