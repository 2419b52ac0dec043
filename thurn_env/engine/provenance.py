"""How a file was made: what every file of results or weights says of its origin."""

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
    "d329ad1e47d367a6": frozenset({"bb69203b5125b1a2", "c466fe1d66fdc7bd", "05f91742f889a206", "58149783258c87eb"}),
}
"""For a digest of the games, those under which games were published that it plays as well.

Playing the first games of the published ladders again shows that it does. A change of
the games' sources makes another digest, which has none of these until that was shown once more.
"""


def engine() -> str:
    """Return the digest of the games, see `thurn_env.engine.digests.games_digest`."""
    return games_digest()


def known_as(noted: Any) -> Any:
    """Return this engine's digest for that of an earlier engine that plays the same games; anything else as it is."""
    here = engine()
    return here if isinstance(noted, str) and noted in SAME_GAMES.get(here, ()) else noted


def command_line(program: str, command: Sequence[str]) -> str:
    """What to type to do it again."""
    return f"{program} {shlex.join(command)}".rstrip()


def provenance(command: str, **facts: Any) -> dict[str, Any]:
    """Return the command line, the facts given, version and engine.

    Args:
        command: the command line that makes the file.
        facts: further entries, between the command and the version.
    """
    return {"command": command, **facts, "version": __version__, "engine": engine()}


def earlier(file: Path, made: dict[str, Any]) -> dict[str, Any] | None:
    """What a file that is made from another one keeps of that one; None if that one does not say how it was made.

    Args:
        file: the other one.
        made: how that was made.

    Returns:
        its name as `file`, its `command`, `steps`, minutes and `version`, as `start` the same of what it was made from
        itself, and as `opponents` of the files that it played against.
    """
    if "command" not in made:
        return None
    kept = ("command", "steps", "lesson_minutes", "minutes", "version", "start", "opponents")
    return {"file": file.name} | {key: made[key] for key in kept if key in made}


def machine() -> dict[str, Any]:
    """What the figures were measured on, and how busy it was."""
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
    """The processor's name as the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
