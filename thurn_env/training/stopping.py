"""Deferred Ctrl-C, which lets work reach a point where it can be saved."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stop:
    """A request to stop.

    Attributes:
        requested: whether Ctrl-C was pressed; the worker then saves and raises `KeyboardInterrupt`.
    """

    requested = False


@contextmanager
def gentle_stop() -> Iterator[Stop]:
    """Defer the first Ctrl-C within the context; the second one interrupts at once, as usual."""
    stop = Stop()
    before = signal.getsignal(signal.SIGINT)
    # Only the main thread receives signals; and leave any other handler in place.
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield stop
        return

    def note(number: int, frame: FrameType | None) -> None:
        stop.requested = True
        signal.signal(signal.SIGINT, before)
        # Do not use print: the signal may have arrived in the middle of another print.
        os.write(2, b"\nstopping once the state can be saved; press Ctrl-C again to stop at once\n")

    signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
