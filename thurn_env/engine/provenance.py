"""Provenance of files of results and weights."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env import __version__
from thurn_env.engine.kernel_cache import games_digest

SAME_GAMES = {
    "016a9d334ad640f7": frozenset(
        {"bb69203b5125b1a2", "c466fe1d66fdc7bd", "05f91742f889a206", "58149783258c87eb", "7424e7cbb89430e5"}
    ),
}
"""Digests of earlier engines that play the same games, by digest of the games.

Replaying the first games of the published ladders confirms this. A change of the games' sources gives a new digest,
without entries until this has been confirmed again.
"""


def engine() -> str:
    """Return the digest of the games, see `thurn_env.engine.digests.games_digest`."""
    return games_digest()


def known_as(noted: Any) -> Any:
    """Return this engine's digest for that of an earlier engine that plays the same games; other values unchanged."""
    here = engine()
    return here if isinstance(noted, str) and noted in SAME_GAMES.get(here, ()) else noted


def command_line(program: str, command: Sequence[str]) -> str:
    """Return the shell command that repeats a run."""
    return f"{program} {shlex.join(command)}".rstrip()


def provenance(command: str, **facts: Any) -> dict[str, Any]:
    """Return the command line, the given facts, version and engine.

    Args:
        command: command line that makes the file.
        facts: further entries, between the command and the version.
    """
    return {"command": command, **facts, "version": __version__, "engine": engine()}


def earlier(file: Path, made: dict[str, Any]) -> dict[str, Any] | None:
    """Return the provenance to keep of a source file; None if that file has no provenance.

    Args:
        file: the source file.
        made: provenance of the source file.

    Returns:
        its name as `file`, its `command`, `steps`, minutes and `version`; as `start` the same for its own source, and
        as `opponents` for the files that it played against.
    """
    if "command" not in made:
        return None
    kept = ("command", "steps", "lesson_minutes", "minutes", "version", "start", "opponents")
    return {"file": file.name} | {key: made[key] for key in kept if key in made}


def machine() -> dict[str, Any]:
    """Return a description of this machine and its load."""
    import numba

    return {
        "thurn-env": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def processor_name() -> str:
    """Return the processor's name as reported by the system."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
