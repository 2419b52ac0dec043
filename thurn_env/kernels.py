"""The decorators that turn Python functions into compiled kernels.

`@kernel` marks an entry point: compiled once per record layout, kept on disk. `@rule` marks a piece of a rule, and
`@inlined_rule` one on the hot path, compiled into its callers, so that the rules can be many small functions at no
cost.

Numba's disk cache looks only at the file of the function itself and so misses a change in a rule that the function
calls. Here the cache folder carries a digest of all sources that kernels are made from and of the versions of Numba and
NumPy: any change of the engine means a fresh folder, never a stale kernel.

With `NUMBA_DISABLE_JIT=1` both decorators return the plain function, and `new_records` returns record arrays
(`numpy.recarray`), whose items allow attribute access in Python. The same code then runs under a debugger.
"""

import hashlib
import os
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config_module

numba_config: Any = numba_config_module

Int8Array = np.ndarray[Any, np.dtype[np.int8]]
Int16Array = np.ndarray[Any, np.dtype[np.int16]]
Int64Array = np.ndarray[Any, np.dtype[np.int64]]
UInt64Array = np.ndarray[Any, np.dtype[np.uint64]]
Float32Array = np.ndarray[Any, np.dtype[np.float32]]
Float64Array = np.ndarray[Any, np.dtype[np.float64]]
States = np.ndarray[Any, Any]
"""An array of state records."""
State = Any
"""One state record; its fields are declared in the game's `layout`."""
RulesRecord = Any
"""The constant record of a game's rules; its fields are declared in the game's `layout`."""

Function = TypeVar("Function", bound=Callable[..., Any])

JIT_DISABLED = bool(numba_config.DISABLE_JIT)

DRAWINGS = "picture"
"""The folder of a game that has no kernels, only what it looks like."""

_announced: set[str] = set()
_one_parallel_call = threading.Lock()


def _stable_mangling(record: Any) -> tuple[str, tuple[int]]:
    """What stands for a record type in the symbol names of compiled code: a digest of its fields.

    Numba takes a counter of the process instead. Kernels for two layouts that were compiled by two processes then bear
    the same name, and a third process that loads both from disk calls one of them for both.
    """
    return "Record", (int(hashlib.sha256(record.name.encode()).hexdigest()[:15], 16),)


_record_type: Any = numba.types.Record
_record_type.mangling_args = property(_stable_mangling)


def source_digest(package: Path) -> str:
    """The digest of every source that kernels are made from: 16 hex digits that change when any of them changes.

    What draws a game is no part of them.
    """
    digest = hashlib.sha256(f"numba {numba.__version__} numpy {np.__version__}".encode())
    games = [path for path in (package / "games").rglob("*.py") if path.parent.name != DRAWINGS]
    for path in sorted([package / "kernels.py", package / "generator.py", *games]):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: `THURN_CACHE_DIR`, else the user's cache folder, else a temporary one."""
    name = f"kernels-{source_digest(Path(__file__).parent)}"
    try:
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thurn-env"
        folder = Path(os.environ.get("THURN_CACHE_DIR") or user) / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        # Compiled code is loaded from there, so nobody else may have put it there.
        folder = Path(tempfile.gettempdir()) / f"thurn-env-{os.getuid() if hasattr(os, 'getuid') else 0}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            folder = Path(tempfile.mkdtemp(prefix="thurn-env-"))
        (folder / name).mkdir(exist_ok=True)
        return folder / name


def kernel(function: Function) -> Function:
    """Compile `function` as an entry point and keep the result on disk (see the module's text)."""
    return _entry_point(function, parallel=False)


def parallel_kernel(function: Function) -> Function:
    """Like `kernel`, for a function whose `numba.prange` loop is shared out among threads."""
    return _entry_point(function, parallel=True)


