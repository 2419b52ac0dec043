"""Measuring rates for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

REPETITIONS = 3
"""Number of runs of which the best counts."""


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes:
        name: name of the figure.
        value: its value.
        unit: `decisions/s`, `us` (microseconds) or `s`.
        threads: number of threads.
    """

    name: str
    value: float
    unit: str
    threads: int = 1


def rate(work: Callable[[int], Any], seconds: float) -> float:
    """Return units of work per second: the best of several runs of about `seconds`. `work(n)` does n units."""
    number, spent = 1, 0.0
    while spent < seconds / 4:
        number *= 2
        start = time.perf_counter()
        work(number)
        spent = time.perf_counter() - start
    number = max(1, int(number * seconds / spent))
    best = 0.0
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        work(number)
        best = max(best, number / (time.perf_counter() - start))
    return best


def calibration(rounds: int) -> int:
    """Run the reference load: a loop of plain Python over small lists and integers, without this package."""
    total = 0
    row = list(range(22))
    for turn in range(rounds):
        index = (turn * 7 + total) % 22
        row[index] += 1
        total = (total + row[index] * 3) & 0xFFFF
    return total


def rate_of_steps(prepare: Callable[[], Any], step: Callable[[Any], Any], units: int, seconds: float) -> float:
    """Return units per second of `step(prepare())`, of which only `step` is timed: the best of several runs."""
    best = 0.0
    for _ in range(3):
        spent, steps = 0.0, 0
        while spent < seconds:
            prepared = prepare()
            start = time.perf_counter()
            step(prepared)
            spent += time.perf_counter() - start
            steps += 1
        best = max(best, steps * units / spent)
    return best
