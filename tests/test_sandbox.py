"""Hostile programs: nothing escapes from the sandbox, the tournament goes on, and the results have the reason."""

from __future__ import annotations

import gc
import io
import json
import os
import secrets
import select
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.programs import thurn
from tests.tournaments import SHORT, TINY, index, results
from thurn_env import make_rules
from thurn_env.errors import OptionError, ThurnError
from thurn_env.players.programs import sandbox as module
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.program import Program
from thurn_env.players.programs.sandbox import Sandbox, require_sandbox
from thurn_env.players.programs.syscalls import MACHINES, REFUSED, seccomp_filter
from thurn_env.players.programs.visible import program_paths
from thurn_env.serve.menu import Menu
from thurn_env.serve.public_names import public_name
from thurn_env.tournament import play_tournament
from thurn_env.tournament.folder import Folder

PLAYER = Path(__file__).parent / "hostile" / "player.py"
MEMORY, SCRATCH, SECONDS, PROCESSES, FILES = 128, 8, 1, 40, 200
LIMITS = Limits(MEMORY, SCRATCH, SECONDS, PROCESSES, FILES)


def bound(**others: int) -> list[str]:
    """The option with these limits."""
    return ["--sandbox", *(f"{name}={most}" for name, most in (asdict(LIMITS) | others).items())]


BOUND = bound()


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
            "out": str(self.out),
            "folder": str(self.secret.parent),
            "canary": self.canary.pid,
            "port": self.listener.getsockname()[1],
            "memory": MEMORY,
            "scratch": SCRATCH,
            "open_files": FILES,
        }
        return f"exec:{sys.executable} {player} {case} {json.dumps(facts).encode().hex()}"

    def play(
        self, case: str, *options: str, games: int = 1, limit: float = 20, player: Path = PLAYER
    ) -> list[str | None]:
        """Play against `random`; the reasons of forfeits, game by game."""
        spec = self.spec(case, player)
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
        # What was killed may take a moment to end on a busy machine.
        end = time.monotonic() + 30
        while self.left() and time.monotonic() < end:
            select.select([], [], [], 0.01)
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
def test_empty_files_take_memory(world: World) -> None:
    for reason in world.play("empty_files", *bound(memory=32, cpu_seconds=60), limit=60):
        assert "used more than 32 MiB of memory" in str(reason)


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


@sandboxed
def test_the_cpu_time_of_every_game_counts_for_itself(world: World) -> None:
    """Two games together take longer than the limit of one."""
    assert world.play("most_of_the_cpu_time", *BOUND, limit=60) == [None, None]


@sandboxed
def test_other_games_go_on(world: World) -> None:
    """Several worker processes, of which each has its sandbox, and one game after another."""
    reasons = world.play("fork_bomb_that_stays_alive", *BOUND, "--jobs", "2", games=3)
    assert all("its sandbox was stopped" in str(reason) for reason in reasons)


@sandboxed
def test_the_folder_of_the_tournament_is_hidden_within_the_folder_of_the_program(world: World) -> None:
    world.secret.parent.parent.joinpath("bots").mkdir()
    player = Path(shutil.copy(PLAYER, world.secret.parent.parent / "bots"))
    world.out = player.parent / "runs" / "out"
    assert world.play("seeing_the_tournament", *BOUND, player=player) == [None, None]
    # The second call finds a folder with records.
    assert world.play("seeing_the_tournament", *BOUND, player=player, games=2) == [None] * 4
    shutil.rmtree(world.out)
    assert "ESCAPED: sees the tournament" in str(world.play("seeing_the_tournament", player=player)[1])


