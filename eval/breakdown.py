"""Where the points come from: replays the games of a tournament and sums up the scores by source.

    python -m eval.breakdown runs/first

For every agent: the mean points from every source, and how many of its wins had points from there, for example from
the all-provinces tile. Replaying also verifies every record.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from rich.table import Table
from tyro.conf import Positional

from eval.workers import in_order
from thurn_env.commands.arguments import call, guarded
from thurn_env.commands.show import output_console
from thurn_env.errors import RecordError
from thurn_env.pace import available_cores
from thurn_env.progress import Progress
from thurn_env.record import Record

PROGRAM = "python -m eval.breakdown"
CHUNK = 16
ALL = "all"
"""The column of all agents together."""


@dataclass(frozen=True)
class Arguments:
    """Show where the points come from: mean points by source, and the share of wins with points from it.

    Args:
        path: the folder of a tournament, or a file of records.
        limit: games of every file; all if not given.
        jobs: processes; one for every core if not given.
    """

    path: Positional[Path]
    limit: int | None = None
    jobs: int = field(default_factory=available_cores)


@dataclass
class Sums:
    """What is added up for one agent."""

    games: int = 0
    wins: float = 0.0
    points: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    won_with: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, sources: dict[str, int], win: float) -> None:
        """Add one seat of one game; `win` is the share of the win, 0 to 1."""
        self.games += 1
        self.wins += win
        for source, points in sources.items():
            self.points[source] += points
            self.won_with[source] += win * (points != 0)


def record_files(path: Path) -> list[Path]:
    """The files of records under a path."""
    files = sorted((path / "games").glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise RecordError(f"{path}: there are no records; a tournament has them in games/*.jsonl")
    return files


def chunks(files: list[Path], limit: int | None) -> Iterator[tuple[str, list[str], int]]:
    """Pieces of the files: file, lines, and the number of the first of them."""
    for file in files:
        with file.open(encoding="utf-8") as content:
            lines = enumerate(islice(content, limit), start=1)
            while piece := list(islice(lines, CHUNK)):
                yield str(file), [line for _, line in piece], piece[0][0]


def replayed(file: str, lines: list[str], first: int) -> list[tuple[list[str], list[int], list[dict[str, int]]]]:
    """Agents, ranks and scores by source of some games."""
    games = []
    for number, line in enumerate(lines, start=first):
        source = f"{file}, line {number}"
        record = Record.from_json(line, source)
        try:
            game = record.final()
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None
        if game.over:
            names = record.agents or [f"seat {seat}" for seat in range(game.players)]
            games.append((names, game.ranks, game.breakdown()))
    return games


def sums_of(files: list[Path], limit: int | None, jobs: int) -> dict[str, Sums]:
    """The sums of every agent, and of all together."""
    sums: dict[str, Sums] = {ALL: Sums()}
    pieces = list(chunks(files, limit))
    results = in_order(replayed, pieces, max(1, min(jobs, len(pieces))))
    with Progress("replay", sum(len(lines) for _, lines, _ in pieces)) as progress:
        try:
            for (_, lines, _), games in zip(pieces, results, strict=True):
                for names, ranks, rows in games:
                    for name, rank, row in zip(names, ranks, rows, strict=True):
                        win = 1 / ranks.count(1) if rank == 1 else 0.0
                        sums.setdefault(name, Sums()).add(row, win)
                        sums[ALL].add(row, win)
                progress.advance(len(lines))
        finally:
            results.close()
    return sums


def source_table(sums: dict[str, Sums]) -> Table:
    """A row for every source, two columns for every agent."""
    agents = [name for name in sums if name != ALL]
    shown = [*agents, ALL] if len(agents) > 1 else agents
    table = Table(title="Mean points by source, and the share of wins with points from it", title_justify="left")
    table.add_column("source")
    for name in shown:
        table.add_column(name, justify="right", overflow="fold")
        table.add_column("of wins", justify="right")
    for source in sums[ALL].points:
        cells = []
        for name in shown:
            row = sums[name]
            cells.append(f"{row.points[source] / row.games:.2f}")
            cells.append(f"{row.won_with[source] / row.wins:.1%}" if row.wins else "")
        table.add_row(source, *cells)
    table.add_section()
    for label, value in (("games", "games"), ("wins", "wins")):
        cells = [cell for name in shown for cell in (f"{getattr(sums[name], value):,.0f}", "")]
        table.add_row(label, *cells)
    return table


def run(command: list[str]) -> int:
    """Replay, sum up, print."""
    arguments = call(Arguments, command, PROGRAM)
    sums = sums_of(record_files(arguments.path), arguments.limit, arguments.jobs)
    output_console().print(source_table(sums))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    command = sys.argv[1:] if arguments is None else arguments
    return guarded(PROGRAM, lambda: run(command))


if __name__ == "__main__":
    sys.exit(main())
