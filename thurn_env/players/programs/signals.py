"""Hold back the signals that raise an error in the running code, such as the alarm of a referee and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

NAMES = ("SIGALRM", "SIGTERM", "SIGINT")
"""Signals that are held back: a referee's alarm, the order to end that worker processes get, and Ctrl-C."""


@contextmanager
def held_back() -> Iterator[None]:
    """Let nothing interrupt the work inside; the first signal of each kind is handled after it, Ctrl-C last.

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

    def handle(number: int) -> None:
        if number in came:
            before[number](number, came[number])

    # A stack calls the last function first, all of them whatever they raise, and the error of the last call prevails.
    with ExitStack() as afterwards:
        for number in reversed(before):
            afterwards.callback(handle, number)
        for number, handler in before.items():
            afterwards.callback(signal.signal, number, handler)
            signal.signal(number, came.setdefault)
        yield
