"""Files in the folder of a run."""

from __future__ import annotations

from pathlib import Path

BEST, LAST, EVALUATIONS, CONFIG = "best.npz", "last.npz", "evaluations.jsonl", "config.json"
CHECKPOINT = "checkpoint.pickle"
LESSONS = "lessons.pickle"
"""State of unfinished lessons."""


def begun(folder: Path) -> bool:
    """Return whether a folder holds a run, however far it has come."""
    return any((folder / name).exists() for name in (BEST, LAST, EVALUATIONS, CHECKPOINT, LESSONS))
