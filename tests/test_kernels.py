"""Compiled code: never stale, never mixed up, the same numbers as the plain Python code and in every process."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import thurn_env
from thurn_env import Game, make_rules
from thurn_env.engine import kernel_cache
from thurn_env.engine.digests import code_digest
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import JIT_DISABLED
from thurn_env.games.stages import STAGES
from thurn_env.players.match import play_scripted

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

PACKAGE = Path(thurn_env.__file__).parent


def run(code: str, root: Path = PACKAGE.parent, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, with the package that lies in `root`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "PYTHONHASH"))}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=inherited | {"PYTHONPATH": str(root)} | environment,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )


def answer(code: str, root: Path = PACKAGE.parent, **environment: str) -> Any:
    """The JSON value that the code prints."""
    done = run(code, root, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def package_copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package, to be changed; with its byte code, which is valid there, too."""
    root = tmp_path / "copy"
    # Other tests may be writing byte code, under other names until it is complete.
    shutil.copytree(PACKAGE, root / "thurn_env", ignore=shutil.ignore_patterns("*.pyc.*"))
    return root


# Never stale

SCORE_OF_A_STATE = """
import json
import numpy as np
from thurn_env.games import make_rules
from thurn_env.games.thurn_und_taxis.rules.kernels import KERNELS
from thurn_env.engine.kernels import cache_folder
rules = make_rules("thurn_und_taxis", 2, "tiny")
states = rules.new_states(1)
states["tile_points"][0] = (7, 3)
states["houses_left"][0] = (5, 1)
scores, ranks = np.zeros(2, np.int64), np.zeros(2, np.int64)
KERNELS.entry.results(states, 0, rules.record, scores, ranks)
files = sorted(file.name for file in cache_folder().rglob("*.nbc"))
print(json.dumps([str(cache_folder()), files, scores.tolist()]))
"""


def test_a_change_in_a_callee_is_noticed(package_copy: Path, tmp_path: Path) -> None:
    """Numba looks only at the file of the entry point; the score is worked out in another one."""
    cache_dir = str(tmp_path / "cache")
    folder, files, scores = answer(SCORE_OF_A_STATE, package_copy, THURN_CACHE_DIR=cache_dir)
    assert folder.startswith(cache_dir)
    assert scores == [2, 2]
    assert len(files) == 1
    assert answer(SCORE_OF_A_STATE, package_copy, THURN_CACHE_DIR=cache_dir) == [folder, files, scores]

    source = package_copy / "thurn_env/games/thurn_und_taxis/rules/scoring.py"
    text = source.read_text("utf-8")
    assert text.count("- state.houses_left[seat]") == 1
    source.write_text(text.replace("- state.houses_left[seat]", "- 2 * state.houses_left[seat]"), "utf-8")
    other_folder, other_files, other_scores = answer(SCORE_OF_A_STATE, package_copy, THURN_CACHE_DIR=cache_dir)
    assert other_scores == [-3, 1]
    assert other_folder != folder
    assert len(other_files) == 1

    source.write_text(text, "utf-8")
    assert answer(SCORE_OF_A_STATE, package_copy, THURN_CACHE_DIR=cache_dir) == [folder, files, scores]


def test_every_rule_says_whether_it_is_inlined() -> None:
    """Numba lets a function that does not say so inherit it from the caller that compiles it first."""
    code = """
import json, sys
import thurn_env.games.thurn_und_taxis.game, thurn_env.games.zug_um_zug_deutschland.game
from numba.core.dispatcher import Dispatcher
rules = {
    f"{value.py_func.__module__}.{value.py_func.__name__}": value.targetoptions.get("forceinline")
    for name, module in list(sys.modules.items()) if name.startswith("thurn_env")
    for value in vars(module).values() if isinstance(value, Dispatcher) and value._cache.cache_path is None
}
print(json.dumps(rules))
"""
    rules = answer(code)
    assert len(rules) > 100
    assert set(rules.values()) == {True, False}


# Never mixed up

