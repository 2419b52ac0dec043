"""Tables whose kernels are compiled first: by another process, while the page says so and other tables play."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient

from tests.plugins import install, path_with
from tests.serving import ORDER, Clock, begin, open_table, play_together, prepare, serving, state
from thurn_env import make_rules
from thurn_env.engine.kernels import JIT_DISABLED
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.stages import STAGES
from thurn_env.serve import live_game, waiting
from thurn_env.serve.menu import Menu

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture
def client() -> Iterator[TestClient]:
    with serving(Clock()) as client:
        yield client


class Asker:
    """Asks a server in another process."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __call__(self, path: str, body: Any = None) -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(
                Request(self.address + path, data, {"content-type": "application/json"}), timeout=120
            ) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[Asker]:
    """`thurn serve` with nothing compiled, where a package is installed whose game compiles quickly."""
    site = install(tmp_path / "site")
    environment = {**os.environ, "THURN_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path_with(site)}
    command = [sys.executable, "-m", "thurn_env", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        address = re.search(r"http://\S+(?=/ )", server.stdout.readline())
        assert address is not None
        yield Asker(address[0])
        server.terminate()


def test_a_table_with_nothing_compiled(cold: Asker) -> None:
    """The order is answered at once; the page names what is compiled, then shows the board; the game goes on."""
    # With this seed the bot begins, so that the person's turn comes only when the bots are compiled.
    status, answer = cold("/games", {"game": "coaches", "agents": ["greedy", "human"], "seed": 2})
    assert status == 201
    address = json.loads(answer)["address"]
    status, page = cold(address)
    assert (status, "<h1>Preparing the game" in page) == (200, True)
    assert "Preparing the standard board for 2 players" in page
    about = STAGES["game"].after + STAGES["bots"].after
    assert f"compiling single games, about {about} s left" in page
    assert 'http-equiv="refresh"' in page
    assert "A new game" in cold("/")[1]
    # The server waits for the board, but not for ever.
    while (answered := cold(f"{address}/state"))[0] == 503:
        assert "Preparing the standard board" in answered[1]
    assert 'id="turns"' in cold(address)[1]
    news = json.loads(answered[1])
    # The board is there; the bot, which begins, is not.
    assert f"compiling scripted bots, about {STAGES['bots'].after} s left" in news["note"]
    while not news["turn"]:
        assert not news["problem"]
        news = json.loads(cold(f"{address}/state?since={news['moment']}")[1])
    # Everything is there now: the next table does not wait.
    again = json.loads(cold("/games", {"game": "coaches", "agents": ["human", "greedy"]})[1])["address"]
    assert "<h1>Preparing the game" not in cold(again)[1]
    assert json.loads(cold(f"{again}/state")[1])["note"] == ""


@pytest.fixture
def slow_compiler(monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], list[Sequence[str]]]:
    """A compiler that does not come to an end: stages that are missing, for tests to change, and its commands."""
    missing, runs = set[str](), list[Sequence[str]]()

    async def run(command: Sequence[str]) -> None:
        runs.append(command)
        await asyncio.Event().wait()

    monkeypatch.setattr(waiting, "_run", run)
    monkeypatch.setattr(live_game, "HINT_PATIENCE", 0.01)
    prepared = KernelRules.prepared
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: stage not in missing and prepared(rules, stage))
    return missing, runs


def test_a_hint_compiles_in_another_process(
    client: TestClient, slow_compiler: tuple[set[str], list[Sequence[str]]]
) -> None:
    """A table may be ready when its adviser is not, as after `make install`; the server itself compiles nothing."""
    missing, runs = slow_compiler
    address = begin(client)
    news = state(client, address)
    missing.add("bots")
    for _ in range(2):
        answer = client.post(f"{address}/hint", json={"move": news["move"]})
        assert answer.status_code == 503
        assert answer.json()["error"] == (
            "Preparing the tiny board for 2 players, which is needed only once: "
            f"compiling scripted bots, about {STAGES['bots'].alone} s left."
        )
    assert [command[-3:] for command in runs] == [("--stage", "game", "bots")]
    # The table plays on.
    body = {"move": news["move"], "action": news["turn"]["legal"][0]}
    assert client.post(f"{address}/moves", json=body).status_code == 200
    missing.clear()
    news = state(client, address)
    assert client.post(f"{address}/hint", json={"move": news["move"]}).json()["text"].startswith("greedy would play")


