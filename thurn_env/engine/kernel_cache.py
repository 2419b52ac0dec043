"""Compiled kernels on disk: one file for every kernel and signature.

Numba's own cache checks only the file of the compiled function, so it misses changes in the rules that it calls; its
index is overwritten by processes that compile at the same time; and it names record types by a per-process counter, so
code for one layout could run on records of another. Here the folder is named by the digest of all compiled sources, and
a file by its kernel, its signature and the processor.

This file uses private parts of Numba. Where one is missing, every process compiles its kernels again.
`tests/test_kernel_cache.py` fails then.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding

from thurn_env.engine import digests, prebuilt
from thurn_env.errors import ThurnError
from thurn_env.files import write_bytes

try:
    from numba.core.caching import _Cache
    from numba.core.codegen import JITCPUCodegen
    from numba.core.compiler import CompileResult
    from numba.core.dispatcher import Dispatcher
    from numba.core.environment import Environment, _rebuild_env, lookup_environment
    from numba.core.registry import CPUTarget, cpu_target
    from numba.core.runtime.nrt import rtsys
    from numba.core.serialize import dumps

    PARTS: tuple[Any, ...] = (
        CompileResult._rebuild,
        CompileResult._reduce,
        Environment._memo,
        lookup_environment,
        CPUTarget.target_context,
        JITCPUCodegen.magic_tuple,
        rtsys.initialize,
    )
    if "_cache" not in Dispatcher.__init__.__code__.co_names:
        raise AttributeError("a compiled function has no cache that could be replaced")
except (ImportError, AttributeError):
    PARTS = ()

lost: list[str] = []
"""Names of the kernels that this process compiled and could not store, as on a full disk."""


@cache
def base_folder() -> Path:
    """Return the cache folder: `THURN_CACHE_DIR`, the user's cache folder, or a temporary one."""
    try:
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thurn-env"
        folder = Path(os.environ.get("THURN_CACHE_DIR") or user)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        # Compiled code is loaded from there, so no other user may be able to write to it.
        folder = Path(tempfile.gettempdir()) / f"thurn-env-{os.getuid() if hasattr(os, 'getuid') else 0}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            folder = Path(tempfile.mkdtemp(prefix="thurn-env-"))
        return folder


@cache
def cache_folder() -> Path:
    """Return the folder of the kernels of these sources; see `thurn_env.engine.digests.code_digest`."""
    folder = base_folder() / f"kernels-{remembered(digests.code_digest)}"
    folder.mkdir(exist_ok=True)
    return folder


def remembered(digest: Callable[..., str], *arguments: str) -> str:
    """Return a digest of this package from a cached note, since computing it takes a second.

    The note is found by the bytes of the files, which takes milliseconds. Wheels contain such notes.

    Args:
        digest: function that computes the digest.
        arguments: its arguments.
    """
    raw = hashlib.sha256(" ".join([digest.__name__, *arguments, digests.versions()]).encode())
    for path in digests.sources():
        raw.update(path.relative_to(digests.PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    name = f"digest-{raw.hexdigest()[:32]}"
    note = base_folder() / name
    known = prebuilt.content(name) or (note.read_bytes() if note.exists() else b"")
    if len(known) == digests.LENGTH:
        return known.decode("ascii", "replace")
    made = digest(*arguments)
    keep(note, made.encode())
    return made


def keep(path: Path, content: bytes) -> bool:
    """Write a file atomically, and return whether that was possible; else its contents are computed again next time."""
    try:
        write_bytes(path, content)
    except ThurnError:
        return False
    return True


@cache
def processor() -> str:
    """Return the target of compiled code: system, processor and its features, as LLVM names them."""
    return str(cpu_target.target_context.codegen().magic_tuple()) if PARTS else ""


@cache
def prebuilt_for() -> str | None:
    """Return the processor that prebuilt kernels are for; None if none match these sources."""
    found = prebuilt.index()
    return found.processor if found is not None and prebuilt.fits(remembered(digests.code_digest)) else None


def store(compiled: Any, name: str, folder: Path | None = None) -> None:
    """Let a compiled function load its variants from disk and keep new ones there; see `KernelCache`."""
    if PARTS:
        compiled._cache = KernelCache(name, folder)


if PARTS:

    def without_intermediate_code(reduced: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a reduced kernel without its code for LLVM, from which Numba would inline it into other functions.

        Nothing inlines kernels, and reading that code takes most of the time in which a large kernel is loaded. An
        empty function remains, since Numba calls only what that code defines.
        """
        match reduced:
            case ((name, "object", (machine_code, _)), description, *rest):
                empty = f'define void @"{description.llvm_cpython_wrapper_name}"() {{ unreachable }}'
                code = llvmlite.binding.parse_assembly(empty).as_bitcode()
                return ((name, "object", (machine_code, code)), description, *rest)
        return reduced

    class Stored(pickle.Unpickler):
        """A stored kernel."""

        def find_class(self, module: str, name: str) -> Any:
            """Return what the kernel names, with `environment` for Numba's function of that purpose."""
            if (module, name) == (_rebuild_env.__module__, _rebuild_env.__name__):
                return environment
            return super().find_class(module, name)

    def environment(module: str, constants: list[Any], name: str) -> Any:
        """Return the environment of a function in a kernel, without the names of its module.

        Numba imports the module, since code that it does not compile could look for names there. Kernels have no such
        code, and imports that nobody needs, SciPy among them, took three quarters of the time.
        """
        found = lookup_environment(name)
        if found is None:
            found = Environment({"__name__": module})
            found.consts[:] = constants
            found.env_name = name
            Environment._memo[name] = found
        return found

    class KernelCache(_Cache):
        """Compiled variants of one kernel, in the interface of Numba's dispatchers.

        Args:
            name: unique name of the kernel.
            folder: folder of the files; None for `cache_folder`.
        """

        def __init__(self, name: str, folder: Path | None = None) -> None:
            self._name = name
            self._folder = folder
            self._enabled = True

        @property
        def cache_path(self) -> str:
            return str(self._folder or cache_folder())

        def file(self, signature: Any, target: str) -> str:
            """Return the file name of one signature on one processor."""
            key = hashlib.sha256(f"{signature} {target}".encode()).hexdigest()[:32]
            return f"{self._name}-{key}.nbc"

        def _read(self, signature: Any) -> bytes:
            """Return the stored kernel: compiled here, or else prebuilt."""
            try:
                return (Path(self.cache_path) / self.file(signature, processor())).read_bytes()
            except OSError:
                target = prebuilt_for() if self._folder is None else None
                return (prebuilt.content(self.file(signature, target)) if target else None) or b""

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            if not self._enabled:
                return None
            # Compiled code needs the runtime, but not the registries that Numba's own cache loads here: they took two
            # fifths of the time until the first move. What is compiled loads them by itself.
            rtsys.initialize(target_context)
            try:
                return CompileResult._rebuild(target_context, *Stored(io.BytesIO(self._read(sig))).load())
            except (pickle.UnpicklingError, EOFError):
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            if not self._enabled:
                return
            stored = dumps(without_intermediate_code(data._reduce()))
            if not keep(Path(self.cache_path) / self.file(sig, processor()), stored):
                lost.append(self._name)

        def enable(self) -> None:
            self._enabled = True

        def disable(self) -> None:
            self._enabled = False

        def flush(self) -> None:
            for path in Path(self.cache_path).glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)
