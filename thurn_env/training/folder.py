"""Files in the folder of a run."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from thurn_env.errors import OptionError, ThurnError
from thurn_env.files import read_text

BEST, LAST, EVALUATIONS, CONFIG = "best.npz", "last.npz", "evaluations.jsonl", "config.json"
CHECKPOINT = "checkpoint.pickle"
UNFINISHED_LESSONS = "lessons.pickle"
"""State of unfinished lessons."""
UNFINISHED_ROUND = "search-lessons-{}.pickle"
"""State of an unfinished round of lessons from search, by its number."""
DAMAGES = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, LookupError, TypeError, ValueError)
"""Errors of reading a damaged file of `pickle`, or one of another version."""


def begun(folder: Path) -> bool:
    """Return whether a folder holds a run, however far it has come."""
    names = (BEST, LAST, EVALUATIONS, CHECKPOINT, UNFINISHED_LESSONS)
    return any((folder / name).exists() for name in names) or in_search(folder)


def in_search(folder: Path) -> bool:
    """Return whether a folder holds a run that was stopped in a round of lessons from search."""
    return any(folder.glob(UNFINISHED_ROUND.format("*")))


def unpickled(path: Path, wanted: str, missing: str, remedy: str) -> dict[str, Any]:
    """Read a state to continue from.

    Args:
        path: the file.
        wanted: its format.
        missing: what to say of the state if there is no file: "is no run" or the like.
        remedy: what to do if the file is damaged.

    Raises:
        ThurnError: there is no file, it is damaged, or it has another format.
    """
    try:
        document: dict[str, Any] = pickle.loads(path.read_bytes())
        if document["format"] != wanted:
            raise ValueError(f"its format is {document['format']!r}")
    except FileNotFoundError:
        raise ThurnError(f"there {missing} to continue: {path} is missing; leave out --resume") from None
    except DAMAGES as error:
        raise ThurnError(f"{path} is damaged or from another version ({error}); {remedy}") from None
    return document


def check_empty(folder: Path) -> None:
    """Raise `OptionError` if a folder holds a run, which a new one would overwrite."""
    if begun(folder):
        raise OptionError(f"{folder} holds a run; add --resume to continue it, or name another folder")


def configuration(folder: Path) -> dict[str, Any]:
    """Return the configuration that the run in a folder notes, see `Config.as_dict`; empty if it notes none.

    Raises:
        OptionError: the file is damaged.
    """
    file = folder / CONFIG
    if not file.exists():
        return {}
    try:
        noted = json.loads(read_text(file))
    except ValueError:
        noted = None
    if not isinstance(noted, dict):
        raise OptionError(f"{file}: damaged; restore it, or name another folder with --out")
    return noted


class Difference(NamedTuple):
    """A value that differs between a run in a folder and the one that is to continue it."""

    name: str
    saved: Any
    given: Any


def first_difference(saved: Mapping[str, Any], given: Mapping[str, Any]) -> Difference | None:
    """Return the first of the given values that differs from the saved ones; None if they agree."""
    different = (Difference(name, saved.get(name), value) for name, value in given.items() if value != saved.get(name))
    return next(different, None)


def another_run(folder: Path, name: str, saved: Any, given: Any) -> OptionError:
    """Return the error that a folder holds a run with another value of an argument."""
    return OptionError(f"the run in {folder} has {name} {saved}, not {given}; give the same, or another folder")
