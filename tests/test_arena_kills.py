"""Processes that play on a standing list may be killed at any moment: no game is lost, and none is doubled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.arenas import TINY, add, arena, check_whole, killed_at, records
from tests.programs import ROOT
from thurn_env.tournament.arena import playing
from thurn_env.tournament.arena.choice import Choice
from thurn_env.tournament.arena.claims import Wanted
from thurn_env.tournament.arena.playing import add_agents, play
from thurn_env.tournament.arena.settings import Wishes
from thurn_env.tournament.arena.store import EmptyStore, Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9")

GOAL = 100.0
AGENTS = ("random", "sensible-random", "greedy")
STATEMENTS = sorted({*range(8), *Random(1).sample(range(8, 120), 16)})
"""Statements before which a process is killed: those of the beginning, and some later ones."""


def play_here(folder: Path) -> None:
    play(folder, goal=GOAL, jobs=0)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list that was played without a break."""
    folder = tmp_path_factory.mktemp("arena") / "list"
    add(folder, *AGENTS)
    play_here(folder)
    return folder


def test_a_list_may_be_killed_before_every_statement(tmp_path: Path, undisturbed: Path) -> None:
    whole = records(undisturbed)
    add(tmp_path, *AGENTS)
    seen: dict[tuple[int, tuple[int, ...]], str] = {}
    for statement in STATEMENTS:
        if not killed_at(statement, lambda: play_here(tmp_path)):
            break
        stored = records(tmp_path)
        assert seen.items() <= stored.items(), "a game was lost"
        seen = stored
    play_here(tmp_path)
    check_whole(tmp_path)
    found = records(tmp_path)
    assert seen.items() <= found.items()
    both = found.keys() & whole.keys()
    assert len(both) > len(whole) / 2
    assert all(found[key] == whole[key] for key in both)


def test_every_statement_of_a_run_is_reached(tmp_path: Path) -> None:
    add(tmp_path, "random", "sensible-random")
    kills = 0
    for statement in range(0, 3000, 97):
        if not killed_at(statement, lambda: play_here(tmp_path)):
            break
        kills += 1
    assert kills > 1
    play_here(tmp_path)
    check_whole(tmp_path)


@pytest.mark.parametrize("statement", range(14))
def test_adding_agents_may_be_killed(tmp_path: Path, statement: int) -> None:
    folder = tmp_path / "list"
    wishes = Wishes(board="tiny", secret="none")
    killed_at(statement, lambda: add_agents(folder, ["random", "greedy"], wishes=wishes))
    names: list[str] = []
    # Without tables there is no list.
    with suppress(EmptyStore), Store(folder) as store:
        names = [entry.name for entry in store.entries()]
    assert names in ([], ["random", "greedy"])
    if not names:
        add_agents(folder, ["random", "greedy"], wishes=wishes)
    with Store(folder) as store:
        assert [entry.name for entry in store.entries()] == ["random", "greedy"]


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """A process that plays on a list, with worker processes."""
    command = [sys.executable, "-m", "thurn_env", "arena", str(folder), "play", "--interval", "400", *words]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL)


def wait_for_games(folder: Path, number: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with Store(folder) as store:
            if store.rows("SELECT COUNT(*) FROM games")[0][0] >= number:
                return
        time.sleep(0.02)
    raise AssertionError("no games")


def test_two_processes_play_on_one_list_and_one_is_killed(tmp_path: Path) -> None:
    agents = ("random", "greedy", "tests.failing:Slow")
    assert arena(tmp_path, "add", *agents, *TINY) == 0
    one, other = started(tmp_path, "--jobs", "1"), started(tmp_path, "--jobs", "1")
    wait_for_games(tmp_path, 40)
    one.send_signal(signal.SIGKILL)
    one.wait()
    seen = records(tmp_path)
    assert other.wait(300) == 0
    assert seen.items() <= records(tmp_path).items()
    check_whole(tmp_path)


def test_ctrl_c_keeps_all_games(tmp_path: Path, ctrl_c: None) -> None:
    assert arena(tmp_path, "add", "random", "tests.failing:Slow", *TINY) == 0
    process = started(tmp_path, "--jobs", "2")
    wait_for_games(tmp_path, 10)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    with Store(tmp_path) as store:
        assert store.rows("SELECT * FROM claims") == []
    seen = records(tmp_path)
    play(tmp_path, goal=400, jobs=1)
    assert seen.items() <= records(tmp_path).items()
    check_whole(tmp_path)


def test_a_deck_that_is_left_at_the_last_moment_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may be killed in the middle of a deck when nothing more is wanted."""
    add(tmp_path, "random", "sensible-random")
    left: list[int] = []
    choose = Choice.next

    def leave(choice: Choice, *arguments: Any) -> list[Wanted]:
        wanted = choose(choice, *arguments)
        if not wanted and not left:
            with Store(tmp_path) as store, store.written() as connection:
                left.extend(*connection.execute("SELECT MAX(id) FROM games").fetchall())
                connection.execute("DELETE FROM games WHERE id = ?", left)
        return wanted

    monkeypatch.setattr(Choice, "next", leave)
    monkeypatch.setattr(playing, "resampled_half_widths", lambda *_: {})
    play_here(tmp_path)
    assert left
    check_whole(tmp_path)
