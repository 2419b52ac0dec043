"""The kernels' disk cache: nothing stale, and nothing mixed up by processes that compile at the same time."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite.binding
import numba
import pytest
from numba.core.registry import cpu_target

from thurn_env.engine import kernel_cache
from thurn_env.engine.kernel_cache import KernelCache, Stored, cache_folder, processor
from thurn_env.engine.kernels import JIT_DISABLED, announce_compilation, compiled_before, quiet, rule
from thurn_env.errors import ThurnError

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
sys.path.insert(0, {folder!r})
import numpy as np
import test_kernel_cache
from thurn_env.engine import kernels

run = kernels.kernel(test_kernel_cache.largest_in_hand)
for players in {players}:
    states = np.zeros(1, [("seat", "i8"), ("hand", "i1", (players, 3))])
    states["hand"][0, -1, -1] = 7
    print(run(states), end=" ")
print(sum(run.stats.cache_hits.values()))
"""


WITHOUT_PARTS = """
from numba.core.compiler import CompileResult
del CompileResult._rebuild
from thurn_env.engine import kernels

def double(number):
    return number * 2

double.__module__ = kernels.__name__  # kernels of other modules are only kept if they have a file
doubled = kernels.kernel(double)
with kernels.announce_compilation("a double", 1) as compiles:
    print(compiles, doubled(4), sum(doubled.stats.cache_hits.values()), kernels.compiled_before("a double"))
"""


REGISTRIES = """
import numba
print("numba.np.arraymath" in sys.modules, numba.njit(test_kernel_cache.double)(4))
"""


def run_for(players: list[int], cache: Path, then: str = "") -> str:
    """Run a kernel for record layouts of so many players in a process of its own: the results and the cache hits."""
    return run(PROGRAM.format(folder=str(Path(__file__).parent), players=players) + then, cache)


def run(program: str, cache: Path | None = None) -> str:
    """Run a program in a process of its own, with a cache of its own if one is given, and return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    if cache is not None:
        environment["THURN_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def cache_of(folder: Path) -> KernelCache:
    return KernelCache("tests.double", folder)


def compiled(number_type: str) -> Any:
    function: Any = numba.njit(number_type)(double)
    (result,) = function.overloads.values()
    return result


def test_every_signature_has_a_file_of_its_own(tmp_path: Path) -> None:
    """So processes that compile at the same time cannot take each other's place in an index."""
    cache = cache_of(tmp_path)
    results = [compiled("int64(int64)"), compiled("float64(float64)")]
    for result in results:
        cache.save_overload(result.signature, result)
    assert len(list(tmp_path.iterdir())) == 2
    for result in results:
        loaded = cache_of(tmp_path).load_overload(result.signature, cpu_target.target_context)
        assert loaded.signature == result.signature
        assert (tmp_path / cache.file(result.signature, processor())).is_file()
    cache.flush()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"", b"not a kernel", None])
def test_a_damaged_file_is_compiled_again(tmp_path: Path, damage: bytes | None) -> None:
    cache, result = cache_of(tmp_path), compiled("int64(int64)")
    cache.save_overload(result.signature, result)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:200] if damage is None else damage)
    assert cache.load_overload(result.signature, cpu_target.target_context) is None


def test_what_a_full_disk_did_not_store_is_announced_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every later process would compile it in silence."""

    def full(path: Path, content: bytes) -> None:
        raise ThurnError(f"cannot write {path}: no space left on device")

    what, result = f"a kernel {uuid4()}", compiled("int64(int64)")
    with quiet(), announce_compilation(what, 1) as needed:
        assert needed
        with monkeypatch.context() as disk:
            disk.setattr(kernel_cache, "write_bytes", full)
            cache_of(tmp_path).save_overload(result.signature, result)
    assert not compiled_before(what)


def test_numba_has_the_parts_that_are_used() -> None:
    """A Numba without them needs a look at `engine/kernel_cache.py`; until then nothing is kept on disk."""
    assert kernel_cache.PARTS, "this version of Numba lacks a private part that thurn_env.engine.kernel_cache uses"


def test_without_the_parts_every_process_compiles(tmp_path: Path) -> None:
    """The same results; nothing is kept or said to be kept, so that the next process announces its compilation."""
    for _ in range(2):
        assert run(WITHOUT_PARTS, tmp_path) == "True 8 0 False"
    assert not list(tmp_path.rglob("*.nbc"))
    assert not list(tmp_path.rglob("*.compiled"))


def test_a_folder_that_was_taken_away_is_no_error(tmp_path: Path) -> None:
    cache, result = cache_of(tmp_path / "gone"), compiled("int64(int64)")
    cache.save_overload(result.signature, result)
    assert cache.load_overload(result.signature, cpu_target.target_context) is None


@pytest.fixture(scope="module")
def kernels_of_layouts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with kernels for three layouts, each compiled in a process of its own."""
    folder = tmp_path_factory.mktemp("kernels")
    for players in (2, 3, 4):
        assert run_for([players], folder) == "7 0"
    return folder


def test_layouts_compiled_by_different_processes_are_kept_apart(kernels_of_layouts: Path) -> None:
    """Each process met its layout first, so Numba's own names for the inner functions would be the same."""
    assert run_for([2, 3, 4], kernels_of_layouts) == "7 7 7 3"


def test_loading_a_kernel_loads_nothing_for_compiling(kernels_of_layouts: Path) -> None:
    """Numba's registries take longer than the first game; what is compiled after that brings them along."""
    assert run_for([2], kernels_of_layouts, REGISTRIES).splitlines() == ["7 1", "False 8"]


MANY_GAMES = """
import sys
from thurn_env import Batch
batch = Batch(2, 2, "tiny")
before = set(sys.modules)
batch.reset(1)
batch.step(batch.masks.argmax(axis=1))
print([name for name in sorted(set(sys.modules) - before) if name.startswith(("numba", "scipy"))])
"""


def test_loading_kernels_of_games_imports_nothing() -> None:
    """Not the modules of the functions that they are made of, which import SciPy; and nothing to inline them from."""
    assert run(MANY_GAMES)  # compiles, if nobody did before
    assert run(MANY_GAMES) == "[]"
    files = [*cache_folder().glob("thurn_und_taxis.rules.*.nbc")]
    assert files
    for path in files:
        (_, _, (_, code)), *_ = Stored(io.BytesIO(path.read_bytes())).load()
        assert len([*llvmlite.binding.parse_bitcode(code).functions]) == 1
