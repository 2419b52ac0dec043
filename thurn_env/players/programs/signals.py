"""Hold back the signals that raise an error in the running code: the alarm of a referee, and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

NAMES = ("SIGALRM", "SIGINT")
"""Signals that are held back; Windows lacks the first."""


@contextmanager
def held_back() -> Iterator[None]:
    """Let nothing interrupt the work inside; the first signal that came meanwhile is handled after it.

    Handlers are changed and no signals blocked, because a program that is started inside would inherit the block. Only
    the main thread is interrupted by signals, so in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    numbers = [number for name in NAMES if (number := getattr(signal, name, None)) is not None]
    # Only a function of Python raises an error; what is ignored or ends the process stays as it is.
    before = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    for number in before:
        signal.signal(number, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            number, frame = came[0]
            before[number](number, frame)
