"""The programs of agents/: they play whole games and refuse what they do not understand.

The commands that compile and start them are those of agents/README.md.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.programs import thurn
from tests.tournaments import files, index, results

ROOT = Path(__file__).parents[1]
LANGUAGES = ("Python programs", "C", "JavaScript", "Rust")
"""Headings in the README."""
SCHEMAS: dict[str, Any] = json.loads(
    (ROOT / "thurn_env" / "players" / "programs" / "schemas" / "from_host.json").read_text("utf-8")
)["$defs"]
NOT_ASKED_FOR = ("hello", "game_start", "event", "request", "game_end", "ping", "error")
"""Messages that the host sends to every agent, without `quit`."""
HELLO = {"type": "hello", "protocol": "thurn-agent/1", "game": "noughts", "version": "1.0"}
GAME_START = {
    "type": "game_start",
    "seat": 0,
    "start_player": 0,
    "move": 0,
    "seed": str(2**64 - 1),
    "players": 2,
    "options": {},
    "board": {"name": "three by three ✓"},
    "actions": ["left", "right"],
    "view": {"public": {}, "own": {}},
    "time": {"decision_ms": None, "start_ms": None},
}
REQUEST = {
    "type": "request",
    "request": 2**53 - 1,
    "view": {"public": {}, "own": {}},
    "legal": [{"index": 0, "text": "left"}, {"index": 1, "text": "right"}],
    "deadline_ms": None,
}


class Client(NamedTuple):
    """A program that is ready to start.

    Attributes:
        folder: folder with a copy of agents/, in which the commands run.
        watch: command of the README that shows a game of it, without `thurn`.
        spec: its spec as an agent.
    """

    folder: Path
    watch: list[str]
    spec: str

    def start(self) -> subprocess.Popen[bytes]:
        """Start it in its folder."""
        return subprocess.Popen(
            shlex.split(self.spec.removeprefix("exec:")),
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def commands(language: str) -> list[list[str]]:
    """Return the words of the commands in the README's section about a language."""
    readme = (ROOT / "agents" / "README.md").read_text("utf-8")
    block = re.search(rf"^## {language}\n\n```sh\n(.*?)```", readme, re.MULTILINE | re.DOTALL)
    assert block is not None
    return [shlex.split(line) for line in block[1].splitlines()]


@pytest.fixture(scope="module", params=LANGUAGES)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A program, compiled as the README says."""
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copytree(ROOT / "agents", folder / "agents")
    *compiling, (_, *watch) = commands(request.param)
    compiling = [command for command in compiling if command[0] != "thurn"]
    spec = next(word for word in watch if word.startswith("exec:"))
    tool = compiling[0][0] if compiling else shlex.split(spec.removeprefix("exec:"))[0]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed, so the agent in {request.param} is not tested")
    for command in compiling:
        subprocess.run(command, cwd=folder, check=True)
    return Client(folder, watch, spec)


@pytest.fixture
def in_folder(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the README name files by relative paths."""
    monkeypatch.chdir(client.folder)