@sandboxed
def test_a_sandbox_ends_with_its_host(world: World) -> None:
    """Even a host that is killed, and so cannot clean up, leaves nothing behind."""
    code = (
        "import sys; from thurn_env.players.programs.process import Process, words_of; "
        "from thurn_env.players.programs.sandbox import Sandbox; "
        "process = Process(words_of(sys.argv[1]), Sandbox()); print('started', flush=True); input()"
    )
    spec = world.spec("silence_alone").removeprefix("exec:")
    host = subprocess.Popen([sys.executable, "-c", code, spec], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdin is not None
    assert host.stdout.readline() == b"started\n"
    while len(world.left()) < 4:  # the host, its guard, bubblewrap and the program
        assert host.poll() is None
    host.kill()
    host.wait()
    end = time.monotonic() + 20
    while world.left():
        assert time.monotonic() < end
    host.stdin.close()
    host.stdout.close()


@sandboxed
def test_a_tournament_is_continued_in_the_same_sandbox(tmp_path: Path) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=15)
    agents = ["random", "greedy"]
    play_tournament(agents, rules, 1, folder=tmp_path, jobs=0, bootstrap=0, sandbox=LIMITS)
    stored = Folder.existing(tmp_path).config.sandbox
    assert stored is not None
    assert stored.limits == LIMITS
    assert play_tournament(agents, rules, 2, folder=tmp_path, jobs=0, bootstrap=0, sandbox=LIMITS).figures["games"] == 4
    for other in (None, True, Limits(memory=64)):
        with pytest.raises(ThurnError, match=r"holds another tournament: sandbox \{'memory': 128"):
            play_tournament(agents, rules, 2, folder=tmp_path, jobs=0, sandbox=other)


@sandboxed
@pytest.mark.parametrize("command", ["watch", "play", "serve"])
def test_other_commands_take_the_sandbox(world: World, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = world.spec("reading")
    if command == "watch":
        assert thurn("watch", ["--agents", spec, "random", "--board", "tiny", *BOUND, "--seed", "1"]) == 0
    elif command == "play":
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 6))
        save = str(world.out.parent / "game.json")
        assert thurn("play", ["--agents", "human", spec, "--board", "tiny", "--save", save, *BOUND]) == 0
    else:
        menu = Menu((spec,), sandbox=Sandbox(LIMITS))
        order = menu.order({"agents": ["human", public_name(spec)], "board": "tiny"})
        order.try_agents([])
        _, agents = order.deal()
        assert isinstance(agents[1], Program)
        assert agents[1].sandbox == Sandbox(LIMITS)
        del agents
    gc.collect()
    world.check()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A machine that this one pretends to be."""
    module.problem.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    module.problem.cache_clear()


@pytest.mark.parametrize("command", ["tournament", "match", "watch", "play", "serve", "mcp"])
def test_without_bubblewrap_nothing_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], elsewhere: pytest.MonkeyPatch, command: str
) -> None:
    elsewhere.setattr(module, "BUBBLEWRAP", "no-such-bwrap")
    elsewhere.setattr("sys.platform", "linux")
    arguments = {"tournament": ["--out", str(tmp_path / "out")], "play": [], "watch": []}.get(command, [])
    agents = {"play": ["human", "random"]}.get(command, ["random", "greedy"])
    named = agents if command == "match" else ["--agents", *agents]
    assert thurn(command, [*named, *arguments, "--sandbox"]) == 2
    assert capsys.readouterr().err == (
        f"thurn {command}: the sandbox for exec agents needs bubblewrap; install it (apt install bubblewrap), "
        "or leave the sandbox out for programs you trust\n"
    )
    assert not (tmp_path / "out").exists()


def test_other_systems_have_no_sandbox(elsewhere: pytest.MonkeyPatch) -> None:
    for system in ("win32", "darwin"):
        module.problem.cache_clear()
        elsewhere.setattr("sys.platform", system)
        with pytest.raises(OptionError, match="needs bubblewrap, which runs only on Linux; use Linux, or leave"):
            play_tournament(["random", "greedy"], make_rules("thurn_und_taxis", 2, "tiny"), 1, jobs=0, sandbox=True)


@sandboxed
def test_a_sandbox_that_cannot_be_built_is_explained(elsewhere: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n", "utf-8")
    fake.chmod(0o755)
    elsewhere.setattr(module, "BUBBLEWRAP", str(fake))
    with pytest.raises(
        OptionError, match="failed: bwrap: No permissions to create a new namespace; it needs bubblewrap"
    ):
        require_sandbox()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["memory=15"], "sandbox memory must be from 16 to 1,048,576, not 15"),
        (["processes=x"], "sandbox processes must be a whole number, not 'x'"),
        (["files=3"], "--sandbox has no option 'files'; did you mean"),
        (["memory=64", "memory=65"], "--sandbox: memory is given twice"),
    ],
)
def test_a_limit_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], reason: str
) -> None:
    assert (
        thurn("tournament", ["--agents", "random", "greedy", "--out", str(tmp_path / "out"), "--sandbox", *words]) == 2
    )
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_value_that_is_no_sandbox_is_refused() -> None:
    for value in ("yes", 1, {"files": 3}, [Limits()]):
        with pytest.raises(OptionError, match="sandbox must be True, False or a Limits object, not "):
            Sandbox.of(value)
    assert Sandbox.of(False) is Sandbox.of(None) is None
    assert Sandbox.of(True) == Sandbox(Limits())
    assert Sandbox.of({"memory": 64}) == Sandbox.of(Limits(memory=64)) == Sandbox(Limits(memory=64))


def test_the_filter_fits_the_processor() -> None:
    for machine, (column, architecture) in MACHINES.items():
        steps = list(struct.iter_unpack("=HBBI", seccomp_filter(machine) or b""))
        assert steps[1][3] == architecture
        tested = {value for code, _, _, value in steps if code == 0x15}
        assert {numbers[column] for numbers in REFUSED.values()} <= tested
        # Every jump stays within the program, which ends by allowing the call.
        assert all(place + max(yes, no) < len(steps) - 1 for place, (_, yes, no, _) in enumerate(steps[:-1]))
    assert seccomp_filter("riscv64") is None


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, which is also the current one."""
    place = tmp_path / "home" / "me"
    for folder in ("bots", "env/bin", "env/lib", ".local/bin", "tools/bin", "bin"):
        (place / folder).mkdir(parents=True)
    for file in ("bots/bot.py", "bot.py", "weights.bin"):
        (place / file).write_text("", "utf-8")
    for file in ("env/bin/python", ".local/bin/python", "tools/bin/tool", "bin/own"):
        (place / file).write_text("#!/bin/sh\n", "utf-8")
        (place / file).chmod(0o755)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.chdir(place)
    return place


