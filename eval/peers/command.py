"""The command: install missing environments, measure, print."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path

from rich.text import Text

from eval.environments import default_folder
from eval.machine import load_average, machine
from eval.peers import report
from eval.peers.catalogue import Peer, others, ours, projects
from eval.peers.measure import measured
from thurn_env.checks import checked_number, checked_whole
from thurn_env.commands.arguments import call, program
from thurn_env.commands.show import output_console
from thurn_env.errors import OptionError

PROGRAM = "python -m eval.peers"


@dataclass(frozen=True)
class Arguments:
    """Measure the speed of other environments beside this one: uniformly random play with an observation per decision.

    Each project is measured in its own virtual environment, made on first use: about 1 GB for all of them.

    Args:
        projects: the other projects; by default all. Our own interfaces are always measured.
        rounds: number of measurements per environment, in turn with the others; the median counts.
        seconds: length of each measurement.
        environments: folder of the virtual environments.
        here: use this Python for all, with its installed packages.
        write: write the results into docs/performance.md.
        json: print JSON instead of a table.
    """

    projects: tuple[str, ...] = field(default_factory=lambda: tuple(projects()))
    rounds: int = 3
    seconds: float = 2.0
    environments: Path = field(default_factory=lambda: default_folder("peers"))
    here: bool = False
    write: bool = False
    json: bool = False

    def check(self) -> None:
        """Raise `OptionError` for invalid options."""
        checked_whole("--rounds", self.rounds, 1, 1000)
        checked_number("--seconds", self.seconds, 0, 3600, above=True)
        for name in self.projects:
            if name not in projects():
                raise OptionError(f"there is no project {name!r}; the projects are {', '.join(projects())}")
        if self.write and set(self.projects) != set(projects()):
            raise OptionError("the page shows all projects: leave out --projects, or --write")
        if self.write:
            report.check_page()

    @property
    def peers(self) -> list[Peer]:
        """Return the environments to measure."""
        return [*ours(), *(peer for peer in others() if peer.project in self.projects)]

    @property
    def command(self) -> str:
        """The command without options that are specific to a machine."""
        chosen = "" if set(self.projects) == set(projects()) else f" --projects {' '.join(self.projects)}"
        here = " --here" if self.here else ""
        return f"{PROGRAM}{chosen} --rounds {self.rounds} --seconds {self.seconds:g}{here}"


def run(command: list[str]) -> int:
    """Measure, print and write the results."""
    arguments = call(Arguments, command, PROGRAM)
    arguments.check()
    before, date = load_average(), time.strftime("%Y-%m-%d")
    folder = None if arguments.here else arguments.environments
    results = measured(arguments.peers, folder, arguments.rounds, arguments.seconds)
    made = report.Report(
        results,
        arguments.command,
        date,
        arguments.rounds,
        arguments.seconds,
        machine(),
        before,
        load_average(),
    )
    if arguments.json:
        print(dumps(made.as_json(), indent=1))
    else:
        console = output_console()
        console.print(report.terminal_table(made))
        for line in (*report.failures(made), *made.notes()):
            console.print(Text(line), soft_wrap=True)
    if arguments.write:
        report.write(made)
        print(f"written to docs/{report.PAGE.name}", file=sys.stderr)
    return 0


main = program(PROGRAM, run)
