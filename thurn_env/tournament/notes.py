"""What a process notes down while it plays, in memory that outlives it: whom it asks, and what was played so far.

When an agent takes the whole process along, or hangs where nothing in the process can interrupt it, the process that
handed out the game reads the note: it tells who is to blame and how far the game had come.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence

ROOM = 1 << 14
"""Moves that a note can hold. Of a longer game it holds the beginning."""

PATIENCE, MORE_PATIENCE = 3.0, 2.0
"""A process is hopeless when it has taken this many times as long as it may, and this many seconds more."""

NOBODY = -1


class Note(ctypes.Structure):
    """Who was asked last and the moves before that; `deadline` is 0 unless an answer with a time limit is awaited."""

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
        """A new game: nobody was asked, nothing was played."""
        self.deadline, self.seat, self.count = 0.0, NOBODY, 0

    def asked(self, seat: int, moves: Sequence[int], limit: float | None) -> None:
        """A seat is asked after these moves of the game, which begin with those noted before."""
        known, count = self.count, min(len(moves), ROOM)
        self.moves[known:count] = list(moves[known:count])
        self.count, self.seat = count, seat
        self.deadline = time.monotonic() + PATIENCE * limit + MORE_PATIENCE if limit else 0.0

    def answered(self) -> None:
        """The answer is there. The seat stays: what an agent left running may still do harm."""
        self.deadline = 0.0

    @property
    def overdue(self) -> bool:
        """Whether there is no more hope for an answer."""
        return 0.0 < self.deadline < time.monotonic()


current = Note()
"""The note of this process; a worker replaces it by one that is shared with the process it works for."""


def share(note: Note) -> None:
    """Write into this note from now on."""
    global current
    current = note
    note.clear()
