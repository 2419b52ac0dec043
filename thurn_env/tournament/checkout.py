"""The commit that the code of a run comes from."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import thurn_env

PATIENCE = 10.0
"""Seconds that git has for an answer."""

ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""What names another repository: set for whatever a hook of git starts."""


def checkout(ignored: Sequence[str] = ()) -> dict[str, Any]:
    """What git knows of the code that runs.

    Args:
        ignored: paths whose changes are no changes of the code, such as results that a program notes in its checkout.

    Returns:
        `commit`, 40 hex digits, and `dirty`, whether files that git tracks differ from it. Nothing
        if the package does not lie at the top of a checkout, as with a wheel, or if git cannot tell.
    """
    return state_of(Path(thurn_env.__file__).resolve().parents[1], ignored)


def state_of(root: Path, ignored: Sequence[str] = ()) -> dict[str, Any]:
    """`commit` and `dirty` of the checkout with this top folder; nothing if it is none, or git cannot tell."""
    try:
        top, commit = _git(root, "rev-parse", "--show-toplevel", "HEAD").splitlines()
        if not Path(top).samefile(root):
            return {}
        # What git does not track, such as the games themselves, is no part of the code.
        status = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no")
        changes = _git(root, *status, "--", ".", *(f":(exclude){path}" for path in ignored))
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
