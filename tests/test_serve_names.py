"""Visitors of the server see names, never the commands, folders and addresses behind them."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from tests.guest_programs import SCRIPT
from tests.serving import ORDER, Clock, play_out, prepare, refused
from thurn_env.commands.cli import main
from thurn_env.errors import AgentError, ThurnError
from thurn_env.games.contract import GameRules
from thurn_env.serve.app import make_app
from thurn_env.serve.menu import Menu
from thurn_env.serve.public_names import public_name, unique
from thurn_env.serve.store import Store
from thurn_env.serve.tables import Tables
from thurn_env.serve.tool_game import ToolGame
from thurn_env.table.game import View
from thurn_env.table.record import Record
from thurn_env.table.replay import verify

SECRET = "k3y"
BROKEN = "tests.test_serve_names:Broken"
BOARD = SCRIPT.parents[1] / "thurn_env/games/thurn_und_taxis/board/tiny.toml"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("heuristic", "heuristic"),
        ("mcts:1000", "mcts:1000"),
        ("my_package.my_module:MyAgent", "my_package.my_module:MyAgent"),
        ("exec:/home/ann/bots/clever --key=k3y", "clever"),
        ("exec:'/home/ann/my bots/clever bot'", "clever bot"),
        ("exec:python /home/ann/bots/clever.py k3y", "clever.py"),
        ("exec:/usr/bin/python3.12 ./clever.py", "clever.py"),
        ("exec:python -c 'print(1)'", "python"),
        ("exec:clever /home/ann/k3y", "clever"),
        ("ppo:/home/ann/policies/best.npz", "ppo:best.npz"),
        ("ppo+mcts:policies/my best.npz,200", "ppo+mcts:my best.npz,200"),
        ("ppo:thurn_und_taxis-south-2", "ppo:thurn_und_taxis-south-2"),
        ("llm:clever-1,url=http://10.0.0.7:8000/v1,key=K3Y", "llm:clever-1"),
        ("llm:/models/clever-1,temperature=0", "llm:clever-1"),
    ],
)
def test_the_public_name(spec: str, name: str) -> None:
    assert public_name(spec) == name


def test_names_are_unique() -> None:
    named = [("bot", "a"), ("bot", "b"), ("greedy", "c"), ("bot", "d")]
    assert unique(named, {"greedy"}) == {"bot": "a", "bot (2)": "b", "greedy (2)": "c", "bot (3)": "d"}


class Broken:
    """An agent that raises something of its own, even in its trial."""

    name = "broken"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        pass

    def act(self, view: View) -> int:
        raise RuntimeError(f"{SECRET}: my cards are {view.text}")


class Place(NamedTuple):
    """A server with secrets: a program and its command, a board in a folder, an adviser that is a program."""

    client: TestClient
    folder: Path
    said: list[str]


def program(folder: Path, mode: str = "first") -> str:
    """The spec of the program in the folder."""
    return f"exec:{shlex.join([sys.executable, str(folder / 'first.py'), mode])}"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    folder = tmp_path / SECRET
    folder.mkdir()
    shutil.copy(BOARD, folder / "mine.toml")
    (folder / "first.py").write_text(f"import runpy; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')", "utf-8")
    menu = Menu((program(folder), program(folder, "no-such-mode")), (str(folder / "mine.toml"),))
    app = make_app(menu, Tables(5, 100.0, Clock(), Store(tmp_path / "kept")), program(folder))
    said: list[str] = []
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
        client.event_hooks = {"response": [lambda answer: said.append(answer.read().decode() + str(answer.headers))]}
        yield Place(client, folder, said)


def order(place: Place, **more: Any) -> dict[str, Any]:
    return {"board": "mine.toml", "agents": ["human", "first.py"], "options": {"max_rounds": 2}} | more


def begin_here(place: Place, **more: Any) -> str:
    prepare({"board": str(place.folder / "mine.toml"), "agents": ["human", "greedy"], "options": {"max_rounds": 2}})
    answer = place.client.post("/games", json=order(place, **more))
    assert answer.status_code == 201, answer.text
    address: str = answer.json()["address"]
    return address


def test_nothing_that_is_sent_names_a_command_or_a_folder(place: Place, tmp_path: Path) -> None:
    client = place.client
    page = client.get("/").text
    assert '"first.py"' in page
    assert '"mine.toml"' in page
    address = begin_here(place)
    assert "mine.toml board, human, first.py" in client.get(address).text
    news = client.get(f"{address}/state").json()
    assert news["seats"][1]["name"] == "first.py"
    while not news["turn"]:
        news = client.get(f"{address}/state", params={"since": news["moment"]}).json()
    assert client.post(f"{address}/hint", json={"move": news["move"]}).json()["text"].startswith("first.py would play")
    lists = client.post("/tables", json={}).json()
    assert any("mine.toml board: human, first.py" in table["title"] for table in lists["watch"])
    client.get(f"{address}/rules")
    client.get(f"{address}/table")
    play_out(client, address)
    record = client.get(f"{address}/record").json()
    assert record["agents"] == ["human", "first.py"]
    assert record["board"] == "mine.toml"
    client.post(f"{address}/rematch", json={})
    while not client.post(f"{address}/review", json={}).json()["ready"]:
        pass
    while not client.get(f"{address}/review/state").json()["done"]:
        pass
    assert "Reviewed by first.py" in client.get(f"{address}/review").text
    refused(client.post("/games", json=order(place, agents=["human", "nobody"])), 400)
    refused(client.post("/games", json=order(place, board="nowhere")), 400)
    assert [said for said in place.said if SECRET in said or sys.executable in said] == []
    # What is exported is what the record shows, and it needs no file.
    (kept,) = Store(tmp_path / "kept").records()
    assert SECRET not in kept
    (place.folder / "mine.toml").unlink()
    (tmp_path / "game.json").write_text(kept, "utf-8")
    verify(Record.load(tmp_path / "game.json"))


def test_an_error_of_a_program_names_no_command(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    """Its owner finds the reason in the terminal."""
    failing = "first.py (2)"
    begin_here(place)
    sentence = refused(place.client.post("/games", json=order(place, agents=["human", failing])), 400)
    assert sentence == "an agent cannot play at this table; the terminal of the server shows the reason."
    assert "no-such-mode" in caplog.text
    assert [said for said in place.said if SECRET in said] == []


@pytest.mark.parametrize("adviser", ["ppo:thurn_und_taxis-south-2", "no-such-mode", BROKEN])
def test_an_adviser_that_does_not_play_here(tmp_path: Path, adviser: str, caplog: pytest.LogCaptureFixture) -> None:
    """A hint is refused in a sentence, and the game goes on."""
    folder = tmp_path / SECRET
    folder.mkdir()
    (folder / "first.py").write_text(f"import runpy; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')", "utf-8")
    spec = program(folder, adviser) if adviser == "no-such-mode" else adviser
    with TestClient(make_app(Menu(), Tables(5, 100.0, Clock()), spec), base_url="http://localhost") as client:
        prepare(ORDER)
        address = client.post("/games", json=ORDER).json()["address"]
        move = client.get(f"{address}/state").json()["move"]
        sentence = refused(client.post(f"{address}/hint", json={"move": move}), 500)
        assert sentence == "the adviser cannot give a hint here; the terminal of the server shows the reason."
        assert client.post(f"{address}/moves", json={"move": move, "action": "draw"}).status_code == 200
    tools = ToolGame(Menu(), hints=True, adviser=spec)
    tools.new_game(board="tiny")
    with pytest.raises(ThurnError, match="the adviser cannot give a hint here; the terminal of") as found:
        tools.hint()
    assert SECRET not in str(found.value)
    assert caplog.text.count("the hint failed: ") == 2


def test_a_policy_of_the_adviser_is_read_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["serve", "--port", "0"], ["mcp", "--hints"]):
        assert main([*command, "--adviser", "ppo:nowhere"]) == 2
        assert "nowhere" in capsys.readouterr().err


def test_an_opponent_that_raises_anything_in_its_trial() -> None:
    tools = ToolGame(Menu((BROKEN,)))
    with pytest.raises(AgentError, match="an agent cannot play at this table"):
        tools.new_game(board="tiny", opponents=[BROKEN])


def test_clients_of_the_tools_see_names_too(place: Place) -> None:
    spec = program(place.folder)
    tools = ToolGame(Menu((spec,)), hints=True, adviser=spec)
    assert "first.py" in str(tools.menu.for_page())
    assert SECRET not in str(tools.menu.for_page())
    tools.new_game(board="tiny", opponents=["first.py"])
    assert tools.hint().startswith("first.py would play")


def test_a_table_with_a_program_outlives_the_server(place: Place, tmp_path: Path) -> None:
    address = begin_here(place)
    state = place.client.get(f"{address}/state").json()
    menu = Menu((program(place.folder),), (str(place.folder / "mine.toml"),))
    app = make_app(menu, Tables(5, 100.0, Clock(), Store(tmp_path / "kept")), "greedy")
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get(f"{address}/state").json()["seats"] == state["seats"]
