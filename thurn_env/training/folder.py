"""Files in the folder of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thurn_env.errors import OptionError

BEST, LAST, EVALUATIONS, CONFIG = "best.npz", "last.npz", "evaluations.jsonl", "config.json"
CHECKPOINT = "checkpoint.pickle"
LESSONS = "lessons.pickle"
"""State of unfinished lessons."""


def begun(folder: Path) -> bool:
    """Return whether a folder holds a run, however far it has come."""
    return any((folder / name).exists() for name in (BEST, LAST, EVALUATIONS, CHECKPOINT, LESSONS))


def check_empty(folder: Path) -> None:
    """Raise `OptionError` if a folder holds a run, which a new one would overwrite."""
    if begun(folder):
        raise OptionError(f"{folder} holds a run; add --resume to continue it, or name another folder")


def another_run(folder: Path, name: str, saved: Any, given: Any) -> OptionError:
    """Return the error that a folder holds a run with another value of an argument."""
    return OptionError(f"the run in {folder} has {name} {saved}, not {given}; give the same, or another folder")
