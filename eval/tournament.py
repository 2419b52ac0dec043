"""A tournament between agents: the same decks for all, every deck in every rotation of the seats.

    python -m eval.tournament --agents random greedy heuristic --players 2 --games 1000 --seed 1 --out runs/first

Every game is written as a record when it is finished, see `eval.folder`. A tournament that was stopped goes on when the
same command is given again. The same configuration gives the same games, whatever the number of processes.
"""

from __future__ import annotations

import os
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eval.config import Config
from eval.folder import Folder
from eval.play import chunk_size, play_chunk
from eval.workers import in_order
from thurn_env import __version__
from thurn_env.commands.arguments import INTERRUPTED, call, guarded, parse_options
from thurn_env.commands.show import output_console
from thurn_env.pace import available_cores
from thurn_env.progress import Progress

PROGRAM = "python -m eval.tournament"

Task = tuple[Config, tuple[int, ...], int, int]


@dataclass(frozen=True)
class Arguments:
    """Play a tournament between agents and rate them.

    Args:
        agents: the agents, for example: random greedy my_package.my_module:MyAgent. The same one may come twice.
            The tables are all combinations of different agents; with fewer agents than seats, all combinations with
            repetition in which every agent sits.
        players: seats at a table.
        games: decks for every table; each is played with every rotation of the seats.
        seed: of the decks, and of everything else that is random.
        out: the folder of the tournament; give the same command again to go on with one that was stopped.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        jobs: processes; one for every core if not given.
        bootstrap: resamples of the decks for the intervals.
        game: the name of the game.
    """

    agents: tuple[str, ...]
    out: Path
    players: int = 2
    games: int = 100
    seed: int = 1
    board: str | None = None
    option: tuple[str, ...] = ()
    jobs: int = field(default_factory=available_cores)
    bootstrap: int = 1000
    game: str = "thurn_und_taxis"

    @property
    def config(self) -> Config:
        """The tournament that is asked for."""
        options = parse_options(self.option)
        return Config(self.agents, self.players, self.games, self.seed, self.game, self.board, options)


def circumstances(arguments: list[str], jobs: int) -> dict[str, Any]:
    """Where, when and how a run was made."""
    return {
        "command": f"{PROGRAM} {shlex.join(arguments)}",
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "jobs": jobs,
        "cores": available_cores(),
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "machine": f"{platform.system()} {platform.machine()}",
        "versions": {
            "thurn-env": __version__,
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
        },
    }


def tasks(config: Config, done: list[int]) -> Iterator[tuple[int, Task]]:
    """The pieces of work that are left, each with the number of its table."""
    for number, table in enumerate(config.schedule.tables):
        size, total = chunk_size(config, table), config.schedule.games_at(table)
        for start in range(done[number], total, size):
            yield number, (config, table, start, min(start + size, total))


def play(folder: Folder, jobs: int) -> None:
    """Play all games that are not in the folder yet."""
    config, schedule = folder.config, folder.config.schedule
    done = [folder.done(table) for table in range(len(schedule.tables))]
    if sum(done) == schedule.games:
        return
    left = list(tasks(config, done))
    # Compiles the kernels, if need be, before several processes would do it at the same time.
    _, (_, table, start, _) = left[0]
    play_chunk(config, table, start, start + 1)
    jobs = max(1, min(jobs, len(left)))
    games = in_order(play_chunk, (task for _, task in left), jobs)
    with Progress("tournament", schedule.games, done=sum(done)) as progress:
        try:
            for (number, _), played in zip(left, games, strict=True):
                folder.append(number, played)
                progress.advance(len(played))
        finally:
            games.close()


def run(command: list[str]) -> int:
    """Play, rate, print."""
    arguments = call(Arguments, command, PROGRAM)
    folder = Folder(arguments.out, arguments.config)
    with folder.locked():
        folder.open(circumstances(command, arguments.jobs))
        try:
            play(folder, arguments.jobs)
        except KeyboardInterrupt:
            finished = sum(folder.done(table) for table in range(len(folder.tables)))
            print(
                f"\nstopped: {finished:,} of {folder.config.schedule.games:,} games are kept in {folder.path}; "
                "give the same command again to go on",
                file=sys.stderr,
            )
            return INTERRUPTED
        from eval.results import results_of
        from eval.table import print_results

        results = results_of(folder, arguments.bootstrap)
        folder.save_results(results)
    print_results(results, output_console())
    print(f"Every game is a record in {folder.path / 'games'}; the table is in {folder.path / 'results.json'}.")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    command = sys.argv[1:] if arguments is None else arguments
    return guarded(PROGRAM, lambda: run(command))


if __name__ == "__main__":
    sys.exit(main())
