"""The outcome of a recipe, and the file that keeps it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from eval.clients.catalogue import Recipe
from thurn_env.errors import ThurnError
from thurn_env.files import read_text, write_text

RESULTS = Path(__file__).parent / "results"
LONGEST = 600.0
"""Processor time in seconds that a recipe may take to learn."""


@dataclass(frozen=True)
class Outcome:
    """What a recipe did.

    Attributes:
        recipe: name of the recipe.
        figures: the figures that it printed, see `docs/recipes/scoring.py`; empty if it failed.
        problem: why it does not count; empty if it does.
        date: year, month, day.
        machine: the processor, its cores and the system.
        load: the machine's load over 1, 5 and 15 minutes at the start; None if unknown.
    """

    recipe: str
    figures: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    date: str = ""
    machine: dict[str, Any] = field(default_factory=dict)
    load: list[float] | None = None

    def write(self) -> None:
        """Keep the outcome in its file."""
        RESULTS.mkdir(exist_ok=True)
        write_text(file_of(self.recipe), json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")


def file_of(name: str) -> Path:
    """Return the file of a recipe's outcome."""
    return RESULTS / f"{name}.json"


def read_outcome(recipe: Recipe) -> Outcome | None:
    """Read the outcome of a recipe, None if there is none; raise `ThurnError` if its file is damaged."""
    file = file_of(recipe.name)
    if not file.exists():
        return None
    try:
        return Outcome(**json.loads(read_text(file)))
    except (TypeError, ValueError):
        raise ThurnError(f"{file} is damaged; run the recipe again with --write") from None


def problem_of(figures: dict[str, Any]) -> str:
    """Return why the figures of a recipe do not count; empty if they do."""
    share = figures["share"]
    if share["low"] <= 0.5:
        return f"won {share['won']:.1%} ({share['low']:.1%} to {share['high']:.1%}) against {share['opponent']}"
    if figures["cpu_seconds"] > LONGEST:
        return f"took {figures['cpu_seconds']:.0f} s of processor time, more than {LONGEST:.0f} s"
    finished = figures.get("games_finished", figures["games"])
    if finished != figures["games"]:
        return f"the library recorded {figures['games']:,} of {finished:,} games"
    return ""
