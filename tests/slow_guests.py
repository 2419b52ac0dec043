"""Agents for the server's tests: one that thinks until it is told to go on, one that fails, one that remembers."""

from __future__ import annotations

import threading
import time

from thurn_env import View
from thurn_env.games.contract import GameRules

THINKING = "tests.slow_guests:Thinking"
SILENT = "tests.slow_guests:Silent"
FAILING = "tests.slow_guests:Failing"
CURIOUS = "tests.slow_guests:Curious"
BUSY = "tests.slow_guests:Busy"
BUSY_SECONDS = 2.0
SEEN: list[str] = []
"""The tables that curious agents have seen."""
GO_ON = threading.Event()


class Thinking:
    """Answers with the first legal action, but not before `GO_ON` is set."""

    name = "thinking"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        # A server asks with the seed 0 before the game, to make its agents ready.
        self.trial = seed == 0

    def act(self, view: View) -> int:
        assert self.trial or GO_ON.wait(60)
        return int(view.legal_actions[0])


class Silent(Thinking):
    """Never answers, not even in the trial, until it is told to go on or closed."""

    name = "silent"
    closed = threading.Event()

    def act(self, view: View) -> int:
        assert GO_ON.wait(60)
        return int(view.legal_actions[0])

    def close(self) -> None:
        self.closed.set()
        GO_ON.set()


class Failing(Thinking):
    """Fails, and says too much."""

    name = "failing"

    def act(self, view: View) -> int:
        if not self.trial:
            raise RuntimeError(f"my cards are {view.hand}")
        return super().act(view)


class Curious(Thinking):
    """Remembers the tables that it sees, beyond the game."""

    name = "curious"

    def act(self, view: View) -> int:
        SEEN.append(view.text)
        return super().act(view)


class Busy(Thinking):
    """Computes for `BUSY_SECONDS` before every answer, in Python."""

    name = "busy"

    def act(self, view: View) -> int:
        end = time.monotonic() + BUSY_SECONDS
        while not self.trial and time.monotonic() < end:
            pass
        return int(view.legal_actions[0])
