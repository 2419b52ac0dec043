"""Kernels that come with a wheel, and when they are not used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thurn_env.engine import prebuilt
from thurn_env.engine.kernels import JIT_DISABLED

PACKAGE = Path(__file__).parents[1] / "thurn_env"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two files and their index."""
    (tmp_path / "one.nbc").write_bytes(b"code")
    (tmp_path / "two.nbc").write_bytes(b"more code")
    prebuilt.write_index(tmp_path, "0123", "a processor")
    monkeypatch.setattr(prebuilt, "FOLDER", tmp_path)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: dict.fromkeys(prebuilt.FEATURES, True))
    prebuilt.index.cache_clear()
    yield tmp_path
    prebuilt.index.cache_clear()


def changed(folder: Path, **facts: Any) -> None:
    index = json.loads((folder / prebuilt.INDEX).read_text("utf-8"))
    (folder / prebuilt.INDEX).write_text(json.dumps(index | facts), "utf-8")
    prebuilt.index.cache_clear()


def test_files_as_they_were_built(folder: Path) -> None:
    assert prebuilt.fits("0123")
    assert not prebuilt.fits("4567")
    assert prebuilt.content("one.nbc") == b"code"
    assert prebuilt.content(prebuilt.INDEX) is None
    assert prebuilt.content("../pyproject.toml") is None


def test_a_changed_or_missing_file_is_not_used(folder: Path) -> None:
    (folder / "one.nbc").write_bytes(b"evil")
    (folder / "two.nbc").unlink()
    assert prebuilt.content("one.nbc") is None
    assert prebuilt.content("two.nbc") is None


@pytest.mark.parametrize("facts", [{"system": "Plan 9"}, {"machine": "abacus"}, {"features": ["teleportation"]}])
def test_other_machines_compile(folder: Path, facts: dict[str, Any]) -> None:
    changed(folder, **facts)
    assert prebuilt.index() is None
    assert prebuilt.content("one.nbc") is None


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"digest": "0123"}'])
def test_a_damaged_index_is_none(folder: Path, damage: str) -> None:
    (folder / prebuilt.INDEX).write_text(damage, "utf-8")
    prebuilt.index.cache_clear()
    assert prebuilt.index() is None


GAME = """
from thurn_env import Game
from thurn_env.engine.kernel_cache import cache_folder, prebuilt_for
game = Game(board="tiny", seed=3)
while not game.over:
    game.play(game.legal[0])
print(game.scores, prebuilt_for() is not None, len(list(cache_folder().glob("*.nbc"))))
"""
KERNELS_OF_A_GAME = """
from thurn_env import Game
from thurn_env.engine.kernel_cache import KernelCache, cache_folder, processor
from thurn_env.engine.kernels import _marker
from thurn_env.games.kernel_rules import STAGES
read, files = KernelCache._read, set()

def noted(self, signature):
    files.add(self.file(signature, processor()))
    return read(self, signature)

KernelCache._read = noted
game = Game(board="tiny", seed=3)
while not game.over:
    game.play(game.legal[0])
STAGES["game"].compile(game.rules)
files.add(_marker(processor(), game.rules._label("game"), *game.rules._layouts()))
print(game.scores, cache_folder(), *sorted(files), sep="\\n")
"""
"""The same game, and where the kernels lie that are compiled for it, also those that it does not need itself."""
ONE_KERNEL = """
from thurn_env import make_rules
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernel_cache import cache_folder, prebuilt_for
from thurn_env.games.thurn_und_taxis.rules.kernels import KERNELS
rules = make_rules("thurn_und_taxis", 2, "tiny")
states = rules.new_states(1)
KERNELS.entry.deal(states, 0, rules.record, seeded(3)[0], -1)
print(states[0]["deck_size"], prebuilt_for() is not None, len(list(cache_folder().glob("*.nbc"))))
"""
"""A game needs more kernels, which take ten times as long to compile."""


def run(root: Path, cache: Path | None, code: str) -> str:
    """What the code prints in a copy of the package, with a cache of its own or else with the user's."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    if cache is not None:
        environment["THURN_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_package_with_kernels_compiles_nothing(tmp_path: Path) -> None:
    """Loaded in a copy of the package; a change of the sources, or of a file, compiles again."""
    root, kernels = tmp_path / "root", str(prebuilt.FOLDER.relative_to(PACKAGE.parent))
    # Other tests may be writing byte code, under other names until it is complete.
    shutil.copytree(PACKAGE, root / PACKAGE.name, ignore=shutil.ignore_patterns("*.pyc.*"))
    # Equal sources have the same kernels, which need not be compiled once more for this test.
    scores, made, *names = run(root, None, KERNELS_OF_A_GAME).splitlines()
    assert len(names) > 3
    (root / kernels).mkdir()
    for name in names:
        shutil.copy(Path(made) / name, root / kernels)
    index = (
        "import sys; from pathlib import Path; from thurn_env.engine import digests, prebuilt; "
        "from thurn_env.engine.kernel_cache import processor; "
        "prebuilt.FEATURES = (); "
        "prebuilt.write_index(Path(sys.argv[1]), digests.code_digest(), processor())"
    )
    run(root, None, index.replace("sys.argv[1]", repr(str(root / kernels))))
    assert run(root, tmp_path / "empty", GAME) == f"{scores} True 0"
    assert run(root, tmp_path / "empty", ONE_KERNEL) == "14 True 0"
    # A damaged file is compiled again, the others are not.
    victim = next((root / kernels).glob("*.legal_mask-*.nbc"))
    victim.write_bytes(victim.read_bytes()[:-1])
    assert run(root, tmp_path / "one", GAME) == f"{scores} True 1"
    # Other sources, other kernels.
    masks = root / PACKAGE.name / "engine" / "masks.py"
    masks.write_text(masks.read_text("utf-8").replace("mask[:] = 0", "mask[:] = 1 - 1"), "utf-8")
    assert run(root, tmp_path / "other", ONE_KERNEL) == "14 False 1"
