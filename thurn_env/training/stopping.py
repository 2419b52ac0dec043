"""Ctrl-C that lets work come to a place where it can be saved."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stop:
    """Whether Ctrl-C was pressed.

    Attributes:
        asked: it was; whoever works saves and raises `KeyboardInterrupt`.
    """

    asked = False


@contextmanager
def gentle_stop() -> Iterator[Stop]:
    """Within, the first Ctrl-C is only taken note of; the second one interrupts at once, as ever."""
    stop = Stop()
    before = signal.getsignal(signal.SIGINT)
    # Signals reach the main thread alone; and who ignores them, or has a way of their own, keeps to it.
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield stop
        return

    def note(number: int, frame: FrameType | None) -> None:
        stop.asked = True
        signal.signal(signal.SIGINT, before)
        # Not by print: the signal may have come in the middle of another one.
        os.write(2, b"\nstopping as soon as all can be saved; Ctrl-C again stops at once\n")

    signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