DEALS = """
import json, sys
from thurn_env.games import make_rules
from thurn_env.games.thurn_und_taxis.rules.kernels import KERNELS
deals = {}
for board, players in BOARDS:
    rules = make_rules("thurn_und_taxis", players, board)
    states = rules.new_states(1)
    KERNELS.entry.deal(states, 0, rules.record, 12345, 0)
    deals[board] = [states[0]["deck_size"].item(), states[0]["display"].tolist(), states[0]["deck"].tolist()]
print(json.dumps(deals))
"""


def test_layouts_compiled_in_different_processes_go_together(tmp_path: Path) -> None:
    """Kernels for two boards, each compiled in a process of its own, are both loaded by a third process.

    Numba names compiled functions by their types, and record types by a number that starts anew in every process.
    """
    cache_dir = str(tmp_path / "cache")
    alone: dict[str, Any] = {}
    for table in (("tiny", 2), ("small", 3)):
        alone |= answer(DEALS.replace("BOARDS", repr([table])), THURN_CACHE_DIR=cache_dir)
    assert [alone["tiny"][0], alone["small"][0]] == [18 - 4, 30 - 5]
    for tables in ([("tiny", 2), ("small", 3)], [("small", 3), ("tiny", 2)]):
        assert answer(DEALS.replace("BOARDS", repr(tables)), THURN_CACHE_DIR=cache_dir) == alone


# The same in every process

PLAY_ONE_GAME = """
import hashlib, json
from thurn_env import Game
game = Game(players=2, board="tiny", seed=5, max_rounds=12)
seen = hashlib.sha256()
while not game.over:
    view = game.view(len(game.moves) % 2)
    seen.update(view.observation.tobytes() + view.text.encode() + view.game.to_bytes())
    game.play(game.legal[len(game.moves) * 7 % len(game.legal)])
print(json.dumps([hashlib.sha256(game.record().to_json().encode()).hexdigest(), seen.hexdigest()]))
"""
PLAY_ONE_OF_COACHES = PLAY_ONE_GAME.replace('board="tiny", seed=5, max_rounds=12', 'game="example", seed=5')
"""The same for the example game, which compiles in a third of the time."""


def test_a_first_and_a_second_process(tmp_path: Path) -> None:
    """The first one says that it compiles, the second says nothing; the game is the same, whatever hashes are."""
    cache_dir = str(tmp_path / "cache")
    first = run(PLAY_ONE_OF_COACHES, THURN_CACHE_DIR=cache_dir, PYTHONHASHSEED="0")
    assert first.returncode == 0, first.stderr
    about = STAGES["game"].alone
    said = f"compiling single games on the standard board with 2 players (once, about {about} s; later runs load it"
    assert said in first.stderr
    assert first.stderr.count("compiled in") == 1
    second = run(PLAY_ONE_OF_COACHES, THURN_CACHE_DIR=cache_dir, PYTHONHASHSEED="1")
    assert second.returncode == 0, second.stderr
    assert second.stderr == ""
    assert first.stdout == second.stdout
    assert len(json.loads(first.stdout)[0]) == 64


def test_a_large_game_is_the_same_whatever_hashes_are() -> None:
    assert answer(PLAY_ONE_GAME, PYTHONHASHSEED="0") == answer(PLAY_ONE_GAME, PYTHONHASHSEED="1") == game_here()


def game_here() -> list[str]:
    """What `PLAY_ONE_GAME` prints, played in this process."""
    game = Game(players=2, board="tiny", seed=5, max_rounds=12)
    seen = hashlib.sha256()
    while not game.over:
        view = game.view(len(game.moves) % 2)
        seen.update(view.observation.tobytes() + view.text.encode() + view.game.to_bytes())
        game.play(game.legal[len(game.moves) * 7 % len(game.legal)])
    return [hashlib.sha256(game.record().to_json().encode()).hexdigest(), seen.hexdigest()]


# The same without compilation

BOT_GAMES = """
import json
from thurn_env import make_rules
from thurn_env.players.match import play_scripted
records = []
for board, players, seeds in TABLES:
    rules = make_rules("thurn_und_taxis", players, board, max_rounds=25)
    for seed in range(seeds):
        for shift in range(2):
            bots = [rules.bots[(seed + shift + seat) % len(rules.bots)] for seat in range(players)]
            records.append(play_scripted(rules, bots, seed).to_json())
print(json.dumps(records))
"""

TABLES = [("tiny", 2, 6), ("small", 3, 2), ("south", 4, 1)]


