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


def command_line(program: str, command: Sequence[str]) -> str:
    """Return the shell command that repeats a run."""
    return f"{program} {shlex.join(command)}".rstrip()


def earlier(file: Path, made: dict[str, Any]) -> dict[str, Any] | None:
    """Return the provenance to keep of a source file; None if that file has no provenance.

    Args:
        file: the source file.
        made: provenance of the source file.

    Returns:
        its name as `file`, its `command`, `steps`, minutes and `version`, and its `stage` in a curriculum; as `start`
        the same for its own source, and as `opponents` for the files that it played against.
    """
    if "command" not in made:
        return None
    kept = (
        *("command", "steps", "lesson_minutes", "minutes", "search_rounds", "search_minutes"),
        *("version", "stage", "start", "opponents"),
    )
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
