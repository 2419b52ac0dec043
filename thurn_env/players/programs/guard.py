"""Watch over a sandbox, as a process of its own between the host and bubblewrap.

It starts bubblewrap, adds up what all processes in the sandbox use, and kills the sandbox when that exceeds a limit,
when the host ends, or when the host asks for it. The kernel's own limits would hold for every process alone, and for
root some do not hold at all. The host starts this file as a script: it imports only the standard library.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

INTERVAL = 0.02
"""Seconds between two measurements."""
FILE_BYTES = 1024
"""Bytes of the kernel's memory that an empty file takes at least."""
SIGNALS = {signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1}
"""End of bubblewrap; the host's order to end; the host's news of a new game."""
SCRATCH = ("tmp", "dev/shm")
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


class Sandbox:
    """A running sandbox, seen through the file system for processes that is mounted in it.

    Args:
        first: number of the first process in the sandbox, which is bubblewrap's.
    """

    def __init__(self, first: int) -> None:
        self._first = first
        self._handle = os.pidfd_open(first)
        self._root = Path(f"/proc/{first}/root")
        self._mounted = False
        self._seen = 0.0
        self._spent = 0.0

    def begin_game(self) -> None:
        """Count CPU time from here on."""
        self._spent = 0.0

    def exceeded(self, limits: dict[str, int]) -> str | None:
        """Return the name of a limit that is exceeded; None if all hold."""
        used = self._usage()
        return next((name for name, most in limits.items() if name in used and used[name] > most), None)

    def _usage(self) -> dict[str, float]:
        """Return what all processes in the sandbox use together; nothing before it is built and after it has ended."""
        try:
            return self._sums() if self._ready() else {}
        except OSError:
            return {}

    def _sums(self) -> dict[str, float]:
        threads, files, memory, seconds = 0, 0, 0, 0.0
        for process in (self._root / "proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                # Of bubblewrap's own process count only the time of those that it buried.
                if process.name != "1":
                    files += sum(1 for _ in (process / "fd").iterdir())
                    threads += int(fields[17])
                    memory += int(fields[21]) * PAGE
                    seconds += sum(map(int, fields[11:13])) / TICKS
                seconds += sum(map(int, fields[13:15])) / TICKS
            except OSError:  # it has just ended
                continue
        for folder in SCRATCH:
            state = os.statvfs(self._root / folder)
            memory += (state.f_blocks - state.f_bfree) * state.f_frsize + (state.f_files - state.f_ffree) * FILE_BYTES
        # The time of a process that nobody waited for disappears with it; it is not given back.
        self._spent += max(0.0, seconds - self._seen)
        self._seen = seconds
        return {"memory": memory / (1 << 20), "cpu_seconds": self._spent, "processes": threads, "open_files": files}

    def _ready(self) -> bool:
        """Return whether the sandbox has its own list of processes; before that, one would see those of the machine."""
        if not self._mounted:
            own = Path(f"/proc/{self._first}/ns/pid").readlink()
            self._mounted = (self._root / "proc/1/ns/pid").readlink() == own
        return self._mounted

    def kill(self) -> None:
        """Kill the first process, with which the kernel kills all others."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)


def prepare(limits: dict[str, int]) -> None:
    """Set the kernel's own limits, in the process that becomes bubblewrap."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    files = limits["open_files"]
    for name, most in (("CORE", 0), ("NOFILE", files), ("MSGQUEUE", 0), ("MEMLOCK", 1 << 16), ("RTPRIO", 0)):
        kind = getattr(resource, f"RLIMIT_{name}")
        highest = resource.getrlimit(kind)[1]
        bound = most if highest == resource.RLIM_INFINITY else min(most, highest)
        resource.setrlimit(kind, (bound, bound))
    # If the machine runs out of memory all the same, the kernel ends this program first.
    Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def start(order: dict[str, Any]) -> tuple[subprocess.Popen[bytes], Sandbox | None]:
    """Start bubblewrap; without a sandbox if it failed."""
    command, *words = order["words"]
    facts, facts_in = os.pipe()
    program, program_in = os.pipe()
    os.write(program_in, bytes.fromhex(order["seccomp"]))
    os.close(program_in)
    process = subprocess.Popen(
        [command, "--seccomp", str(program), "--info-fd", str(facts_in), *words],
        pass_fds=(program, facts_in),
        preexec_fn=lambda: prepare(order["limits"]),
        # Bubblewrap's own process within the sandbox shows its environment, so it must not be the host's.
        env=order["environment"],
    )
    os.close(program)
    os.close(facts_in)
    with os.fdopen(facts, "rb") as answer:
        text = answer.read()
    try:
        return process, Sandbox(json.loads(text)["child-pid"]) if text else None
    except ProcessLookupError:
        return process, None


def watch(process: subprocess.Popen[bytes], sandbox: Sandbox | None, order: dict[str, Any]) -> int:
    """Watch until the program ends; return its exit code, or the one ordered for an exceeded limit."""
    while True:
        news = signal.sigtimedwait(SIGNALS, INTERVAL)
        code = process.poll()
        if code is not None:
            return code if code >= 0 else 128 - code
        if news is not None and news.si_signo == signal.SIGUSR1 and sandbox is not None:
            sandbox.begin_game()
        over = sandbox.exceeded(order["limits"]) if sandbox is not None else None
        asked = news is not None and news.si_signo == signal.SIGTERM
        if over or asked or os.getppid() != order["host"]:
            if sandbox is not None:
                sandbox.kill()
            else:
                process.kill()
            # Bubblewrap waits for its first process, which ends after all others.
            process.wait()
            return int(order["codes"][over]) if over else 128 + signal.SIGTERM


def main(order: dict[str, Any]) -> int:
    """Run a sandbox as the host orders."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    process, sandbox = start(order)
    return watch(process, sandbox, order)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
