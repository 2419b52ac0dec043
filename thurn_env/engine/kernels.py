"""Decorators that turn Python functions into compiled kernels.

`@kernel` marks an entry point, which is compiled once per record layout and stored on disk. `@rule` marks a part of the
rules, `@inlined_rule` one on the hot path, which is compiled into its callers, and `@loop_rule` a loop there. Rules can
therefore be many small functions at no cost.

With `NUMBA_DISABLE_JIT=1` the decorators return the plain function, and `new_records` returns record arrays
(`numpy.recarray`), whose items allow attribute access in Python. The same code then runs under a debugger.
"""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config_module

from thurn_env.engine import kernel_cache, prebuilt
from thurn_env.engine.compiler import KERNEL_OPTIONS, LOOP_RULE_OPTIONS, RULE_OPTIONS, callable_rule
from thurn_env.engine.digests import folder_digest
from thurn_env.engine.kernel_cache import base_folder, cache_folder, prebuilt_for, processor, store
from thurn_env.files import turn

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
_quiet = ContextVar("quiet", default=False)


def _stable_mangling(record: Any) -> tuple[str, tuple[int]]:
    """Return the symbol name part of a record type: a digest of its fields.

    Numba uses a per-process counter. Kernels for two layouts that were compiled by two processes would then have the
    same name, and a third process that loads both from disk would call one of them for both.
    """
    return "Record", (int(hashlib.sha256(record.name.encode()).hexdigest()[:15], 16),)


_record_type: Any = numba.types.Record
_record_type.mangling_args = property(_stable_mangling)


def kernel(function: Function) -> Function:
    """Compile `function` as an entry point and store the result on disk; see `thurn_env.engine.kernel_cache`."""
    return _kernel(function, function, function.__module__, function.__qualname__.replace("<locals>.", ""))


def kernel_of(rule: Any) -> Callable[[Function], Function]:
    """Return the decorator `kernel` for functions that a shared factory makes for one game, the game of `rule`."""
    plain = getattr(rule, "py_func", rule)
    return lambda function: _kernel(function, plain, plain.__module__.rpartition(".")[0], function.__name__)


def _kernel(function: Function, source: Any, module: str, name: str) -> Function:
    """Compile a kernel. Its files are named by the last parts of the module's name and its own name.

    They are stored if they belong to this package, or if the file of `source` determines when they are outdated.
    """
    if JIT_DISABLED:
        return function
    compiler: Any = numba.njit
    compiled = compiler(nogil=True, error_model="numpy", **KERNEL_OPTIONS)(function)
    own = module.split(".")[0] == __name__.split(".")[0]
    file = Path(source.__code__.co_filename)
    if own or file.is_file():
        stored_as = ".".join([*module.split(".")[-2:], name])
        store(compiled, stored_as, None if own else _folder_of(file.parent))
    return cast(Function, compiled)


def _folder_of(sources: Path) -> Path:
    """Return the folder for kernels of another package, whose sources are not part of this package's digest."""
    folder = base_folder() / f"{cache_folder().name}-{folder_digest(sources)}"
    folder.mkdir(exist_ok=True)
    return folder


def rule(function: Function) -> Function:
    """Compile `function` for the kernels that call it. It may neither make nor return arrays.

    Numba counts references to arrays with atomic instructions, which took a quarter of a game's time. The caller of the
    kernel holds all arrays that rules receive, so rules need no counting. A rule that makes an array, even only to copy
    one into another, does not compile.
    """
    return _rule(function)


def inlined_rule(function: Function) -> Function:
    """Like `rule`, for hot paths: compiled into every caller, which is faster and takes longer to compile."""
    return _rule(function, forceinline=True)


def loop_rule(function: Function) -> Function:
    """Like `inlined_rule`, for short loops over arrays: optimised by itself before it is compiled into a caller.

    The loop then becomes vector instructions. Inside a caller, whose constants fix the number of iterations, the
    compiler would unroll it first, which made a step of many games 3 % slower.
    """
    return _rule(function, LOOP_RULE_OPTIONS, forceinline=True)


def allocating_rule(function: Function) -> Function:
    """Like `rule`, for a function that makes arrays; only another such function may receive a returned array."""
    return _rule(function, _nrt=True)


def _rule(
    function: Function, options: dict[str, Any] = RULE_OPTIONS, _nrt: bool = False, forceinline: bool = False
) -> Function:
    if JIT_DISABLED:
        return function
    # `forceinline` is always passed: without it, a function inherits the option of the caller that happens to compile
    # it first, and keeps it for all later callers.
    compiler: Any = numba.njit
    decorator = compiler(nogil=True, error_model="numpy", _nrt=_nrt, forceinline=forceinline, **options)
    return cast(Function, callable_rule(decorator(function)))


@inlined_rule
def int64(number: Any) -> int:
    """Return an integer as int64; record fields are narrow, and kernels must not mix widths."""
    return np.int64(number)  # type: ignore[return-value]


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return `count` zeroed records in the form that kernels read (see the module docstring)."""
    records = np.zeros(count, dtype)
    return records.view(np.recarray) if JIT_DISABLED else records


def copy_records(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy of an array of records. Copying bytes is ten times faster than NumPy's copy field by field."""
    twin = records.view(np.uint8).copy().view(records.dtype)
    return twin.view(np.recarray) if JIT_DISABLED else twin


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress compile messages in this block, because the caller shows progress itself."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def _say(text: str) -> None:
    if not _quiet.get():
        print(text, file=sys.stderr, flush=True)


def compiled_before(what: str, *layouts: np.dtype[Any]) -> bool:
    """Return whether kernels for these layouts are on disk, as recorded by `announce_compilation`."""
    if JIT_DISABLED:
        return True
    if not kernel_cache.PARTS:
        return False
    if (cache_folder() / _marker(processor(), what, *layouts)).exists():
        return True
    target = prebuilt_for()
    return target is not None and prebuilt.content(_marker(target, what, *layouts)) is not None


@contextmanager
def announce_compilation(what: str, seconds: int, *layouts: np.dtype[Any]) -> Iterator[bool]:
    """Announce on standard error that kernels are being compiled, unless they are on disk for these layouts.

    Yields True if they are not, so that the caller can compile all of them. One of several processes compiles; the
    others announce that they wait, and load the result.

    Args:
        what: what is compiled, and for what; also identifies the kernels.
        seconds: estimated compile time.
        layouts: dtypes of the records that the kernels use.
    """
    if compiled_before(what, *layouts):
        yield False
        return
    marker = cache_folder() / _marker(processor(), what, *layouts)
    waiting = f"thurn-env: another process compiles {what}; waiting for it ..."
    with turn(marker.with_suffix(".turn"), lambda: _say(waiting)):
        if marker.exists():
            yield False
            return
        start, lost = time.perf_counter(), len(kernel_cache.lost)
        said = f"thurn-env: compiling {what} (once, about {seconds} s; later runs load it from disk) ..."
        _say(said)
        yield True
        _say(f"thurn-env: compiled in {time.perf_counter() - start:.0f} s")
        if kernel_cache.PARTS and len(kernel_cache.lost) == lost:
            kernel_cache.keep(marker, b"")


def _marker(target: str, what: str, *layouts: np.dtype[Any]) -> str:
    """Return the name of the file that marks kernels for a processor as stored."""
    described = " ".join([what, target, *(str(layout.descr) for layout in layouts)])
    return f"{hashlib.sha256(described.encode()).hexdigest()[:16]}.compiled"
