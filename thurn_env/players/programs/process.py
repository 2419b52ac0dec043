"""A long-lived process without a shell that answers lines with lines."""

from __future__ import annotations

import atexit
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import weakref
from collections.abc import Callable, Sequence

from thurn_env.errors import AgentError, clipped
from thurn_env.players.programs.failure import ProgramFailed, Refused
from thurn_env.players.programs.log import Log
from thurn_env.players.programs.pipes import pipes_of
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.programs.signals import held_back

Tap = Callable[[str, bytes], None]
"""A function that gets every line of a conversation: `">"` and a line to the program, or `"<"` and one from it."""

LONGEST_LINE = 64 * 1024
"""Number of bytes of a line from a program, without its end."""
QUIT_SECONDS = 1.0
"""Seconds that a process gets to end by itself after a farewell."""
GRACE_SECONDS = 0.2
"""Seconds that it gets to end by itself without one, after the end of its input."""
KILL_SECONDS = 5.0
"""Seconds that the system gets to end a killed process."""

_started: weakref.WeakSet[Process] = weakref.WeakSet()
"""Processes that are to end with this one."""


def words_of(command: str) -> list[str]:
    """Return the words of a command line, split as a POSIX shell does; on Windows backslashes stay.

    Raises:
        AgentError: the command is empty, or a quotation mark is missing.
    """
    windows = os.name == "nt"
    try:
        words = shlex.split(command, posix=not windows)
    except ValueError as error:
        raise AgentError(f"exec:{clipped(command)}: {str(error).lower()}; close every quotation mark") from None
    if windows:
        words = [word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word for word in words]
    if not words:
        raise AgentError("exec needs a command: exec:COMMAND, for example exec:'python bot.py'")
    return words


class Process:
    """A running program.

    It ends with this process: its standard input is closed then, and a program has to end at the end of its input.

    Args:
        words: the command and its arguments; no shell sees them.
        sandbox: sandbox to run it in; None runs it as any other program.
        tap: see `Tap`.

    Raises:
        AgentError: there is no such command, or it cannot be started.
    """

    def __init__(self, words: Sequence[str], sandbox: Sandbox | None = None, tap: Tap | None = None) -> None:
        self._sandbox = sandbox
        self._tap = tap
        self._owner = os.getpid()
        try:
            self._process = subprocess.Popen(
                list(words) if sandbox is None else sandbox.wrapped(words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C in the terminal is for the host alone, and the process is killed with all that it started.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise AgentError(f"exec: cannot start {clipped(words[0])!r}: {reason}") from None
        self._pipes = pipes_of(self._process)
        self._line = bytearray()
        # Also called when this object is dropped; `_stop_all` takes care of the end of this process.
        self._finish = weakref.finalize(self, _finished, self._process, self._pipes.close, sandbox, self._owner)
        self._finish.atexit = False
        _started.add(self)

    def log(self) -> Log:
        """Return what it wrote to its standard error."""
        self._pipes.drain_log()
        return self._pipes.log

    @property
    def running(self) -> bool:
        """Whether it runs as a child of this very process; a copy made by `fork` has to start its own."""
        return self._owner == os.getpid() and self._finish.alive and self._process.poll() is None

    def begin_game(self) -> None:
        """Count the CPU time of another game, if a sandbox limits it."""
        if self._sandbox is not None and self.running:
            self._sandbox.begin_game(self._process)

    def send(self, data: bytes, deadline: float | None = None) -> None:
        """Write bytes to its input; for the deadline and errors see `Pipes.send`.

        Raises:
            ProgramFailed: the process has ended.
        """
        if self._tap is not None:
            self._tap(">", data)
        try:
            self._pipes.send(data, deadline)
        except OSError:
            raise self._ended() from None

    def line(self, deadline: float | None = None) -> bytes:
        r"""Return the next line of its output, without `"\n"`.

        Raises:
            Late: there was none in time.
            Refused: the line is longer than `LONGEST_LINE`.
            ProgramFailed: the process has ended.
        """
        searched = 0
        while True:
            end = self._line.find(b"\n", searched)
            if max(end, 0) > LONGEST_LINE or (end < 0 and len(self._line) > LONGEST_LINE):
                raise Refused(f"a line is longer than {LONGEST_LINE:,} bytes")
            if end >= 0:
                line = bytes(self._line[:end])
                del self._line[: end + 1]
                if self._tap is not None:
                    self._tap("<", line)
                return line
            searched = len(self._line)
            data = self._pipes.receive(deadline)
            if not data:
                raise self._ended()
            self._line += data

    def _ended(self) -> ProgramFailed:
        """Return the error for a process that has ended, with its exit code and the last line of its log."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        code = self._process.poll()
        if self._sandbox is not None and code is not None and (reason := self._sandbox.reason(code)):
            return ProgramFailed(f"it {reason}")
        how = "closed its output" if code is None else f"ended with {_status(code)}"
        last = self.log().last_line
        return ProgramFailed(f"it {how}" + (f"; the last line of its log: {last}" if last else "; its log is empty"))

    def stop(self, farewell: bytes = b"", seconds: float = QUIT_SECONDS) -> None:
        """End the process and everything that it started.

        Args:
            farewell: last line for the process; empty for none.
            seconds: time that it gets to end by itself after the farewell.
        """
        if not self._finish.alive:
            return
        try:
            if farewell and self.running:
                with contextlib.suppress(OSError, ProgramFailed):
                    self.send(farewell, 0.0)
                    assert self._process.stdin is not None
                    self._process.stdin.close()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(seconds)
        finally:
            # A signal that arrives before the process is killed would leave it running for ever.
            with held_back():
                self._pipes.drain_log()
                self._finish()


def _status(code: int) -> str:
    names = [number.name for number in signal.Signals if number == -code]
    return names[0] if names else f"exit code {code}"


def _finished(
    process: subprocess.Popen[bytes],
    close: Callable[[], None],
    sandbox: Sandbox | None,
    owner: int,
) -> None:
    """End a process with its whole group, and close its pipes. In a copy made by `fork` only the pipes are closed."""
    try:
        if os.getpid() == owner:
            # Nothing calls this function again if a signal ends it early.
            with held_back():
                _end(process, sandbox)
        else:
            process.returncode = 0  # its parent waits for it
    finally:
        close()


def _end(process: subprocess.Popen[bytes], sandbox: Sandbox | None) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_SECONDS)
    if sandbox is not None:
        sandbox.end(process)
    if hasattr(os, "killpg"):
        # The group may outlive the process that leads it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    # One that runs as another user cannot be killed.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(KILL_SECONDS)


@atexit.register
def _stop_all() -> None:
    """End all processes at the end of this one, also if Ctrl-C is pressed meanwhile."""
    with held_back():
        for process in list(_started):
            process.stop()


def check_command(words: Sequence[str]) -> None:
    """Raise `AgentError` if there is no such command."""
    if shutil.which(words[0]) is None:
        raise AgentError(
            f"exec: there is no command {clipped(words[0])!r}; name a program on the path, or the path of one that is "
            "executable"
        )
