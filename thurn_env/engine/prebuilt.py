"""Prebuilt kernels in wheels, which avoid compilation where they match.

They are files of `kernel_cache`, compiled for a processor type that covers many processors. They are used only with
exactly the sources and versions that they were compiled from, on the same kind of system, on a processor with all
features of that type, and if no file has changed; otherwise kernels are compiled as usual.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import llvmlite.binding

FOLDER = Path(__file__).parent / "prebuilt_kernels"
INDEX = "index.json"
PROCESSOR = "x86-64-v3"
"""Processor type that wheels are compiled for: most x86-64 processors since 2015."""
FEATURES = (
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "cmov",
    "cx16",
    "cx8",
    "f16c",
    "fma",
    "fxsr",
    "lzcnt",
    "mmx",
    "movbe",
    "popcnt",
    "sahf",
    "sse",
    "sse2",
    "sse3",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "xsave",
)
"""Features of this processor type, as LLVM names them."""


@dataclass(frozen=True)
class Index:
    """Description of a folder of prebuilt kernels.

    Attributes:
        digest: `thurn_env.engine.digests.code_digest`, which covers the versions of Python, Numba, llvmlite and NumPy.
        system: as `platform.system` names it.
        machine: as `platform.machine` names it.
        processor: result of `kernel_cache.processor` when they were compiled.
        features: features that a processor must have.
        files: SHA-256 of every file, by name.
    """

    digest: str
    system: str
    machine: str
    processor: str
    features: tuple[str, ...]
    files: Mapping[str, str]


def write_index(folder: Path, digest: str, processor: str) -> Index:
    """Write the index of a folder of kernels that were compiled on this machine for `PROCESSOR`; return it."""
    files = {file.name: _hash(file.read_bytes()) for file in sorted(folder.iterdir()) if file.name != INDEX}
    index = Index(digest, platform.system(), platform.machine(), processor, FEATURES, files)
    (folder / INDEX).write_text(json.dumps(asdict(index), indent=1), "utf-8")
    return index


@cache
def index() -> Index | None:
    """Return the index of the package's prebuilt kernels; None if there are none for this machine.

    It does not check whether they match the sources: see `fits`.
    """
    try:
        found = Index(**json.loads((FOLDER / INDEX).read_text("utf-8")))
        if (found.system, found.machine) != (platform.system(), platform.machine()):
            return None
        here = llvmlite.binding.get_host_cpu_features()
        return found if all(here.get(feature) for feature in found.features) else None
    except (OSError, ValueError, TypeError, RuntimeError):
        # No index, a damaged one, or a processor that LLVM does not know.
        return None


def fits(digest: str) -> bool:
    """Return whether prebuilt kernels were compiled from sources and versions with this digest."""
    found = index()
    return found is not None and found.digest == digest


def content(name: str) -> bytes | None:
    """Return the contents of a prebuilt file; None if there is none, or if it has changed since it was built."""
    found = index()
    if found is None or name not in found.files:
        return None
    try:
        read = (FOLDER / name).read_bytes()
    except OSError:
        return None
    return read if _hash(read) == found.files[name] else None


def _hash(read: bytes) -> str:
    return hashlib.sha256(read).hexdigest()
