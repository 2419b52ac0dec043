"""Small tournaments for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.programs import thurn

ROOT = Path(__file__).parents[1]
TINY = ["--board", "tiny", "--bootstrap", "20"]
SHORT = ["--option", "max_rounds=15"]
"""For agents that never close a route."""


def play(out: Path, *arguments: str, agents: str = "random greedy", games: int = 6, secret: str | None = "") -> int:
    """Play a tournament on the tiny board; the exit code. Without a secret, unless one is given; None draws one."""
    chosen = [] if secret is None else ["--secret", secret or "none"]
    command = ["--agents", *agents.split(), "--games", str(games), "--out", str(out), *TINY, *chosen, *arguments]
    return thurn("tournament", command)


def files(out: Path) -> dict[str, bytes]:
    """The games of a tournament as bytes, by name, without the times, which differ from run to run."""
    return {
        str(file.relative_to(out)): file.read_bytes()
        for part in ("games", "index")
        for file in sorted((out / part).glob("*.jsonl"))
    }


def index(out: Path) -> list[dict[str, Any]]:
    """All lines of the index, table by table."""
    return [json.loads(line) for file in sorted((out / "index").iterdir()) for line in file.read_text().splitlines()]


def results(out: Path) -> dict[str, Any]:
    """The results."""
    found: dict[str, Any] = json.loads((out / "results.json").read_text("utf-8"))
    return found