def test_a_review_waits_for_what_it_needs(
    client: TestClient, slow_compiler: tuple[set[str], list[Sequence[str]]]
) -> None:
    missing, _ = slow_compiler
    addresses, _ = open_table(client, "Ann", "Bob")
    client.post(f"{addresses[0]}/start", json={})
    play_together(client, addresses)
    missing.add("bots")
    client.post(f"{addresses[0]}/review", json={})
    progress = client.post(f"{addresses[0]}/review", json={}).json()
    assert (progress["done"], progress["ready"]) == (0, False)
    assert "compiling scripted bots" in progress["note"]
    missing.clear()
    while not progress["ready"]:
        progress = client.post(f"{addresses[0]}/review", json={}).json()
    assert progress["note"] == ""


def test_what_agents_need() -> None:
    posts, trains = make_rules("thurn_und_taxis", 2, "tiny"), make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    stages = waiting.stages_for
    assert stages(["human"], posts) == ("game",)
    assert stages(["human", "heuristic"], posts) == ("game", "bots")
    assert stages(["mcts:1000", "greedy"], posts) == ("game", "bots", "search")
    assert stages(["ppo+mcts:model,100", "human"], trains) == ("game", "bots", "search", "guided-search")
    assert stages(["ppo:model", "human"], posts) == ("game", "bots", "search")
    assert stages(["ppo:model", "human"], trains) == ("game", "bots", "search", "ways")


def test_the_note_adds_up_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is a new process, so its first stage takes as long as alone, and what is done counts no more."""
    order = Menu().order({"board": "tiny", "agents": ["human", "human"]})
    done = {"game", "bots"}
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: stage in done)
    table = waiting.Waiting(order, waiting.stages_for(["ppo+mcts:model,100"], order.rules))
    search, guided = STAGES["search"], STAGES["guided-search"]
    for stage, about in ((search, search.alone + guided.after), (guided, guided.after)):
        assert table.note == (
            "Preparing the tiny board for 2 players, which is needed only once: "
            f"compiling {stage.title}, about {about} s left."
        )
        done.add(stage.name)
    assert table.note == "Preparing the tiny board for 2 players, which is needed only once."


def test_a_failure_is_reported(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The terminal shows the reason, which may name files of the server; other tables play on."""
    other = begin(client)
    prepare(ORDER)
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: rules.players == 2)
    failing = (sys.executable, "-c", "import sys; sys.exit('thurn warm: the disk is full')")
    monkeypatch.setattr(waiting, "_command", lambda rules, stages: failing)
    address = client.post("/games", json=ORDER | {"agents": ["human", "greedy", "greedy"]}).json()["address"]
    answer = client.get(f"{address}/state")
    assert answer.status_code == 500
    sentence = "The kernels cannot be compiled; the terminal of the server shows the reason."
    assert answer.json()["error"] == sentence
    assert "thurn warm: the disk is full" in caplog.text
    page = client.get(address)
    assert (page.status_code, sentence in page.text) == (500, True)
    assert state(client, other)["turn"]


def test_a_priority_that_may_not_be_set_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of a server which runs with a lower one."""

    def refused(*arguments: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refused, raising=False)
    asyncio.run(waiting._run([sys.executable, "-c", ""]))


def test_tables_that_wait_for_the_same_compiler_all_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both notice its end at the same time."""
    order, runs = Menu().order({"board": "tiny", "agents": ["human", "human"]}), []

    async def run(command: Sequence[str]) -> None:
        runs.append(command)
        await asyncio.sleep(0)

    async def both() -> None:
        compiling = waiting.Compiling()
        await asyncio.gather(compiling.ready(order, ["game"]), compiling.ready(order, ["game"]))

    monkeypatch.setattr(waiting, "_run", run)
    looks = iter([False, False])
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: next(looks, True))
    asyncio.run(both())
    assert len(runs) == 1


def test_the_command_that_compiles() -> None:
    """`thurn warm` for the same rules."""
    options = {"horses": True, "max_rounds": 30}
    order = Menu().order({"board": "north", "agents": ["human"] * 3, "options": options})
    program, *rest = waiting._command(order, ["game", "bots"])
    assert program == sys.executable
    assert rest[:9] == ["-m", "thurn_env", "warm", "--game", "thurn_und_taxis", "--board", "north", "--players", "3"]
    assert "horses=true" in rest
    assert "max_rounds=30" in rest
    assert rest[-3:] == ["--stage", "game", "bots"]
