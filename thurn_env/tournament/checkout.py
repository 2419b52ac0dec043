"""The Git commit of the running code."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import thurn_env

GIT_TIMEOUT = 10.0
"""Timeout of a Git command in seconds."""

ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""Variables that point to another repository; Git sets them for its hooks."""


def checkout(ignored: Sequence[str] = ()) -> dict[str, Any]:
    """Return the Git state of the running code.

    Args:
        ignored: paths whose changes do not count, such as results that a program writes into its checkout.

    Returns:
        `commit` (40 hex digits) and `dirty` (whether tracked files differ from it). Empty if the package is not at the
        top of a checkout, as in a wheel, or if Git fails.
    """
    return state_of(Path(thurn_env.__file__).resolve().parents[1], ignored)


def state_of(root: Path, ignored: Sequence[str] = ()) -> dict[str, Any]:
    """Return `commit` and `dirty` of the checkout with this top folder; empty if it is not one, or Git fails."""
    try:
        top, commit = _git(root, "rev-parse", "--show-toplevel", "HEAD").splitlines()
        if not Path(top).samefile(root):
            return {}
        # Untracked files, such as recorded games, are not part of the code.
        status = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no")
        changes = _git(root, *status, "--", ".", *(f":(exclude){path}" for path in ignored))
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}
    return {"commit": commit, "dirty": bool(changes)}


def _git(root: Path, *command: str) -> str:
    """Return the output of a Git command; it cannot prompt and writes nothing into the checkout."""
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    return subprocess.run(
        ["git", "-C", str(root), *command],
        env=environment | {"GIT_OPTIONAL_LOCKS": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=GIT_TIMEOUT,
        check=True,
    ).stdout