@posix
@pytest.mark.parametrize(
    ("command", "seen"),
    [
        # The folder of the script, and the installation of its interpreter.
        ("env/bin/python bots/bot.py", ["bots", "env"]),
        # What lies in the home folder itself comes alone.
        ("env/bin/python bot.py", ["bot.py", "env"]),
        ("env/bin/python bots/bot.py --weights=weights.bin", ["bots", "env", "weights.bin"]),
        # These folders hold the data of all programs.
        (".local/bin/python bots/bot.py", [".local/bin", "bots"]),
        ("bin/own .", ["bin"]),
        ("tools/bin/tool --fast", ["tools"]),
        ("/bin/sh -c true", []),
    ],
)
def test_a_program_sees_what_its_command_names(home: Path, command: str, seen: list[str]) -> None:
    assert [str(path.relative_to(home)) for path in program_paths(command.split())] == seen


@posix
def test_links_and_interpreters_are_followed(home: Path) -> None:
    (home / "env/bin/python").unlink()
    (home / "env/bin/python").symlink_to(home / "tools/bin/tool")
    assert [path.name for path in program_paths(["env/bin/python"])] == ["env", "tools"]
    script = home / "bots" / "bot"
    script.write_text(f"#!/usr/bin/env {home}/tools/bin/tool\n", "utf-8")
    script.chmod(0o755)
    assert [path.name for path in program_paths(["bots/bot"])] == ["bots", "tools"]
