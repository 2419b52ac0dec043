"""The pipes of a running process, read and written with deadlines.

POSIX systems wait for all pipes together (`PolledPipes`). Windows cannot wait for pipes, so threads read them there
(`ThreadedPipes`), and writing has no deadline.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import threading
import time
from collections import deque
from collections.abc import Iterator
from subprocess import Popen
from typing import IO, Protocol

from thurn_env.players.programs.failure import Late, ProgramFailed
from thurn_env.players.programs.log import Log

CHUNK = 64 * 1024
"""Number of bytes that are read at once."""
MOST_UNREAD = 1024 * 1024
"""Number of bytes that a program may write ahead of the host."""


class Pipes(Protocol):
    """The three pipes of a process. Times are those of `time.monotonic`; None waits for ever."""

    log: Log

    def send(self, data: bytes, deadline: float | None) -> None:
        """Write all bytes.

        Raises:
            Late: the process did not take them in time.
            ProgramFailed: the process wrote too much without reading.
            OSError: the process closed its input.
        """

    def receive(self, deadline: float | None) -> bytes:
        """Return the next bytes of its output, at least one; none at the end of its output.

        Raises:
            Late: there were none in time.
        """

    def drain_log(self) -> None:
        """Read what the process wrote to its standard error so far; all of it, if the process has ended."""

    def close(self) -> None:
        """Close all pipes."""


def pipes_of(process: Popen[bytes]) -> Pipes:
    """Return the pipes of a process, as this system can wait for them."""
    return PolledPipes(process) if hasattr(select, "poll") else ThreadedPipes(process)


def _too_much() -> ProgramFailed:
    return ProgramFailed(f"it wrote more than {MOST_UNREAD:,} bytes without waiting for an answer")


def _ends(process: Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


class PolledPipes:
    """Pipes that one call of the system waits for."""

    def __init__(self, process: Popen[bytes]) -> None:
        self.log = Log()
        self._files = _ends(process)
        self._input, self._output, self._errors = (file.fileno() for file in self._files)
        for file in self._files:
            os.set_blocking(file.fileno(), False)
        self._unread = bytearray()
        self._ended = False
        self._reading = select.poll()
        self._reading.register(self._output, select.POLLIN)
        self._reading.register(self._errors, select.POLLIN)

    def send(self, data: bytes, deadline: float | None) -> None:
        """See `Pipes`."""
        with contextlib.suppress(BlockingIOError):
            written = os.write(self._input, data)
            if written == len(data):
                return
            data = data[written:]
        # The pipe is full. The process may itself wait until somebody reads what it writes.
        writing = select.poll()
        writing.register(self._input, select.POLLOUT)
        if not self._ended:
            writing.register(self._output, select.POLLIN)
        writing.register(self._errors, select.POLLIN)
        while data:
            ready = dict(self._wait(writing, deadline))
            if self._errors in ready and not self._read_errors():
                # A pipe that the process closed is always ready.
                writing.unregister(self._errors)
            if self._output in ready:
                self._read_output()
                if self._ended:
                    writing.unregister(self._output)
                if len(self._unread) > MOST_UNREAD:
                    raise _too_much()
            if self._input in ready:
                with contextlib.suppress(BlockingIOError):
                    data = data[os.write(self._input, data) :]

    def receive(self, deadline: float | None) -> bytes:
        """See `Pipes`."""
        while not self._unread and not self._ended:
            ready = dict(self._wait(self._reading, deadline))
            if self._errors in ready and not self._read_errors():
                self._reading.unregister(self._errors)
            if self._output in ready:
                self._read_output()
        data = bytes(self._unread)
        self._unread.clear()
        return data

    def _wait(self, pipes: select.poll, deadline: float | None) -> list[tuple[int, int]]:
        left = None if deadline is None else max(0, math.ceil(1000 * (deadline - time.monotonic())))
        ready = pipes.poll(left)
        if not ready and left is not None and deadline is not None and time.monotonic() >= deadline:
            raise Late("it did not answer in time")
        return ready

    def _read_output(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._output, CHUNK)
            self._unread += data
            self._ended = not data

    def _read_errors(self) -> bool:
        """Read from the standard error; return whether it is still open."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._errors, CHUNK)
            self.log.add(data)
            return bool(data)
        return True

    def drain_log(self) -> None:
        """See `Pipes`."""
        with contextlib.suppress(OSError):
            # A pipe holds less than this, so a program that never stops writing does not hold the host.
            for _ in range(MOST_UNREAD // CHUNK):
                data = os.read(self._errors, CHUNK)
                if not data:
                    return
                self.log.add(data)

    def close(self) -> None:
        """See `Pipes`."""
        # The numbers may soon mean other files.
        self._input = self._output = self._errors = -1
        self._ended = True
        _close(self._files)


class ThreadedPipes:
    """Pipes that two threads read."""

    def __init__(self, process: Popen[bytes]) -> None:
        self.log = Log()
        self._process = process
        self._files = _ends(process)
        self._input, output, errors = self._files
        self._unread: deque[bytes] = deque()
        self._news = threading.Condition()
        self._ended = False
        self._closed = False
        self._threads = [
            threading.Thread(target=work, args=(file,), name="program", daemon=True)
            for work, file in ((self._read_output, output), (self._read_errors, errors))
        ]
        for thread in self._threads:
            thread.start()

    def send(self, data: bytes, deadline: float | None) -> None:
        """See `Pipes`; the deadline does not count."""
        self._input.write(data)
        self._input.flush()

    def receive(self, deadline: float | None) -> bytes:
        """See `Pipes`."""
        with self._news:
            while not self._unread and not self._ended:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    raise Late("it did not answer in time")
                self._news.wait(left)
            return b"".join(self._taken())

    def _taken(self) -> Iterator[bytes]:
        while self._unread:
            yield self._unread.popleft()
        self._news.notify_all()

    def _read_output(self, output: IO[bytes]) -> None:
        while data := _read(output):
            with self._news:
                self._news.wait_for(lambda: self._closed or sum(map(len, self._unread)) < MOST_UNREAD)
                self._unread.append(data)
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read_errors(self, errors: IO[bytes]) -> None:
        while data := _read(errors):
            self.log.add(data)

    def drain_log(self) -> None:
        """See `Pipes`: the thread reads all the time, and ends with the process."""
        if self._process.poll() is not None:
            self._threads[1].join(1.0)

    def close(self) -> None:
        """See `Pipes`."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join(1.0)
        _close(self._files)


def _read(file: IO[bytes]) -> bytes:
    try:
        return os.read(file.fileno(), CHUNK)
    except (OSError, ValueError):  # closed by another thread
        return b""


def _close(files: tuple[IO[bytes], ...]) -> None:
    for file in files:
        with contextlib.suppress(OSError):
            file.close()
