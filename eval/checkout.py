"""The commit that the code of a run comes from."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import agents
import thurn_env

PATIENCE = 10.0
"""Seconds that git has for an answer."""

NOTED = "eval/ladders"
"""Where `python -m eval.ladder --write` notes results."""

ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""What names another repository: set for whatever a hook of git starts."""


def checkout() -> dict[str, Any]:
    """What git knows of the code that runs.

    Returns:
        `commit`, 40 hex digits, and `dirty`, whether files that git tracks differ from it, noted ladders aside. Nothing
        if the packages do not all lie at the top of one checkout, as with a wheel, or if git cannot tell.
    """
    here = Path(__file__).resolve().parents[1]
    packages = (Path(str(package.__file__)) for package in (agents, thurn_env))
    if any(package.resolve().parents[1] != here for package in packages):
        return {}
    return state_of(here)


def state_of(root: Path) -> dict[str, Any]:
    """`commit` and `dirty` of the checkout with this top folder; nothing if it is none, or git cannot tell."""
    try:
        top, commit = _git(root, "rev-parse", "--show-toplevel", "HEAD").splitlines()
        if not Path(top).samefile(root):
            return {}
        # What git does not track, such as the games themselves, is no part of the code, nor is what a ladder notes.
        status = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no")
        changes = _git(root, *status, "--", ".", f":(exclude){NOTED}")
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}
    return {"commit": commit, "dirty": bool(changes)}


def _git(root: Path, *command: str) -> str:
    """The output of a git command, which asks nothing, and writes nothing into the checkout."""
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    return subprocess.run(
        ["git", "-C", str(root), *command],
        env=environment | {"GIT_OPTIONAL_LOCKS": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=PATIENCE,
        check=True,
    ).stdout
