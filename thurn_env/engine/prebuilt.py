"""Kernels that come with a wheel, so that nothing is compiled where they fit.

They are files of `kernel_cache`, compiled for a processor type that many processors can stand for. They are used only
with the very sources and versions that they were compiled from, on the same kind of system, on a processor that has
all features of that type, and as long as no file has changed; else kernels are compiled as usual.
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
"""The processor type that wheels are compiled for: most x86-64 processors since 2015."""
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
"""What a processor of this type has, in LLVM's words."""


@dataclass(frozen=True)
class Index:
    """What a folder of prebuilt kernels was made from.

    Attributes:
        digest: `thurn_env.engine.digests.code_digest`, which covers the versions of Python, Numba, llvmlite and NumPy.
        system: as `platform.system` names it.
        machine: as `platform.machine` names it.
        processor: what `kernel_cache.processor` said when they were compiled.
        features: the features that a processor must have.
        files: SHA-256 of every file, by name.
    """

    digest: str
    system: str
    machine: str
    processor: str
    features: tuple[str, ...]
    files: Mapping[str, str]


def write_index(folder: Path, digest: str, processor: str) -> Index:
    """Describe a folder of kernels that were compiled on this machine for `PROCESSOR`; returns what was written."""
    files = {file.name: _hash(file.read_bytes()) for file in sorted(folder.iterdir()) if file.name != INDEX}
    index = Index(digest, platform.system(), platform.machine(), processor, FEATURES, files)
    (folder / INDEX).write_text(json.dumps(asdict(index), indent=1), "utf-8")
    return index


@cache
def index() -> Index | None:
    """Return the index of the kernels that came with this package; None if there are none for this machine.

    Whether they fit the sources is not looked at: see `fits`.
    """
    try:
        found = Index(**json.loads((FOLDER / INDEX).read_text("utf-8")))
        if (found.system, found.machine) != (platform.system(), platform.machine()):
            return None
        here = llvmlite.binding.get_host_cpu_features()
        return found if all(here.get(feature) for feature in found.features) else None
    except (OSError, ValueError, TypeError, RuntimeError):
        # None came, a damaged index, or a processor that LLVM does not know.
        return None


def fits(digest: str) -> bool:
    """Whether prebuilt kernels were compiled from sources and versions with this digest."""
    found = index()
    return found is not None and found.digest == digest


def content(name: str) -> bytes | None:
    """Return a prebuilt file as it was built; None if there is none, or if it has changed since."""
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
