"""Results of a comparison as a table, as JSON and as a section of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from docs.generate import BLOCK, markdown
from eval.peers.catalogue import BATCH, OURS
from eval.peers.measure import Result
from thurn_env.errors import ThurnError
from thurn_env.files import read_text, write_text

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BLOCK_NAME = "peers"
COLUMNS = (
    "project",
    "environment",
    "decisions/s",
    "lowest to highest",
    "observation",
    "actions",
    "our equivalent",
    "our batch",
)


@dataclass(frozen=True)
class Report:
    """A finished comparison.

    Attributes:
        results: results of all environments.
        command: command that repeats the comparison.
        date: year, month, day.
        rounds: number of rounds; rates are the median.
        seconds: length of one measurement.
        machine: the processor, its cores and the system.
        load_before: the machine's load over 1, 5 and 15 minutes at the start; None if unknown.
        load_after: the same at the end.
    """

    results: Sequence[Result]
    command: str
    date: str
    rounds: int
    seconds: float
    machine: dict[str, Any]
    load_before: list[float] | None
    load_after: list[float] | None

    def ratio(self, result: Result, face: str) -> float | None:
        """Return how many times as fast one of our interfaces is; None if unknown, or if the result is one of ours."""
        rates = {other.peer.name: other.rate for other in self.results if other.peer.project == OURS}
        ours = rates.get(face)
        return ours / result.rate if ours and result.rate and result.peer.project != OURS else None

    def row(self, result: Result) -> list[str]:
        """Return the cells of a result, for `COLUMNS`."""
        start = [result.peer.project, result.peer.name]
        if result.rate is None:
            return [*start, f"failed: {result.problem}", *[""] * (len(COLUMNS) - len(start) - 1)]
        last = result.measurements[-1]
        return [
            *start,
            figure(result.rate),
            f"{figure(min(result.rates))} to {figure(max(result.rates))}",
            f"{last.observation:,}",
            f"{last.actions:,}",
            times(self.ratio(result, result.peer.counterpart)),
            times(self.ratio(result, BATCH)),
        ]

    def notes(self) -> Iterator[str]:
        """Yield a line for every circumstance of the measurement."""
        yield f"`{self.command}` on {self.date}: median of {self.rounds} rounds of {self.seconds:g} s for each."
        machine = self.machine
        yield (
            f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}; "
            f"load {loads_text(self.load_before)} before and {loads_text(self.load_after)} after."
        )
        for project, versions in self.versions().items():
            yield f"{project}: {', '.join(f'{name} {version}' for name, version in versions.items())}."
        for result in self.results:
            if result.rate is not None and result.measurements[-1].step_share is not None:
                share = result.measurements[-1].step_share
                yield f"{result.peer.name}: {share:.0%} of the time is `Batch.step`, the rest chooses the actions."

    def versions(self) -> dict[str, dict[str, str]]:
        """Return the versions of the packages, by project."""
        found: dict[str, dict[str, str]] = {}
        for result in self.results:
            for measurement in result.measurements:
                found.setdefault(result.peer.project, {}).update(measurement.versions)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON types."""
        return {
            "command": self.command,
            "date": self.date,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "rate": "median of the rounds, decisions per second",
            "machine": self.machine,
            "load_before": self.load_before,
            "load_after": self.load_after,
            "results": [self._entry(result) for result in self.results],
        }

    def _entry(self, result: Result) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "project": result.peer.project,
            "environment": result.peer.name,
            "rate": result.rate,
            "rates": result.rates,
            "ratio_to_like_face": self.ratio(result, result.peer.counterpart),
            "ratio_to_batch": self.ratio(result, BATCH),
            "like_face": result.peer.counterpart,
            "problem": result.problem,
        }
        if result.measurements:
            last = result.measurements[-1]
            entry.update(observation=last.observation, actions=last.actions, step_share=last.step_share)
            entry["versions"] = last.versions
        return entry


def figure(rate: float) -> str:
    """Format a rate with three significant digits."""
    if rate >= 1e6:
        return f"{rate / 1e6:.3g} million"
    return f"{float(f'{rate:.3g}'):,.0f}" if rate >= 100 else f"{rate:.3g}"


def times(ratio: float | None) -> str:
    """Format a ratio with two significant digits; empty if there is none."""
    if ratio is None:
        return ""
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def loads_text(load: list[float] | None) -> str:
    """Describe the load of the last minute."""
    return f"{load[0]:.1f}" if load else "unknown"


def terminal_table(report: Report) -> Table:
    """Return the table for the terminal."""
    table = Table(
        title="Uniformly random play with observation and legal actions at every decision", title_justify="left"
    )
    for name in COLUMNS:
        table.add_column(name, justify="left" if name in COLUMNS[:2] else "right", overflow="fold")
    for number, result in enumerate(report.results):
        if number and result.peer.project != report.results[number - 1].peer.project:
            table.add_section()
        row = report.row(result)
        if result.problem:
            row[2] = "failed"  # the reason would take many lines in this column; see `failures`
        table.add_row(*map(Text, row))
    return table


def failures(report: Report) -> Iterator[str]:
    """Yield a line for every failure."""
    for result in report.results:
        if result.problem:
            yield f"{result.peer.project}, {result.peer.name} failed: {result.problem}"


def section(report: Report) -> str:
    """Return the section of the documentation as Markdown."""
    rows = [[cell.replace("|", "\\|") for cell in report.row(result)] for result in report.results]
    notes = "".join(f"- {note}\n" for note in report.notes())
    return f"{markdown(COLUMNS, rows)}\n{notes}"


def write(report: Report) -> None:
    """Replace the section on the page.

    Raises:
        ThurnError: the page has no place for the section.
    """
    check_page()
    made = section(report)
    text = read_text(PAGE)
    write_text(PAGE, BLOCK.sub(lambda block: f"{block[1]}{made}{block[3]}" if own(block) else block[0], text))


def check_page() -> None:
    """Raise `ThurnError` unless the page has one place for the section."""
    if [own(block) for block in BLOCK.finditer(read_text(PAGE))].count(True) != 1:
        raise ThurnError(f"docs/{PAGE.name} needs one line <!-- table: {BLOCK_NAME} -->, and <!-- end --> after it")


def own(block: re.Match[str]) -> bool:
    """Return whether a place on the page is that of this section."""
    return block[2] == BLOCK_NAME