def _entry_point(function: Function, parallel: bool) -> Function:
    if JIT_DISABLED:
        return function
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(cache_folder())
    try:
        compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy", parallel=parallel)(function)
    finally:
        numba_config.CACHE_DIR = before
    _name_files_apart(compiled._cache._cache_file)
    return cast(Function, compiled)


def _name_files_apart(files: Any) -> None:
    """Give every compiled variant of a function a file name of its own.

    Numba numbers them, so two processes that compile for different record layouts at the same time take the same
    number, and either layout would later load the code of the other.
    """
    numbered = files._data_name

    def data_name(number: int) -> str:
        name: str = numbered(number)
        return f"{name.removesuffix('.nbc')}-{uuid.uuid4().hex}.nbc"

    files._data_name = data_name


@contextmanager
def thread_count(threads: int) -> Iterator[None]:
    """Let parallel kernels that are called inside take so many threads, but no more than Numba has.

    One at a time: where Numba has only its own simple scheduler, a second parallel call would end the process.
    """
    if JIT_DISABLED:
        yield
        return
    with _one_parallel_call:
        before = numba.get_num_threads()
        numba.set_num_threads(max(1, min(threads, numba_config.NUMBA_NUM_THREADS)))
        try:
            yield
        finally:
            numba.set_num_threads(before)


def rule(function: Function) -> Function:
    """Compile `function` for the kernels that call it. It may neither make arrays nor return any.

    Numba counts references to arrays, with atomic instructions that took a quarter of a game's time. Whoever called the
    kernel holds on to all arrays that rules are handed, so nothing is counted in them. A rule that makes an array, if
    only to copy one into another, does not compile.
    """
    return _rule(function)


def inlined_rule(function: Function) -> Function:
    """Like `rule`, for the hot paths: compiled into every caller, which is faster and takes longer to compile."""
    return _rule(function, forceinline=True)


def allocating_rule(function: Function) -> Function:
    """Like `rule`, for a function that makes arrays to work on; only another such function may be returned one."""
    return _rule(function, _nrt=True)


def _rule(function: Function, _nrt: bool = False, forceinline: bool = False) -> Function:
    if JIT_DISABLED:
        return function
    compiler: Any = numba.njit
    # `forceinline` is always given: Numba lets a function without it inherit the option of the caller that happens to
    # compile it first, and keep it for all later callers.
    options = {"nogil": True, "error_model": "numpy", "_nrt": _nrt, "forceinline": forceinline}
    return cast(Function, compiler(**options)(function))


@inlined_rule
def int64(number: Any) -> int:
    """A whole number of any width as a 64-bit one; fields of records are narrow, and kernels must not mix widths."""
    return np.int64(number)  # type: ignore[return-value]


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of `count` zeroed records in the form that the kernels read (see the module's text)."""
    records = np.zeros(count, dtype)
    return records.view(np.recarray) if JIT_DISABLED else records


def copy_records(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array of records. Copied as bytes, ten times faster than NumPy's copy field by field."""
    twin = records.view(np.uint8).copy().view(records.dtype)
    return twin.view(np.recarray) if JIT_DISABLED else twin


@contextmanager
def announce_compilation(what: str, dtype: np.dtype[Any]) -> Iterator[bool]:
    """Say on standard error that kernels are being compiled, if they are not yet on disk for this record layout.

    Yields True the first time that `what` is met with this layout, so that the caller can compile all it will need.
    """
    layout = hashlib.sha256(f"{what} {numba_config.CPU_NAME} {dtype.descr}".encode()).hexdigest()[:16]
    marker = cache_folder() / f"{layout}.compiled"
    if JIT_DISABLED or layout in _announced or marker.exists():
        _announced.add(layout)
        yield False
        return
    _announced.add(layout)
    start = time.perf_counter()
    print(f"thurn-env: compiling for {what} (once; later runs load it from disk) ...", file=sys.stderr, flush=True)
    yield True
    print(f"thurn-env: compiled in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    marker.touch()
