"""Run recipes, each in the virtual environment of its library and in a process of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from json import loads
from pathlib import Path
from typing import Any

from eval.clients.catalogue import Recipe
from eval.clients.outcome import Outcome, problem_of
from eval.environments import ProgramFailed, python_with, run_script
from eval.machine import load_average, machine

TIMEOUT = 3600.0
"""Timeout of a recipe in seconds of wall time: the machine may be busy, and kernels may have to be compiled."""
FIGURES = {"decisions", "games", "decisions_per_second", "cpu_seconds", "share", "versions"}


def outcomes(recipes: Sequence[Recipe], folder: Path | None) -> Iterator[Outcome]:
    """Run the recipes one after the other and yield the outcome of each.

    Args:
        recipes: the recipes.
        folder: folder of the virtual environments; None runs all in this Python.
    """
    for recipe in recipes:
        date, load = time.strftime("%Y-%m-%d"), load_average()
        figures: dict[str, Any] = {}
        try:
            python = Path(sys.executable) if folder is None else python_with(recipe.requirements, folder)
            print(f"running {recipe.name} ...", file=sys.stderr, flush=True)
            figures = figures_of(recipe, python)
            problem = problem_of(figures)
        except (ProgramFailed, OSError) as error:
            problem = str(error)
        yield Outcome(recipe.name, figures, problem, date, machine(), load)


def figures_of(recipe: Recipe, python: Path) -> dict[str, Any]:
    """Run a recipe and return the figures that it prints as JSON in its last line.

    Raises:
        ProgramFailed: the recipe fails or prints something else.
    """
    lines = run_script(python, recipe.script, limit=TIMEOUT).splitlines()
    try:
        figures: dict[str, Any] = loads(lines[-1])
    except (IndexError, ValueError):
        raise ProgramFailed("it printed no figures") from None
    if not isinstance(figures, dict) or FIGURES - figures.keys():
        raise ProgramFailed("it printed no figures")
    return figures
