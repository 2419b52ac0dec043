"""Tournaments over Ray. Whole programs, because Ray leaves threads and warnings of its own in a process."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tournaments import ROOT, SHORT, TINY, files, index, play, results
from thurn_env.errors import ThurnError
from thurn_env.tournament.rays import in_order

with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason='Ray is in the extra "ray"')


TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "of this test alone, of 32 letters or more"}
QUICK = {"RAY_health_check_period_ms": "500"}
"""Ray gives up a machine after five failed checks, which it makes every three seconds otherwise."""


def environment_of(marks: Path) -> dict[str, str]:
    """What programs find set whose agents leave their marks in a folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "MARKS": str(marks)}


def play_over_ray(
    out: Path, *arguments: str, agents: str, games: int, address: tuple[str, ...] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """Play a tournament in a program of its own, with more in its environment."""
    command = [
        sys.executable,
        "-m",
        "thurn_env",
        "tournament",
        "--agents",
        *agents.split(),
        "--games",
        str(games),
    ]
    command += ["--out", str(out), "--jobs", "2", "--secret", "none", *TINY, *arguments, "--ray", *address]
    environment = environment_of(out.parent) | more
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)


@with_ray
@pytest.mark.skipif(sys.platform == "win32", reason="signals to one process")
def test_a_lost_ray_process_costs_no_game_and_doubles_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = "tests.failing:KillsParent random tests.failing:Broken greedy"
    # Without an address, no other cluster is used, neither one that runs on this machine nor the one that Ray itself
    # would use.
    done = play_over_ray(tmp_path / "ray", *SHORT, agents=agents, games=2, RAY_ADDRESS="127.0.0.1:1")
    assert done.returncode == 0, done.stderr
    # One of Ray's processes was killed, in the middle of a game.
    assert (tmp_path / "parent").exists()
    lines = index(tmp_path / "ray")
    played = [(tuple(line["agents"]), line["deck"]) for line in lines]
    assert len(played) == len(set(played)) == 6 * 2 * 2
    # What it costs is no agent's fault, but an agent that fails loses over Ray too.
    blamed = {line["forfeit"]["agent"] for line in lines if line["forfeit"] is not None}
    assert blamed == {"tests.failing:Broken"}
    monkeypatch.setenv("MARKS", str(tmp_path))
    assert play(tmp_path / "here", *SHORT, "--jobs", "0", agents=agents, games=2) == 0
    assert files(tmp_path / "ray") == files(tmp_path / "here")
    assert results(tmp_path / "ray")["pairs"] == results(tmp_path / "here")["pairs"]
    (run,) = json.loads((tmp_path / "ray" / "tournament.json").read_text())["runs"]
    assert run["command"].endswith("--ray")
    assert run["ray"] == {"nodes": 1, "cpus": 2}


@contextmanager
def cluster(marks: Path) -> Iterator[str]:
    """The address of a cluster of several machines that asks for a token."""
    command = [sys.executable, "-m", "tests.ray_cluster"]
    environment = environment_of(marks) | TOKEN | QUICK
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as program:
        assert program.stdout is not None
        # Ray itself may have something to say before. In the end standard input is closed, and the cluster ends.
        yield next(line for line in map(str.strip, program.stdout) if line.rpartition(":")[2].isdigit())


@with_ray
@pytest.mark.skipif(sys.platform != "linux", reason="finds the process to kill in /proc")
def test_a_lost_machine_costs_no_game_and_doubles_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = "tests.failing:KillsMachine random greedy"
    with cluster(tmp_path) as address:
        done = play_over_ray(tmp_path / "ray", *SHORT, agents=agents, games=2, address=(address,), **TOKEN)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "machine").exists()
    (run,) = json.loads((tmp_path / "ray" / "tournament.json").read_text())["runs"]
    # The first machine of the cluster takes no games, whatever cores it has.
    assert run["ray"] == {"nodes": 2, "cpus": 2}
    lines = index(tmp_path / "ray")
    assert len(lines) == 3 * 2 * 2
    assert not any(line["forfeit"] for line in lines)
    monkeypatch.setenv("MARKS", str(tmp_path))
    assert play(tmp_path / "here", *SHORT, "--jobs", "0", agents=agents, games=2) == 0
    assert files(tmp_path / "ray") == files(tmp_path / "here")


def test_without_ray_there_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert play(tmp_path / "out", "--ray") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert 'pip install "thurn-env[ray]"' in error
    assert not (tmp_path / "out").exists()


@with_ray
def test_one_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path / "out", "--ray", "here:1", "there:2") == 2
    assert "--ray takes one address, not 2" in capsys.readouterr().err


@with_ray
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    # One that asks for a token looks the same to Ray as one that is not there.
    with pytest.raises(
        ThurnError,
        match=r"cannot connect to Ray at 127\.0\.0\.1:1: .*; if the cluster requires a token, set RAY_AUTH_MODE",
    ):
        next(in_order([], 1, "127.0.0.1:1", print))
