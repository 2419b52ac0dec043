"""The kernels' disk cache: nothing stale, and nothing mixed up by processes that compile at the same time."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from thurn_env.kernels import JIT_DISABLED, kernel, rule

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def double(number: int) -> int:
    return number * 2


@rule
def largest(hands: Any) -> Any:
    """Not inlined, so that it has a symbol of its own."""
    best = 0
    for index in range(hands.shape[0]):
        for place in range(hands.shape[1]):
            best = max(best, hands[index, place])
    return best


def largest_in_hand(states: Any) -> Any:
    return largest_hand(states[0])


@rule
def largest_hand(state: Any) -> Any:
    return largest(state.hand)


PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import numpy as np
import test_kernel_cache
from thurn_env import kernels

kernels.cache_folder = lambda: Path({cache!r})
run = kernels.kernel(test_kernel_cache.largest_in_hand)
for players in {players}:
    states = np.zeros(1, [("seat", "i8"), ("hand", "i1", (players, 3))])
    states["hand"][0, -1, -1] = 7
    print(run(states), end=" ")
print(sum(run.stats.cache_hits.values()))
"""


def run_for(players: list[int], cache: Path) -> str:
    """Run a kernel for record layouts of so many players in a process of its own: the results and the cache hits."""
    program = PROGRAM.format(folder=str(Path(__file__).parent), cache=str(cache), players=players)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_processes_that_compile_at_the_same_time_write_different_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both processes find an empty index and so take number 1; the one's index then names the other's file."""
    from thurn_env import kernels

    monkeypatch.setattr(kernels, "cache_folder", lambda: tmp_path)
    one, other = (cast(Any, kernel(double))._cache._cache_file for _ in range(2))
    for files in (one, other):
        files._load_index = dict
    write_one = one._save_data
    one._save_data = lambda name, data: (other.save("key of other", "other"), write_one(name, data))
    one.save("key of one", "one")
    del other._load_index
    assert other.load("key of other") == "other"
    assert other.load("key of one") in (None, "one")


def test_kernels_are_loaded_from_disk(tmp_path: Path) -> None:
    assert run_for([2], tmp_path) == "7 0"
    assert run_for([2], tmp_path) == "7 1"


def test_layouts_compiled_by_different_processes_are_kept_apart(tmp_path: Path) -> None:
    """Each process met its layout first, so Numba's own names for the inner functions would be the same."""
    for players in (2, 3, 4):
        assert run_for([players], tmp_path) == "7 0"
    assert run_for([2, 3, 4], tmp_path) == "7 7 7 3"
