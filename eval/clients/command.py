"""The command: install missing libraries, run the recipes, print and keep what they did."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field
from json import dumps
from pathlib import Path

from rich.table import Table
from rich.text import Text

from eval.clients.catalogue import RECIPES, Recipe, names
from eval.clients.report import COLUMNS, cells
from eval.clients.run import outcomes
from eval.environments import default_folder
from thurn_env.commands.arguments import call, program
from thurn_env.commands.show import output_console
from thurn_env.errors import OptionError

PROGRAM = "python -m eval.clients"


@dataclass(frozen=True)
class Arguments:
    """Run the recipes for other libraries, and check that each learns enough to beat the bot `greedy`.

    Each library is installed into its own virtual environment on first use: about 11 GB with builds
    of torch for the CPU.

    Args:
        recipes: names of recipes; by default all.
        environments: folder of the virtual environments.
        here: use this Python for all, with its installed packages.
        write: keep the results in eval/clients/results/; then run python -m docs.generate to update the page.
        json: print JSON instead of a table.
    """

    recipes: tuple[str, ...] = field(default_factory=lambda: tuple(names()))
    environments: Path = field(default_factory=lambda: default_folder("clients"))
    here: bool = False
    write: bool = False
    json: bool = False

    def check(self) -> None:
        """Raise `OptionError` for invalid options."""
        for name in self.recipes:
            if name not in names():
                raise OptionError(f"there is no recipe {name!r}; the recipes are {', '.join(names())}")

    @property
    def chosen(self) -> list[Recipe]:
        """Return the recipes to run."""
        return [recipe for recipe in RECIPES if recipe.name in self.recipes]


def run(command: list[str]) -> int:
    """Run the recipes and print the results; the exit code is 1 if one of them failed."""
    arguments = call(Arguments, command, PROGRAM)
    arguments.check()
    chosen, results = arguments.chosen, []
    for outcome in outcomes(chosen, None if arguments.here else arguments.environments):
        results.append(outcome)
        if arguments.write:
            outcome.write()
    if arguments.json:
        print(dumps([asdict(outcome) for outcome in results], indent=1))
    else:
        table = Table()
        for name in COLUMNS:
            table.add_column(name, overflow="fold")
        for recipe, outcome in zip(chosen, results, strict=True):
            table.add_row(*(Text(cell.replace("`", "")) for cell in cells(recipe, outcome)))
        output_console().print(table)
    failed = [outcome for outcome in results if outcome.problem]
    for outcome in failed:
        print(f"{outcome.recipe} failed: {outcome.problem}", file=sys.stderr)
    return 1 if failed else 0


main = program(PROGRAM, run)