@pytest.fixture
def process(client: Client) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs. Its input stays open, so it has to end by itself."""
    with client.start() as running:
        yield running
        running.kill()


def send(process: subprocess.Popen[bytes], *lines: bytes | dict[str, Any]) -> None:
    """Write lines to a program; messages are encoded."""
    assert process.stdin is not None
    for line in lines:
        process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
    process.stdin.flush()


def receive(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the next message of a program."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(process.stdout.readline())
    return message


def rest(process: subprocess.Popen[bytes]) -> tuple[int, bytes, str]:
    """Wait for the end of a program; return its exit code, its output and its log."""
    assert process.stdout is not None
    assert process.stderr is not None
    code = process.wait(60)
    return code, process.stdout.read(), process.stderr.read().decode()


def tournament(client: Client, out: Path, opponent: str, *options: str) -> Path:
    command = ["--agents", client.spec, opponent, "--players", "2", "--secret", "none", "--jobs", "0"]
    assert thurn("tournament", [*command, "--bootstrap", "20", "--out", str(out), *options]) == 0
    return out


@pytest.mark.usefixtures("in_folder")
def test_the_command_of_the_readme_runs(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    command, *words = client.watch
    assert thurn(command, [*words, "--board", "tiny", "--seed", "1"]) == 0
    assert "result" in capsys.readouterr().out


@pytest.mark.usefixtures("in_folder")
@pytest.mark.parametrize(
    "game", ["--game thurn_und_taxis --board tiny", "--game zug_um_zug_deutschland --board tiny_rails"]
)
def test_whole_games_without_a_fault_and_from_the_seed(client: Client, tmp_path: Path, game: str) -> None:
    first, second = (
        tournament(client, tmp_path / name, "random", *game.split(), "--games", "2") for name in ("first", "second")
    )
    assert results(first)["forfeited"] == 0
    assert [(line["forfeit"], line["truncated"]) for line in index(first)] == [(None, False)] * 4
    assert files(first) == files(second)


@pytest.mark.usefixtures("in_folder")
@pytest.mark.parametrize("client", ["JavaScript"], indirect=True)
def test_the_route_planner_beats_greedy(client: Client, tmp_path: Path) -> None:
    tournament(client, tmp_path / "out", "greedy", "--games", "5")
    rates = {row["agent"]: row["win_rate"] for row in results(tmp_path / "out")["agents"]}
    assert rates[client.spec] >= 0.8


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"ping","ping":1', "not JSON"),
        (b'{"type":"ping","ping":01}', "not JSON"),
        (b'{"type":"ping","ping":NaN}', "not JSON"),
        (b'{"type":"ping","ping":1} {}', "not JSON"),
        (b'{"type":"ping\\x","ping":1}', "not JSON"),
        (b'{"type":"pi\tng","ping":1}', "not JSON"),
        (b"", "not JSON"),
        (b"\xff", "not "),
        (b'"ping"', "not a JSON object"),
        (b"[]", "not a JSON object"),
        (b'{"type":"poke"}', 'unknown type "poke"'),
        (b'{"ping":1}', "type"),
        (b'{"type":"request","request":1,"view":{},"legal":[],"deadline_ms":null}', "without legal actions"),
        (b'{"type":"ping","ping":1,"pong":2}', 'unknown field "pong"'),
        (b'{"type":"hello","protocol":"thurn-agent/2","game":"noughts","version":"1"}', '"thurn-agent/2"'),
        (b'{"type":"error","reason":"a line is too long"}', "the host refused a message: a line is too long"),
    ],
)
def test_it_refuses_what_it_does_not_understand(process: subprocess.Popen[bytes], line: bytes, reason: str) -> None:
    send(process, line)
    code, output, log = rest(process)
    assert code not in (0, None)
    assert output == b""
    assert re.fullmatch(r"agent: .*\n", log)
    assert reason in log


@pytest.mark.parametrize("kind", NOT_ASKED_FOR)
def test_it_knows_all_fields_of_the_schemas(process: subprocess.Popen[bytes], kind: str) -> None:
    fields = SCHEMAS[kind]["properties"]
    send(process, {**dict.fromkeys(fields), "type": kind}, b"{")
    code, _, log = rest(process)
    assert code == 1  # for a value that is null, or for the second line
    assert "agent" in log
    assert "unknown" not in log


def test_it_ends_when_the_host_says_quit(process: subprocess.Popen[bytes]) -> None:
    send(process, HELLO)
    hello = receive(process)
    assert hello.items() >= {"type": "hello", "protocol": "thurn-agent/1"}.items()
    send(process, {"type": "quit"})
    assert rest(process) == (0, b"", "")


def test_it_ends_at_the_end_of_its_input(process: subprocess.Popen[bytes]) -> None:
    send(process, HELLO)
    assert receive(process)["type"] == "hello"
    assert process.stdin is not None
    process.stdin.close()
    assert rest(process) == (0, b"", "")


def test_it_answers_pings_at_any_time(process: subprocess.Popen[bytes]) -> None:
    send(process, {"type": "ping", "ping": 0}, HELLO, {"type": "ping", "ping": 1}, GAME_START)
    answers = [receive(process) for _ in range(4)]
    assert [answer["type"] for answer in answers] == ["pong", "hello", "pong", "ready"]
    send(process, REQUEST, {"type": "ping", "ping": 2**53 - 1})
    answer, pong = receive(process), receive(process)
    assert pong == {"type": "pong", "ping": 2**53 - 1}
    assert answer["request"] == REQUEST["request"]
    if answer["type"] == "action":
        assert answer["action"] in (0, 1, "left", "right")
    else:
        assert answer["type"] == "sample"
