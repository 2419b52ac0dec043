"""Hold back the signals that raise an error in the running code: the alarm of a referee, and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

NAMES = ("SIGALRM", "SIGINT")
"""Signals that are held back; Windows lacks the first."""


@contextmanager
def held_back() -> Iterator[None]:
    """Let nothing interrupt the work inside; every signal that came meanwhile is handled after it, Ctrl-C last.

    Handlers are changed and no signals blocked, because a program that is started inside would inherit the block. Only
    the main thread is interrupted by signals, so in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: dict[int, FrameType | None] = {}
    numbers = [number for name in NAMES if (number := getattr(signal, name, None)) is not None]
    # Only a function of Python raises an error; what is ignored or ends the process stays as it is.
    before = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    for number in before:
        signal.signal(number, came.setdefault)
    try:
        yield
    finally:
        # Ctrl-C first: it is never lost, even if the alarm rings before its own handler is back.
        for number in reversed(before):
            signal.signal(number, before[number])
        # A stack calls the last one first, and the error of the last call prevails.
        with ExitStack() as stack:
            for number in reversed(before):
                if number in came:
                    stack.callback(before[number], number, came[number])
