"""The table of the page of recipes for other libraries: what `python -m eval.clients --write` kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.clients.catalogue import RECIPES, Recipe
from eval.clients.outcome import Outcome, read_outcome

COLUMNS = (
    "recipe",
    "interface",
    "trains",
    "glue lines",
    "decisions per CPU second",
    "won against `greedy`",
)


def cells(recipe: Recipe, outcome: Outcome) -> tuple[str, ...]:
    """Return what the table says of a recipe, column by column."""
    figures = outcome.figures
    start = (f"`{recipe.name}`", recipe.interface, recipe.algorithm, str(recipe.glue_lines()))
    if not figures:
        return (*start, "", f"failed: {outcome.problem}")
    share = figures["share"]
    won = f"{share['won']:.1%} ({share['low']:.1%} to {share['high']:.1%})"
    return (
        *start,
        two_digits(figures["decisions"] / figures["cpu_seconds"]),
        f"failed: {outcome.problem}" if outcome.problem else won,
    )


def two_digits(rate: float) -> str:
    """Format a rate with two significant digits."""
    return f"{float(f'{rate:.2g}'):,.0f}"


def kept() -> Iterator[tuple[Recipe, Outcome]]:
    """Yield every recipe with its outcome, if there is one."""
    for recipe in RECIPES:
        outcome = read_outcome(recipe)
        if outcome:
            yield recipe, outcome


def table() -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return the headings and the rows."""
    return COLUMNS, [cells(recipe, outcome) for recipe, outcome in kept()]