@cache
def without_compilation() -> tuple[list[str], list[str]]:
    """The records of `BOT_GAMES` and what `PLAY_ONE_GAME` prints, played by the plain Python code."""
    records = answer(BOT_GAMES.replace("TABLES", repr(TABLES)), NUMBA_DISABLE_JIT="1")
    return records, answer(PLAY_ONE_GAME, NUMBA_DISABLE_JIT="1")


def test_the_plain_python_code_plays_the_same_games() -> None:
    """`NUMBA_DISABLE_JIT=1`: whole games of all bots have the same records, byte for byte."""
    here = []
    for board, players, seeds in TABLES:
        rules = make_rules("thurn_und_taxis", players, board, max_rounds=25)
        for seed in range(seeds):
            for shift in range(2):
                bots = [rules.bots[(seed + shift + seat) % len(rules.bots)] for seat in range(players)]
                here.append(play_scripted(rules, bots, seed).to_json())
    assert without_compilation()[0] == here
    assert len(here) == 18


def test_the_plain_python_code_shows_the_same() -> None:
    """Observations, texts and re-dealt states too."""
    assert without_compilation()[1] == game_here()


def test_the_plain_python_code_says_nothing_of_compiling() -> None:
    done = run("from thurn_env import Game; Game(board='tiny', seed=1)", NUMBA_DISABLE_JIT="1")
    assert (done.returncode, done.stderr) == (0, "")


def test_every_batch_position_is_a_game_of_its_own() -> None:
    """Kernels work on one record of an array and leave its neighbours alone."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    states = rules.new_states(3)
    for index in range(3):
        rules.deal(states, index, index)
    before = states.tobytes()
    generator = seeded(0)
    while not rules.over(states, 1):
        rules.play(states, 1, rules.bot_action(states, 1, 1, generator))
    size = rules.state_dtype.itemsize
    assert states.tobytes()[:size] == before[:size]
    assert states.tobytes()[2 * size :] == before[2 * size :]
    assert states.tobytes()[size : 2 * size] != before[size : 2 * size]


# Where kernels are kept


@pytest.fixture
def where(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """A function that returns the folder that a process with these environment variables uses."""

    def found(**environment: str) -> str:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        # Python, too, notes the folder for temporary files.
        monkeypatch.setattr(tempfile, "tempdir", None)
        kernel_cache.base_folder.cache_clear()
        kernel_cache.cache_folder.cache_clear()
        return str(kernel_cache.cache_folder())

    yield found
    kernel_cache.base_folder.cache_clear()
    kernel_cache.cache_folder.cache_clear()


def test_where_kernels_are_kept(tmp_path: Path, where: Callable[..., str]) -> None:
    """`THURN_CACHE_DIR` before `XDG_CACHE_HOME` before the home folder."""
    name = f"kernels-{code_digest()}"
    chosen, user, home = (str(tmp_path / folder) for folder in ("chosen", "user", "home"))
    places = {"THURN_CACHE_DIR": chosen, "XDG_CACHE_HOME": user, "HOME": home}
    assert where(**places) == str(Path(chosen, name))
    assert where(**{**places, "THURN_CACHE_DIR": ""}) == str(Path(user, "thurn-env", name))
    without = {**places, "THURN_CACHE_DIR": "", "XDG_CACHE_HOME": ""}
    assert where(**without) == str(Path(home, ".cache", "thurn-env", name))


@pytest.mark.parametrize("obstacle", ["a file in the way", "read-only"])
def test_a_folder_that_cannot_be_written(tmp_path: Path, obstacle: str, where: Callable[..., str]) -> None:
    """A temporary folder takes its place."""
    blocked, temporary = tmp_path / "blocked", tmp_path / "temporary"
    temporary.mkdir()
    if obstacle == "read-only":
        blocked.mkdir(mode=0o500)
        if os.access(blocked, os.W_OK):
            pytest.skip("this user may write everywhere")
    else:
        blocked.write_text("")
    folder = where(THURN_CACHE_DIR=str(blocked), TMPDIR=str(temporary))
    assert folder.startswith(str(temporary))
    assert folder.endswith(f"kernels-{code_digest()}")
    assert Path(folder).is_dir()
