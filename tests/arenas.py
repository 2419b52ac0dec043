"""Small standing lists for tests."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from tests.programs import thurn
from thurn_env.table.record import Record
from thurn_env.table.replay import verify
from thurn_env.tournament.arena import store as stores
from thurn_env.tournament.arena.claims import FOLDER, games_per_deck
from thurn_env.tournament.arena.store import FILE, Store

TINY = ["--board", "tiny", "--option", "max_rounds=15", "--secret", "none"]


def arena(folder: Path, *words: str) -> int:
    """Run an action on a list; the exit code."""
    return thurn("arena", [str(folder), *words])


def add(folder: Path, *agents: str) -> None:
    """Add agents to a list on the tiny board."""
    assert arena(folder, "add", *agents, *TINY) == 0


def records(folder: Path) -> dict[tuple[int, tuple[int, ...]], str]:
    """All records of a list, by deck and agents by seat."""
    with Store(folder) as store:
        return {(game.facts["deck"], game.seats): store.record(game.id) for game in store.games()}


def check_whole(folder: Path) -> None:
    """Every deck was played in all seatings, once each; every record is true; nobody claims anything."""
    counts: dict[tuple[tuple[int, ...], int], int] = {}
    with Store(folder) as store:
        games = store.games()
        keys = [(game.facts["deck"], game.seats) for game in games]
        assert len(keys) == len(set(keys))
        for game in games:
            place = (tuple(sorted(game.seats)), game.facts["deck"])
            counts[place] = counts.get(place, 0) + 1
            record = Record.from_json(store.record(game.id))
            if game.facts["forfeit"] is None:
                verify(record)
                assert record.result == {"scores": game.facts["scores"], "ranks": game.facts["ranks"]}
            assert record.agents == game.facts["agents"]
        assert store.rows("SELECT * FROM claims") == []
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
    assert all(count == games_per_deck(lineup) for (lineup, _), count in counts.items())
    assert list((folder / FOLDER).iterdir()) == []
    assert (folder / FILE).is_file()


def killed_at(statement: int, work: Callable[[], Any]) -> bool:
    """Do work in another process that is killed before its statement of this number; whether it came so far."""
    process = multiprocessing.get_context("fork").Process(target=_work_until, args=(statement, work))
    process.start()
    process.join(120)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def _work_until(statement: int, work: Callable[[], Any]) -> None:
    left = [statement]
    connect = stores._connected

    def trace(_: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connected(file: Path) -> sqlite3.Connection:
        connection = connect(file)
        connection.set_trace_callback(trace)
        return connection

    with mock.patch.object(stores, "_connected", connected):
        work()
