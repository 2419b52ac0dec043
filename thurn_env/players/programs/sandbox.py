"""Run a program under bubblewrap, where it reaches nothing but its own files, and within limits.

See `docs/agent_protocol.md` for what a sandbox guarantees.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any

from thurn_env.checks import is_flag, quoted
from thurn_env.engine.library_threads import VARIABLES
from thurn_env.errors import AgentError, OptionError, clipped
from thurn_env.players.programs.limits import LIMITS, Limits
from thurn_env.players.programs.syscalls import MACHINES, seccomp_filter
from thurn_env.players.programs.visible import plain_path, program_paths, system_paths

BUBBLEWRAP = "bwrap"
PATHS = ("/usr/local/bin", "/usr/bin", "/bin")
NOBODY = "65534"
"""Number of the user and the group that programs of root run as."""
TRIAL_SECONDS = 20.0
"""Timeout of the trial."""
END_SECONDS = 5.0
"""Seconds that the guard gets to end a sandbox, before it is killed and the kernel ends the sandbox."""
KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", *VARIABLES)
"""Environment variables that a program sees, if they are set."""
GUARD = Path(__file__).with_name("guard.py")
CODES = {"memory": 241, "cpu_seconds": 242, "processes": 243, "open_files": 244}
"""Exit codes of the guard, by the limit that was exceeded."""
WORDS = {
    "memory": "used more than {:,} MiB of memory",
    "cpu_seconds": "used more than {:,} s of CPU time in one game",
    "processes": "had more than {:,} processes and threads",
    "open_files": "opened more than {:,} files",
}


@dataclass(frozen=True)
class Sandbox:
    """A sandbox for programs; every program gets one of its own.

    Attributes:
        limits: limits of each program.
        hidden: folders that no program may see, even if the program's own folder contains them.
    """

    limits: Limits = field(default_factory=Limits)
    hidden: tuple[Path, ...] = ()

    @classmethod
    def of(cls, value: Any) -> Sandbox | None:
        """Return the sandbox in the value of an argument `sandbox`.

        Args:
            value: a sandbox, limits or a dictionary of them; True for the default limits; None or False for no sandbox.

        Raises:
            OptionError: the value is something else.
        """
        if value is None or isinstance(value, Sandbox):
            return value
        if isinstance(value, Limits):
            return cls(value)
        if is_flag(value):
            return cls() if value else None
        if isinstance(value, dict) and set(value) <= set(LIMITS):
            return cls(Limits(**value))
        raise OptionError(f"sandbox must be True, False or a Limits object, not {quoted(value)}")

    def hiding(self, folder: Path) -> Sandbox:
        """Return this sandbox with one more hidden folder."""
        return replace(self, hidden=tuple(dict.fromkeys([*self.hidden, plain_path(folder)])))

    def wrapped(self, words: Sequence[str]) -> list[str]:
        """Return the words of a command that runs `words` in this sandbox.

        Raises:
            OptionError: see `require_sandbox`.
        """
        require_sandbox()
        return _guarded(words, self.limits, self.hidden)

    def begin_game(self, process: Popen[bytes]) -> None:
        """Count CPU time from here on, for a process that runs `wrapped` and has answered."""
        process.send_signal(signal.SIGUSR1)

    def end(self, process: Popen[bytes]) -> None:
        """End a process that runs `wrapped`, and everything in the sandbox."""
        process.terminate()
        with contextlib.suppress(TimeoutExpired):
            process.wait(END_SECONDS)

    def reason(self, code: int) -> str | None:
        """Return in words which limit was exceeded, given the exit code of `wrapped`; None if it was none."""
        for name, number in CODES.items():
            if code == number:
                return f"{WORDS[name].format(getattr(self.limits, name))}, so its sandbox was stopped"
        return None


def require_sandbox() -> None:
    """Check that programs can be run in a sandbox here.

    Raises:
        OptionError: this is not Linux, bubblewrap is missing, or the system does not let it build a sandbox.
    """
    if reason := problem():
        raise OptionError(f"the sandbox for exec agents {reason}")


@cache
def problem() -> str:
    """Return why there is no sandbox here, with the remedy; empty if there is one."""
    if sys.platform != "linux":
        return "needs bubblewrap, which runs only on Linux; use Linux, or leave the sandbox out for programs you trust"
    if shutil.which(BUBBLEWRAP) is None:
        return "needs bubblewrap; install it (apt install bubblewrap), or leave the sandbox out for programs you trust"
    if platform.machine() not in MACHINES:
        return f"supports {' and '.join(MACHINES)}, not {platform.machine()}; use another machine"
    try:
        trial = subprocess.run(
            _guarded(["true"], Limits()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except TimeoutExpired:
        return f"failed: bubblewrap did not run 'true' within {TRIAL_SECONDS:g} s"
    if trial.returncode == 0:
        return ""
    lines = trial.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {trial.returncode}"]
    return (
        f"failed: {clipped(lines[-1], 200)}; it needs bubblewrap 0.7 or newer, and permission to create namespaces, "
        "which containers and some systems deny"
    )


def _guarded(words: Sequence[str], limits: Limits, hidden: Sequence[Path] = ()) -> list[str]:
    """Return the words of a command that starts the guard, which starts bubblewrap with `words` in it."""
    seccomp = seccomp_filter()
    bubblewrap = shutil.which(BUBBLEWRAP)
    assert seccomp is not None  # see `require_sandbox`
    assert bubblewrap is not None
    paths = program_paths(words)
    order = {
        "host": os.getpid(),
        "limits": asdict(limits),
        "codes": CODES,
        "seccomp": seccomp.hex(),
        "environment": _environment(words),
        "words": [
            bubblewrap,
            *_privileges(),
            *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
            *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
            *_system(limits),
            *_files(paths, hidden),
            *_place(),
            *("--", *_without_privileges(), *words),
        ],
    }
    # -I and -S: no module of the user, and a quick start.
    return [sys.executable, "-I", "-S", str(GUARD), json.dumps(order)]


def _root() -> bool:
    return os.geteuid() == 0


def _privileges() -> list[str]:
    """Return options for the user: other users need a namespace of users, root only keeps the right to change user."""
    if not _root():
        return ["--unshare-user"]
    return [
        "--cap-drop",
        "ALL",
        *(word for name in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{name}")),
    ]


def _without_privileges() -> list[str]:
    """Return the words before a command by which root becomes nobody. Root itself would own files and devices."""
    if not _root():
        return []
    return [
        "setpriv",
        "--reuid",
        NOBODY,
        "--regid",
        NOBODY,
        "--clear-groups",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--",
    ]


def _system(limits: Limits) -> list[str]:
    """Return options for what every sandbox has: the system, processes, devices, and scratch folders in memory."""
    scratch = ["--perms", "1777", "--size", str(limits.scratch << 20), "--tmpfs"]
    options = [
        "--proc",
        "/proc",
        "--remount-ro",
        "/proc",
        "--dev",
        "/dev",
        *scratch,
        "/dev/shm",
        "--remount-ro",
        "/dev",
    ]
    options += [*scratch, "/tmp"]
    for path in system_paths():
        options += [*_parents(path), *_shown(path)]
    return options


def _files(paths: Sequence[Path], hidden: Sequence[Path]) -> list[str]:
    """Return options for the program's own files, without hidden folders."""
    options: list[str] = []
    for path in paths:
        if _root() and path.is_dir() and path.stat().st_mode & 0o5 != 0o5:
            raise AgentError(
                f"root runs a sandbox as the user nobody, who cannot read {clipped(str(path), 200)}; "
                f"run chmod o+rx {clipped(str(path), 200)}, or run this as another user"
            )
        options += [*_parents(path), *_shown(path)]
    for folder in hidden:
        real = folder.resolve()
        for path in paths:
            if real.is_dir() and real.is_relative_to(path.resolve()):
                place = str(path / real.relative_to(path.resolve()))
                options += ["--size", "4096", "--tmpfs", place, "--remount-ro", place]
    return options


def _parents(path: Path) -> list[str]:
    """Return options that make the folders above a path, which everybody may enter."""
    return [word for folder in list(path.parents)[-2::-1] for word in ("--dir", str(folder))]


def _shown(path: Path) -> list[str]:
    """Return options that show a path of the machine in the sandbox."""
    if path.is_symlink() and not path.is_dir():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)]


def _place() -> list[str]:
    """Return options that make the current folder the program's, too, and nothing else writable."""
    here = Path.cwd()
    folder = [*_parents(here), "--dir", str(here)] if here != Path("/") else []
    return [*folder, "--remount-ro", "/", "--chdir", str(here)]


def _environment(words: Sequence[str]) -> dict[str, str]:
    """Return the environment of a program."""
    program = shutil.which(words[0])
    folders = [str(plain_path(program).parent), *PATHS] if program else PATHS
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {"PATH": ":".join(dict.fromkeys(folders)), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **kept}
