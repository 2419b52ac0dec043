"""Programs that are hostile: nothing escapes from the sandbox, the tournament goes on, and the results have the reason."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn
from tests.tournaments import SHORT, TINY, index, results
from thurn_env import make_rules
from thurn_env.errors import OptionError
from thurn_env.players.programs import sandbox as module
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.program import Program
from thurn_env.players.programs.sandbox import Sandbox, require_sandbox
from thurn_env.players.programs.syscalls import MACHINES, seccomp_filter
from thurn_env.players.programs.visible import program_paths
from thurn_env.tournament import play_tournament
from thurn_env.tournament.folder import Folder

PLAYER = Path(__file__).parent / "hostile" / "player.py"
MEMORY, SCRATCH, SECONDS, PROCESSES, FILES = 128, 8, 2, 40, 200
LIMITS = Limits(MEMORY, SCRATCH, SECONDS, PROCESSES, FILES)
WORDS = [f"memory={MEMORY}", f"scratch={SCRATCH}", f"cpu_seconds={SECONDS}", f"processes={PROCESSES}"]
BOUND = ["--sandbox", *WORDS, f"open_files={FILES}"]


def _missing() -> str:
    try:
        require_sandbox()
    except OptionError as error:
        return str(error)
    return ""


MISSING = _missing()
sandboxed = pytest.mark.skipif(bool(MISSING), reason=MISSING)
posix = pytest.mark.skipif(sys.platform == "win32", reason="the hostile programs are written for POSIX")


class World:
    """What a hostile program could harm, and the facts by which it finds it."""

    def __init__(self, folder: Path) -> None:
        self.marker = secrets.token_hex(16)
        self.secret = folder / "home" / "secret.txt"
        self.secret.parent.mkdir()
        self.secret.write_text(self.marker, "utf-8")
        self.out = folder / "out"
        # It does not inherit the marker, so that the test does not find it among what is left behind.
        self.canary = subprocess.Popen(["sleep", "600"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.local = socket.socket(socket.AF_UNIX)
        if sys.platform == "linux":
            self.local.bind("\0" + self.marker)
            self.local.listen()

    def spec(self, case: str, player: Path = PLAYER) -> str:
        """The spec of the program that does this."""
        facts = {
            "marker": self.marker,
            "secrets": [str(self.secret), str(self.out / "tournament.json"), str(self.out / "games"), str(self.out)],
            "folder": str(self.secret.parent),
            "canary": self.canary.pid,
            "port": self.listener.getsockname()[1],
            "memory": MEMORY,
            "scratch": SCRATCH,
            "open_files": FILES,
        }
        return f"exec:{sys.executable} {player} {case} {json.dumps(facts).encode().hex()}"

    def play(self, case: str, *options: str, games: int = 1, limit: float = 20) -> list[str | None]:
        """Play against `random`; the reasons of forfeits, game by game."""
        spec = self.spec(case)
        command = [
            "--agents",
            spec,
            "random",
            "--games",
            str(games),
            "--out",
            str(self.out),
            *TINY,
            *SHORT,
            "--jobs",
            "0",
        ]
        assert thurn("tournament", [*command, "--time-limit", str(limit), *options]) == 0
        lines = index(self.out)
        assert len(lines) == 2 * games
        assert all(line["forfeit"] is None or line["forfeit"]["agent"] == spec for line in lines)
        assert results(self.out)["games"] == 2 * games
        reasons = [line["forfeit"] and line["forfeit"]["reason"] for line in lines]
        row = next(row for row in results(self.out)["agents"] if row["agent"] == spec)
        assert sum(row["forfeit_reasons"].values()) == sum(reason is not None for reason in reasons)
        self.check()
        return reasons

    def check(self) -> None:
        """Nothing outside has changed, and nothing is left behind."""
        assert self.canary.poll() is None
        assert self.secret.read_text("utf-8") == self.marker
        assert os.listdir(self.secret.parent) == [self.secret.name]  # noqa: PTH208
        assert not [file for file in PLAYER.parent.iterdir() if file.name == "fill"]
        assert self.left() == []

    def left(self) -> list[str]:
        """Command lines of the programs that still run."""
        facts = json.dumps({"marker": self.marker}).encode()[:-1].hex()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if facts.encode() in words:
                found.append(words.decode())
        return found

    def close(self) -> None:
        self.canary.kill()
        self.canary.wait()
        self.listener.close()
        self.local.close()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(tmp_path)
    monkeypatch.setenv("A_SECRET_OF_THE_HOST", world.marker)
    yield world
    world.close()


@sandboxed
@pytest.mark.parametrize(
    ("case", "reasons"),
    [
        ("fork_bomb", ("processes and threads", "files", "memory")),
        ("fork_bomb_that_stays_alive", ("processes and threads", "files", "memory")),
        ("thread_bomb", ("processes and threads",)),
        ("memory", (f"used more than {MEMORY} MiB of memory, so its sandbox was stopped",)),
        ("memory_in_many_processes", (f"used more than {MEMORY} MiB of memory",)),
        ("shared_memory", (f"used more than {MEMORY} MiB of memory",)),
        ("empty_files", (f"used more than {MEMORY} MiB of memory", "CPU time")),
        ("cpu_time", (f"used more than {SECONDS} s of CPU time in one game",)),
        ("cpu_time_of_children", (f"used more than {SECONDS} s of CPU time in one game",)),
        ("open_files", (f"opened more than {FILES} files",)),
    ],
)
def test_a_program_that_exceeds_a_limit_forfeits(world: World, case: str, reasons: tuple[str, ...]) -> None:
    for reason in world.play(case, *BOUND, limit=60):
        assert reason is not None
        assert any(words in reason for words in reasons), reason


@sandboxed
@pytest.mark.parametrize("case", ["disk", "hidden_memory", "reading", "writing", "network", "signals", "privileges"])
def test_a_program_that_reaches_out_achieves_nothing(world: World, case: str) -> None:
    """It plays on, because nothing that it tried worked."""
    assert world.play(case, *BOUND) == [None, None]


@posix
@pytest.mark.skipif(sys.platform != "linux", reason="what the programs try is Linux")
@pytest.mark.parametrize("case", ["hidden_memory", "reading", "network"])
def test_without_a_sandbox_the_same_programs_achieve_it(world: World, case: str) -> None:
    """Otherwise the tests with a sandbox would prove nothing."""
    for reason in world.play(case):
        assert reason is not None
        assert "ESCAPED: " in reason


@posix
@pytest.mark.parametrize("options", [[], pytest.param(BOUND, marks=sandboxed)], ids=["free", "sandboxed"])
@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("long_line", "a line is longer than 65,536 bytes"),
        ("silence", "took longer than 1 s"),
        ("old_request", "names request 0; the open one is 1"),
        ("flood_of_errors", None),
        ("endless_flood_of_errors", "took longer than 1 s"),
        ("flood_of_output", ""),
        ("death", "ended with exit code 3; the last line of its log: I have had enough"),
    ],
)
def test_a_program_that_breaks_the_protocol_forfeits(
    world: World, case: str, reason: str | None, options: list[str]
) -> None:
    slow = reason is not None and reason.startswith("took")
    for given in world.play(case, *options, limit=1 if slow else 60):
        assert (given is None) == (reason is None), given
        assert reason is None or (given is not None and reason in given)


@sandboxed
def test_nothing_is_left_behind_by_a_program_that_ends(world: World) -> None:
    assert all("ended with exit code 3" in str(reason) for reason in world.play("left_behind", *BOUND))


@sandboxed
def test_nothing_is_left_behind_by_a_program_that_hears_no_signals(world: World) -> None:
    assert all(str(reason).startswith("took longer than 1 s") for reason in world.play("stubborn", *BOUND, limit=1))
