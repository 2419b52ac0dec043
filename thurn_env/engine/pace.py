"""How many threads are worth it just now.

Threads wait for each other at the end of every step. On a machine that is busy with other work, one of them may be kept
off its core for milliseconds while the others wait, and several threads then take fifty times as long as one. So a few
steps are measured with one thread and with all, and the faster way is taken until the next trial.
"""

from __future__ import annotations

import os

TRIAL_STEPS = 3
"""Steps measured with one thread, and with all."""
WARM_UP = 8
"""Steps with all threads before those that are measured: at first the others sleep, with other games in their cache."""
TRIAL = 2 * TRIAL_STEPS + WARM_UP
"""All steps of a trial."""
PERIOD = 300
"""Steps from one trial to the next."""
WAKING = 40e-6
"""Seconds until another thread has begun its part of a step."""
MOST_LEAD = 0.5
"""The most of a step that is taken to be done until then."""
PATIENCE = 4.0
"""A step with all threads that takes so many times as long as one thread would need brings the next trial on."""


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pace:
    """Chooses between one thread and all of them, by the time that steps took.

    Args:
        threads: how many threads there are.
    """

    def __init__(self, threads: int) -> None:
        self._most = threads
        self._steps = 0
        self._seconds = {1: 0.0, threads: 0.0}
        self._faster = 1

    def threads(self) -> int:
        """How many threads should do the next step."""
        if self._steps < TRIAL:
            return 1 if self._steps < TRIAL_STEPS else self._most
        return self._faster

    @property
    def lead(self) -> float:
        """The share of a step that one thread does before another one has begun, as far as is known; see `share`."""
        alone = self._seconds[1] / min(max(self._steps, 1), TRIAL_STEPS)
        return min(WAKING / alone, MOST_LEAD) if alone > 0 else 0.0

    def took(self, threads: int, seconds: float) -> None:
        """Take note that a step with so many threads took so long."""
        self._steps += 1
        slow = threads > 1 and seconds > PATIENCE * self._seconds[1] / TRIAL_STEPS
        if slow and self._steps < TRIAL:
            # One such step is enough.
            self._steps, self._faster = TRIAL, 1
        elif self._steps <= TRIAL_STEPS or TRIAL_STEPS + WARM_UP < self._steps <= TRIAL:
            self._seconds[threads] += seconds
            if self._steps == TRIAL:
                self._faster = min(self._seconds, key=self._seconds.__getitem__)
        elif self._steps >= PERIOD or (slow and self._steps > TRIAL):
            self._steps = 0
            self._seconds = {1: 0.0, self._most: 0.0}
