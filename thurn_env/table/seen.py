"""What every seat saw of a game: the moves, as the seat may know them, and all changes of its observation."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from thurn_env.games.contract import Float32Array, Int64Array, Records, Shown

__all__ = ["Seen", "observed", "values_in_words"]

Occurrence = tuple[int, int] | Records
"""What a log tells: a move, as seat and action, or a state."""


def observed(rules: Shown, states: Records, seat: int) -> Float32Array:
    """Return the observation of a seat: float32 (observation_size,)."""
    observation = np.zeros(rules.observation_size, np.float32)
    rules.observe(states, 0, seat, observation)
    return observation


def values_in_words(rules: Shown, counts: Int64Array, before: Int64Array) -> str:
    """Return the values of an observation that changed, as counts: `hand[2]=1 deck_size=5`."""
    names = value_names(rules)
    changed = np.flatnonzero(counts != before)
    return " ".join(
        [f"{names[index]}={count}" for index, count in zip(changed.tolist(), counts[changed].tolist(), strict=True)]
    )


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

    Moves and states are written down when a log is first read: more than half of a tree's positions are ends, and
    nobody reads their logs.

    Args:
        rules: the rules.
    """

    def __init__(self, rules: Shown) -> None:
        self._rules = rules
        self._unwritten: tuple[Seen, Occurrence] | None = None
        # The seat itself comes first: otherwise two seats could have equal logs.
        self._logs: tuple[tuple[str, ...], ...] = tuple((f"seat {seat}",) for seat in range(rules.players))
        self._counts: np.ndarray[Any, Any] = np.zeros((rules.players, rules.observation_size), np.int64)

    def log(self, seat: int) -> str:
        """Return the log of a seat: its number, then a line for every move and for every observation."""
        self._write_all()
        return "\n".join(self._logs[seat])

    def observation_text(self, seat: int) -> str:
        """Return the last observation of a seat as text: all counts that are not 0."""
        self._write_all()
        return values_in_words(self._rules, self._counts[seat], np.zeros_like(self._counts[seat]))

    def with_move(self, mover: int, action: int) -> Seen:
        """Return the logs after a move is announced."""
        return self._followed_by((mover, action))

    def with_state(self, states: Records) -> Seen:
        """Return the logs after all seats looked at a state, which must not change any more."""
        return self._followed_by(states)

    def _followed_by(self, occurrence: Occurrence) -> Seen:
        twin = Seen.__new__(Seen)
        twin._rules = self._rules
        twin._unwritten = self, occurrence
        return twin

    def _write_all(self) -> None:
        """Write down everything since the last log that was read."""
        # Another thread may write the same at the same time, so what is written is marked as such last.
        later: list[tuple[Seen, Seen, Occurrence]] = []
        last = self
        while (unwritten := last._unwritten) is not None:
            later.append((last, *unwritten))
            last = unwritten[0]
        for one, before, occurrence in reversed(later):
            one._write(before, occurrence)

    def _write(self, before: Seen, occurrence: Occurrence) -> None:
        """Write down the last move or state; the log before it must be written."""
        rules = self._rules
        seats = range(rules.players)
        if isinstance(occurrence, tuple):
            mover, action = occurrence
            self._counts = before._counts
            lines = [f"{mover}: {rules.move_text(action, mover, seat)}" for seat in seats]
        else:
            observations = np.array([observed(rules, occurrence, seat) for seat in seats])
            self._counts = np.rint(observations / rules.observation_scale).astype(np.int64)
            lines = [values_in_words(rules, self._counts[seat], before._counts[seat]) for seat in seats]
        self._logs = tuple((*log, line) for log, line in zip(before._logs, lines, strict=True))
        self._unwritten = None

    def __getstate__(self) -> dict[str, Any]:
        self._write_all()  # otherwise pickle would descend through all moves, too deep in a long game
        return self.__dict__
