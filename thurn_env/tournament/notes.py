"""Shared memory in which a process notes the seat that has to choose and the moves so far.

If an agent kills its process, or hangs where nothing inside the process can interrupt it, the parent process reads the
note to learn which agent failed and how far the game had come.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence

ROOM = 1 << 14
"""Capacity of a note in moves. Of a longer game it holds the beginning."""

LIMIT_FACTOR, EXTRA_SECONDS = 3.0, 2.0
"""A process is killed after `LIMIT_FACTOR` times its time limit plus `EXTRA_SECONDS` seconds."""

NOBODY = -1


class Leave(BaseException):
    """A worker process is to end. Not an `Exception`, so that agents that catch those do not catch it."""


class Note(ctypes.Structure):
    """The seat that chose last and the moves before; `deadline` is 0 unless a timed answer is pending."""

    _fields_ = (
        ("deadline", ctypes.c_double),
        ("seat", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("moves", ctypes.c_int32 * ROOM),
    )
    deadline: float
    seat: int
    count: int
    moves: ctypes.Array[ctypes.c_int32]

    def clear(self) -> None:
        """Begin a new game: no seat, no moves."""
        self.deadline, self.seat, self.count = 0.0, NOBODY, 0

    def decision_begins(self, seat: int, moves: Sequence[int], limit: float | None) -> None:
        """Note that a seat has to choose after `moves`, which extend the moves noted before."""
        known, count = self.count, min(len(moves), ROOM)
        self.moves[known:count] = list(moves[known:count])
        self.count, self.seat = count, seat
        self.deadline = time.monotonic() + LIMIT_FACTOR * limit + EXTRA_SECONDS if limit else 0.0

    def decision_ends(self) -> None:
        """Note that the answer arrived. The seat is kept: code that the agent left running may still fail."""
        self.deadline = 0.0

    @property
    def overdue(self) -> bool:
        """Whether the deadline has passed."""
        return 0.0 < self.deadline < time.monotonic()


current = Note()
"""The note of this process; a worker replaces it with one shared with its parent."""


def share(note: Note) -> None:
    """Use `note` as the note of this process."""
    global current
    current = note
    note.clear()
