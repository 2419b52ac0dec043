"""Compiled kernels on disk: one file for every kernel and signature.

Numba's own cache looks at the file of the compiled function alone, so it misses a change in a rule that the function
calls; it keeps an index that processes compiling side by side overwrite; and it names record types by a counter of the
process, so that code for one layout could be run on records of another. Here the folder is named by the digest of all
that is compiled, and a file by its kernel, its signature and the processor.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from thurn_env.engine import digests, prebuilt
from thurn_env.files import write_bytes


@cache
def base_folder() -> Path:
    """Return the folder for what is computed once: `THURN_CACHE_DIR`, the user's cache folder, or a temporary one."""
    try:
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thurn-env"
        folder = Path(os.environ.get("THURN_CACHE_DIR") or user)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        # Compiled code is loaded from there, so nobody else may have put it there.
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


@cache
def games_digest() -> str:
    """Return `thurn_env.engine.digests.games_digest` of this package."""
    return remembered(digests.games_digest)


def remembered(digest: Callable[[], str]) -> str:
    """Return a digest of this package, which takes a second to make, from a note of the last time.

    The note is found by the bytes of the files, which takes milliseconds. Wheels bring such notes along.
    """
    raw = hashlib.sha256(f"{digest.__name__} {digests.versions()}".encode())
    for path in digests.sources():
        raw.update(path.relative_to(digests.PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    name = f"digest-{raw.hexdigest()[:32]}"
    note = base_folder() / name
    known = prebuilt.content(name) or (note.read_bytes() if note.exists() else b"")
    if len(known) == digests.LENGTH:
        return known.decode("ascii", "replace")
    made = digest()
    keep(note, made.encode())
    return made


def keep(path: Path, content: bytes) -> None:
    """Write a file all or nothing, if it can be written: on a full disk it is computed again the next time."""
    with suppress(OSError):
        write_bytes(path, content)


@cache
def processor() -> str:
    """Return what compiled code depends on: system, processor and its features, as LLVM names them."""
    return str(cpu_target.target_context.codegen().magic_tuple())


@cache
def prebuilt_for() -> str | None:
    """Return the processor that prebuilt kernels are for; None if there are none that fit these sources."""
    found = prebuilt.index()
    return found.processor if found is not None and prebuilt.fits(remembered(digests.code_digest)) else None


class KernelCache(_Cache):
    """The compiled variants of one kernel, as Numba's dispatchers ask for them.

    Args:
        name: the kernel's name, different from that of all others.
        folder: the folder of the files; None for `cache_folder`.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._name = name
        self._folder = folder
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(self._folder or cache_folder())

    def file(self, signature: Any, target: str) -> str:
        """Return the name of the file of one signature on one processor."""
        key = hashlib.sha256(f"{signature} {target}".encode()).hexdigest()[:32]
        return f"{self._name}-{key}.nbc"

    def _read(self, signature: Any) -> bytes:
        """What is stored: compiled here, or else what came with the package."""
        try:
            return (Path(self.cache_path) / self.file(signature, processor())).read_bytes()
        except OSError:
            target = prebuilt_for() if self._folder is None else None
            return (prebuilt.content(self.file(signature, target)) if target else None) or b""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._enabled:
            return None
        target_context.refresh()
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(self._read(sig)))
        except (pickle.UnpicklingError, EOFError):
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if self._enabled:
            keep(Path(self.cache_path) / self.file(sig, processor()), dumps(data._reduce()))

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for path in Path(self.cache_path).glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)
