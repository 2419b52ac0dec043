"""Choice of the number of threads by measurement.

Threads wait for each other at the end of every step. On a busy machine, one of them may lose its core for milliseconds
while the others wait, and several threads then take fifty times as long as one. Therefore a few steps are measured with
one thread and with all, and the faster way is used until the next trial.
"""

from __future__ import annotations

TRIAL_STEPS = 3
"""Steps measured with one thread, and with all."""
WARM_UP = 8
"""Steps with all threads before the measured ones: at first the other threads sleep and their caches are cold."""
TRIAL = 2 * TRIAL_STEPS + WARM_UP
"""Total number of steps of a trial."""
PERIOD = 300
"""Number of steps from one trial to the next."""
SLOW_STEP = 4.0
"""A step with all threads that takes this many times as long as one thread would need triggers the next trial."""


class ThreadChoice:
    """Chooses between one thread and all of them, based on measured step times.

    Args:
        threads: number of available threads.
    """

    def __init__(self, threads: int) -> None:
        self._most = threads
        self._steps = 0
        self._seconds = {1: 0.0, threads: 0.0}
        self._faster = 1

    def threads(self) -> int:
        """Number of threads for the next step."""
        if self._steps < TRIAL:
            return 1 if self._steps < TRIAL_STEPS else self._most
        return self._faster

    def record(self, threads: int, seconds: float) -> None:
        """Record the time of a step with a number of threads."""
        self._steps += 1
        slow = threads > 1 and seconds > SLOW_STEP * self._seconds[1] / TRIAL_STEPS
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
