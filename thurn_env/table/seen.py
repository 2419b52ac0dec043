"""What every seat saw of a game: the moves, as the seat may know them, and all changes of its observation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from thurn_env.games.contract import Float32Array, Int64Array, Records, Shown

__all__ = ["Seen", "observed", "values_in_words"]


def observed(rules: Shown, states: Records, seat: int) -> Float32Array:
    """Return the observation of a seat: float32 (observation_size,)."""
    observation = np.zeros(rules.observation_size, np.float32)
    rules.observe(states, 0, seat, observation)
    return observation


def values_in_words(rules: Shown, counts: Int64Array, before: Int64Array) -> str:
    """Return the values of an observation that changed, as counts: `hand[2]=1 deck_size=5`."""
    names = value_names(rules)
    return " ".join(f"{names[index]}={counts[index]}" for index in np.flatnonzero(counts != before).tolist())


@lru_cache(maxsize=64)
def value_names(rules: Shown) -> tuple[str, ...]:
    """Return the name of every value of an observation."""
    return tuple(
        name if not shape else f"{name}[{','.join(map(str, np.unravel_index(number, shape)))}]"
        for name, shape in rules.observation_shapes.items()
        for number in range(prod(shape))
    )


class Seen:
    """The logs of all seats. They never change; both methods return new ones.

    A log holds nothing but moves that the seat may know and its observations, so that it reveals nothing hidden. It
    holds all of them, so that no seat forgets anything.

    Args:
        rules: the rules.
    """

    def __init__(self, rules: Shown) -> None:
        self._rules = rules
        # The seat itself comes first: otherwise two seats could have equal logs.
        self._logs: tuple[tuple[str, ...], ...] = tuple((f"seat {seat}",) for seat in range(rules.players))
        self._counts: np.ndarray[Any, Any] = np.zeros((rules.players, rules.observation_size), np.int64)

    def log(self, seat: int) -> str:
        """Return the log of a seat: its number, then a line for every move and for every observation."""
        return "\n".join(self._logs[seat])

    def observation_text(self, seat: int) -> str:
        """Return the last observation of a seat as text: all counts that are not 0."""
        return values_in_words(self._rules, self._counts[seat], np.zeros_like(self._counts[seat]))

    def with_move(self, mover: int, action: int) -> Seen:
        """Return the logs after a move is announced."""
        told = (f"{mover}: {self._rules.move_text(action, mover, seat)}" for seat in range(self._rules.players))
        return self._followed_by(told, self._counts)

    def with_state(self, states: Records) -> Seen:
        """Return the logs after all seats looked at a state."""
        rules = self._rules
        seats = range(rules.players)
        observations = np.array([observed(rules, states, seat) for seat in seats])
        counts = np.rint(observations / rules.observation_scale).astype(np.int64)
        lines = (values_in_words(rules, counts[seat], self._counts[seat]) for seat in seats)
        return self._followed_by(lines, counts)

    def _followed_by(self, lines: Iterable[str], counts: np.ndarray[Any, Any]) -> Seen:
        twin = Seen.__new__(Seen)
        twin._rules = self._rules
        twin._logs = tuple((*log, line) for log, line in zip(self._logs, lines, strict=True))
        twin._counts = counts
        return twin
