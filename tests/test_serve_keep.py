"""Games outlive the server: tables on disk, resumed after any end of the process, and records of finished games."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from filelock import FileLock, Timeout
from starlette.testclient import TestClient

from tests.real_server import RealServer
from tests.serving import (
    EXPIRY,
    LIMIT,
    ORDER,
    Clock,
    begin,
    open_table,
    play_out,
    play_together,
    prepare,
    refused,
    serving,
    state,
)
from thurn_env import Record
from thurn_env.commands.cli import main
from thurn_env.errors import ThurnError
from thurn_env.serve import app
from thurn_env.serve.app import make_app
from thurn_env.serve.menu import Menu
from thurn_env.serve.preparing import Preparation
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.store import DAYS, FILE, Store
from thurn_env.serve.tables import Tables
from thurn_env.table.replay import verify


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RealServer]:
    started = RealServer(tmp_path / "kept")
    yield started
    started.close()


@pytest.mark.parametrize(
    "order", [{"board": "tiny"}, {"game": "zug_um_zug_deutschland", "board": "tiny_rails"}], ids=["tiny", "tiny_rails"]
)
def test_a_game_survives_kill_9_between_any_two_moves(
    server: RealServer, order: dict[str, Any], tmp_path: Path
) -> None:
    """The server is killed right after answers, while agents move, and started again on the same folder."""
    random = Random(5)
    prepare(order | {"agents": ["human", "greedy", "human"]})
    links = server("/games", {**order, "agents": ["human", "greedy", "human"], "name": "Ann"})
    people = [links["address"], server(f"{links['invitation']}/join", {"name": "Bob"})["address"]]
    server(f"{people[0]}/start", {})
    kills = 0
    moves: list[str] = []
    while True:
        news = [server(f"{address}/state") for address in people]
        told = [move["move"] for move in news[0]["moves"]]
        assert told[: len(moves)] == moves
        if news[0]["over"]:
            break
        mine = next((number for number, each in enumerate(news) if each["turn"]), None)
        if mine is None:
            server(f"{people[0]}/state?since={news[0]['moment']}")
            continue
        body = {"move": news[mine]["move"], "action": random.choice(news[mine]["turn"]["legal"])}
        answer = server(f"{people[mine]}/moves", body)
        moves = [move["move"] for move in server(f"{people[0]}/state")["moves"]]
        assert len(moves) >= answer["move"] > body["move"]
        if kills < 3 and random.random() < 0.2:
            kills += 1
            server.kill()
            server.start()
    assert kills == 3
    record = Record.from_dict(server(f"{people[0]}/record"))
    verify(record)
    assert record.agents == ["human:Ann", "greedy", "human:Bob"]
    # While the server runs, its finished games can be exported.
    file = tmp_path / "games.jsonl"
    assert main(["serve", "--keep", str(server.folder), "--export", str(file)]) == 0
    assert [Record.from_json(line) for line in file.read_text("utf-8").splitlines()] == [record]


def test_another_server_cannot_use_the_folder(server: RealServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "0", "--keep", str(server.folder)]) == 2
    assert "another server keeps its games in this folder; choose another one" in capsys.readouterr().err


def test_everything_of_a_table_is_resumed(tmp_path: Path) -> None:
    """Seats, names, links, bots in place of people, undone moves, and what can be undone next."""
    with serving(Clock(), tmp_path) as client:
        (ann, bob, cy), links = open_table(client, "Ann", "Bob", "Cy")
        client.post(f"{ann}/start", json={})
        play_together(client, [ann, bob, cy], moves=8)
        client.post(f"{cy}/leave", json={})
        addresses = [ann, bob, cy, links["watching"], links["invitation"]]
        while not any(client.get(f"{address}/state").json()["turn"] for address in (ann, bob)):
            state(client, ann)
        before = [client.get(f"{address}/state").json() for address in addresses]
    with serving(Clock(), tmp_path) as client:
        after = [client.get(f"{address}/state").json() for address in addresses]
        for earlier, later in zip(before, after, strict=True):
            assert {**later, "moment": ""} == {**earlier, "moment": ""}
        assert client.post(f"{cy}/return", json={}).status_code == 200
        assert play_together(client, [ann, bob, cy])["over"]


def test_undone_moves_stay_undone(tmp_path: Path) -> None:
    with serving(Clock(), tmp_path) as client:
        address = begin(client)
        while not (news := state(client, address))["turn"]["undo"]:
            action = client.post(f"{address}/hint", json={"move": news["move"]}).json()["action"]
            client.post(f"{address}/moves", json={"move": news["move"], "action": action})
    with serving(Clock(), tmp_path) as client:
        assert state(client, address)["turn"]["undo"]
        undone = client.post(f"{address}/undo", json={"move": news["move"]}).json()
    with serving(Clock(), tmp_path) as client:
        assert state(client, address)["moves"] == undone["moves"]
        play_out(client, address)


def test_a_table_before_its_start_is_kept(tmp_path: Path) -> None:
    with serving(Clock(), tmp_path) as client:
        (ann,), links = open_table(client, "Ann", agents=["human", "human"])
    with serving(Clock(), tmp_path) as client:
        assert client.post("/tables", json={"links": [ann]}).json()["mine"] == ["saved"]
        (opened,) = client.post("/tables", json={}).json()["open"]
        assert opened["address"] == links["invitation"]
        bob = client.post(f"{opened['address']}/join", json={"name": "Bob"}).json()["address"]
    with serving(Clock(), tmp_path) as client:
        client.post(f"{ann}/start", json={})
        assert play_together(client, [ann, bob])["over"]


def test_an_idle_table_leaves_memory_but_not_the_disk(tmp_path: Path) -> None:
    clock = Clock()
    with serving(clock, tmp_path) as client:
        address = begin(client)
        before = state(client, address)
        clock.now = EXPIRY + 1
        assert client.get("/").status_code == 200
        assert state(client, address) == before


def test_pages_say_that_games_are_kept(tmp_path: Path) -> None:
    sentence = "This server keeps all games with the names of their players"
    for folder in (None, tmp_path):
        with serving(Clock(), folder) as client:
            (ann, _), links = open_table(client, "Ann", "Bob")
            pages = [client.get(path).text for path in ("/", ann, links["invitation"])]
            client.post(f"{ann}/start", json={})
            pages.append(client.get(ann).text)
            assert [sentence in page for page in pages] == [folder is not None] * 4


def test_a_move_that_cannot_be_kept_is_not_played(tmp_path: Path) -> None:
    with serving(Clock(), tmp_path) as client:
        address = begin(client)
        before = state(client, address)
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON moves BEGIN SELECT RAISE(FAIL, 'the disk is full'); END")
        body = {"move": before["move"], "action": before["turn"]["legal"][0]}
        said = refused(client.post(f"{address}/moves", json=body), 503)
        assert said == "The server cannot keep games now: the disk is full."
        assert state(client, address) == before
        other.execute("DROP TRIGGER full")
        other.close()
        assert client.post(f"{address}/moves", json=body).status_code == 200


def test_a_game_that_cannot_be_resumed(tmp_path: Path) -> None:
    from tests.slow_guests import THINKING

    with serving(Clock(), tmp_path) as client:
        address = begin(client, agents=["human", THINKING])
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("UPDATE tables SET content = replace(content, ?, 'nobody')", (THINKING,))
    other.commit()
    other.close()
    with serving(Clock(), tmp_path) as client:
        said = refused(client.get(f"{address}/state"), 409)
        assert said.startswith("This game cannot be resumed: agents must be a list with one of human, heuristic")


def test_old_tables_are_deleted_and_records_stay(tmp_path: Path) -> None:
    now = 0.0
    store = Store(tmp_path, lambda: now)
    for name in ("a", "b"):
        store.save(name, {"title": name}, [f"{name}1", f"{name}2"], True)
        store.move(name, 0, "draw", f"record of {name}")
    now = DAYS * 86_400 - 1.0
    assert store.find("b2") == ("b", {"title": "b"}, ["draw"])
    now += 2
    store.forget_old()
    assert store.find("a1") is None
    assert store.find("b1") is not None
    assert list(store.records()) == ["record of a", "record of b"]
    # Requests for a table in memory do not reach the file.
    now += DAYS * 86_400
    store.forget_old(["b"])
    assert store.find("b1") is not None
    store.close()


def test_a_table_that_cannot_be_played_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its kernels are compiled, nobody knows yet that an agent cannot play; a restart does not list it again."""

    async def refused_later(self: Preparation, order: object) -> None:
        raise Refusal(400, "An agent cannot play at this table.")

    prepare(ORDER)
    monkeypatch.setattr(Preparation, "ready", lambda self, order: False)
    monkeypatch.setattr(Preparation, "try_agents", refused_later)
    with serving(Clock(), tmp_path) as client:
        answer = client.post("/games", json=ORDER | {"listed": True})
        assert answer.status_code == 201
        news = client.get(f"{answer.json()['address']}/state").json()
        while not news["problem"]:
            news = client.get(f"{answer.json()['address']}/state", params={"since": news["moment"]}).json()
        assert news["problem"] == "An agent cannot play at this table."
        assert client.post("/tables", json={}).json() == {"mine": [], "open": [], "watch": []}
    with serving(Clock(), tmp_path) as client:
        assert client.post("/tables", json={}).json() == {"mine": [], "open": [], "watch": []}


