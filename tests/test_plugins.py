"""Agents and games of other packages, found by their entry points in every place that names them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins import install, path_with
from thurn_env import Record, replay


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which a package is installed."""
    return install(tmp_path / "site")


def run(installed: Path, *words: str, answer: str = "", module: str = "thurn_env") -> str:
    """The output of a program in an environment with that package, in plain Python."""
    done = subprocess.run(
        [sys.executable, *(("-m", module) if module else ()), *words],
        input=answer,
        capture_output=True,
        text=True,
        cwd=installed,
        env={**os.environ, "PYTHONPATH": path_with(installed), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "160"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_agent_is_listed_and_sits_at_the_table(installed: Path) -> None:
    assert "ppo+mcts, lazy" in run(installed, "info", "--agents")
    table = ("--agents", "human", "lazy", "--board", "tiny", "--seed", "1", "--save", "kept.json")
    run(installed, "play", *table, answer="1\n1\n1\n1\n1\nquit\n")
    record = Record.load(installed / "kept.json")
    assert record.agents == ["human", "lazy"]
    assert {game.seat for game in replay(record)} == {0, 1}, "it has moved"


def test_an_agent_of_the_script_itself(installed: Path) -> None:
    """Also one whose class has a lower-case name."""
    code = (
        "from thurn_env import make_rules\n"
        "from thurn_env.players.agent import ScriptedAgent, make_agent\n"
        "class bot(ScriptedAgent):\n"
        "    def __init__(self): super().__init__('greedy')\n"
        "print(type(make_agent('__main__:bot', ('greedy',))).__name__)"
    )
    assert run(installed, "-c", code, module="") == "bot\n"


def test_an_agent_plays_a_tournament(installed: Path) -> None:
    words = ("--agents", "lazy", "greedy", "--board", "tiny", "--games", "1", "--option", "max_rounds=9")
    said = run(installed, "tournament", *words, "--jobs", "1", "--out", "played")
    assert "lazy" in said
    assert "All seeds depend on the secret" in said, "it is an agent from outside"


def test_an_agent_is_offered_on_the_page(installed: Path) -> None:
    pytest.importorskip("starlette")
    code = "from thurn_env.serve.menu import Menu; print('lazy' in Menu.usual().for_page()[0]['agents'])"
    assert run(installed, "-c", code, module="") == "True\n"


def test_a_game_is_found_by_name(installed: Path) -> None:
    words = ("--game", "coaches", "--agents", "lazy", "heuristic", "--seed", "2")
    assert "Coaches" in run(installed, "watch", *words)
    code = "from thurn_env.games import registered_games; print(list(registered_games()))"
    names = run(installed, "-c", code, module="")
    assert "'coaches'" in names
    assert "'example'" not in names, "the name of an example of this project is taken"


def test_unknown_names_list_what_is_installed(installed: Path) -> None:
    code = (
        "from thurn_env.players.agent import make_agent\n"
        "try: make_agent('lasy', ('random',))\n"
        "except Exception as error: print(error)"
    )
    assert "did you mean 'lazy'?" in run(installed, "-c", code, module="")