def test_a_table_in_memory_is_never_old(tmp_path: Path) -> None:
    """Its page asks for news every day, and nobody moves for weeks."""
    now = 0.0
    store = Store(tmp_path, lambda: now)
    tables = Tables(LIMIT, 10 * DAYS * 86_400.0, lambda: now, store)
    with TestClient(make_app(Menu(), tables, "greedy"), base_url="http://localhost") as client:
        address = begin(client)
        for _ in range(DAYS + 10):
            now += 86_400
            news = client.get(f"{address}/state").json()
            tables.forget_old()
        hint = client.post(f"{address}/hint", json={"move": news["move"]}).json()
        played = client.post(f"{address}/moves", json={"move": news["move"], "action": hint["action"]})
        assert played.status_code == 200


def test_idle_tables_are_closed_although_old_ones_cannot_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk, for example."""
    swept = threading.Event()

    def full(store: Store, in_use: Iterable[str]) -> None:
        raise Refusal(503, "The server cannot keep games now: the disk is full.")

    def sweep(tables: Tables) -> None:
        swept.set()

    monkeypatch.setattr(Store, "forget_old", full)
    monkeypatch.setattr(Tables, "forget_idle", sweep)
    monkeypatch.setattr(app, "SWEEP", 0.0)
    with serving(Clock(), tmp_path):
        assert swept.wait(60)


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_a_file_of_another_version(tmp_path: Path) -> None:
    Store(tmp_path).close()
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(ThurnError, match="another version of thurn-env made this file"):
        Store(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--export", "x.jsonl"], "--export writes the games of a folder; name the folder with --keep"),
        (["--export", "x.jsonl", "--keep", "nowhere"], "nowhere: no games are kept in this folder"),
    ],
)
def test_wrong_exports(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_a_damaged_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_bytes(b"x" * 4096)
    assert main(["serve", "--port", "0", "--keep", str(tmp_path)]) == 2
    assert "the games cannot be kept here: file is not a database" in capsys.readouterr().err


def test_a_file_whose_pages_are_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(tmp_path)
    for number in range(200):
        store.save(f"table-{number}", {"padding": "x" * 500}, [f"link-{number}"], listed=True)
    store.close()
    content = bytearray((tmp_path / FILE).read_bytes())
    content[4096:] = b"\xff" * len(content[4096:])
    (tmp_path / FILE).write_bytes(content)
    for arguments in (["--port", "0"], ["--export", str(tmp_path / "games.jsonl")]):
        assert main(["serve", "--keep", str(tmp_path), *arguments]) == 2
        said = capsys.readouterr().err
        assert "games.sqlite: the games cannot be kept here: " in said
        assert "Traceback" not in said
    assert not (tmp_path / "games.jsonl").exists()


def test_a_folder_without_room_for_a_lock(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems refuse the file as if another process held it."""

    def refuse(self: FileLock, timeout: float) -> None:
        raise Timeout(self.lock_file)

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with tempfile.TemporaryDirectory() as folder:
        assert main(["serve", "--port", "0", "--keep", folder]) == 2
    assert "no file can be created in this folder" in capsys.readouterr().err
