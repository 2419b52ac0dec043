"""A tournament between agents: the same decks for all, every deck in several seatings.

    python -m eval.tournament --agents random greedy heuristic --players 2 --games 1000 --seed 1 --out runs/first

Every game is written as a record when it is finished, see `eval.folder`. A tournament that was stopped goes on when the
same command is given again, or one with more decks. The same configuration gives the same games, whatever the number of
processes; for the exceptions see `eval.config`. An agent that fails loses its game by forfeit, see `eval.referee`, and
the tournament goes on. One that hangs fails only with `--time-limit`: without it, the default, the tournament waits for
the answer. If an agent of somebody's own plays, `package.module:Class`, all seeds depend on a secret, see `eval.seeds`.
"""

from __future__ import annotations

import os
import platform
import secrets
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from eval.checkout import checkout
from eval.config import Config
from eval.folder import DESCRIPTION, Folder, stored_secret
from eval.play import Played, Task, check_agents, chunk_size, forget_agents, lost_game, play_chunk, task, warm_up
from eval.schedule import Seating, Table
from eval.workers import Crew
from thurn_env import __version__
from thurn_env.checks import MOST_THREADS, checked_whole
from thurn_env.commands.arguments import INTERRUPTED, call, parse_options, program
from thurn_env.commands.show import output_console
from thurn_env.errors import OptionError, ThurnError
from thurn_env.pace import available_cores
from thurn_env.progress import Progress
from thurn_env.provenance import command_line
from thurn_env.threads import one_thread

PROGRAM = "python -m eval.tournament"
MOST_RESAMPLES = 100_000
"""Resamples that may be asked for."""

SECRET_BYTES = 16
"""Of a secret that is drawn."""
NO_SECRET = "none"
"""After `--secret`: the seeds depend on no secret."""

Piece = tuple[int, Table, int, int]
"""Work to do: the number of a table, the table, and its games from the first number to before the second."""


@dataclass(frozen=True)
class Arguments:
    """Play a tournament between agents and rate them.

    Args:
        agents: the agents, for example: random greedy my_package.my_module:MyAgent. The same one may come twice. May be
            left out with --tables.
        format: who plays whom. round-robin: all combinations of different agents; with fewer agents than seats, all
            combinations with repetition in which every agent sits. one-against-all: the first agent with every other
            one, who fills the other seats. ladder: every agent alone among copies of the one named before it.
        tables: tables of your own instead of a format: agents with commas between, for example: greedy,random,random.
            Agents with a comma in their spec, as mcts:100,c=0.7, have to be named with --agents too.
        players: seats at a table.
        games: decks for every table; each is played in several seatings. With more than before, a tournament goes on.
        first_deck: the number of the first deck, from 0. So a tournament can be played in parts, on several machines.
        seating: rotations: every deck is played with every rotation of the seats; permutations: with every order of the
            agents around the table.
        seed: of the decks, and of everything else that is random.
        secret: a text that all seeds depend on, so that no agent can compute the decks. If not given, a tournament with
            an agent of your own draws one and keeps it in tournament.json; the same command with that secret plays the
            same games elsewhere. The word none means no secret.
        out: the folder of the tournament; give the same command again to go on with one that was stopped.
        time_limit: seconds that an agent has for a decision before it loses by forfeit; no limit if not given.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        jobs: processes; one for every core if not given. 0 plays in this process, for looking into an agent with a
            debugger: what ends the process then ends the tournament.
        ray: spread the games over a Ray cluster with this address; without an address over a Ray of its own on this
            machine.
        bootstrap: resamples of the decks for the intervals.
        game: the name of the game.
    """

    out: Path
    agents: tuple[str, ...] = ()
    format: Literal["round-robin", "one-against-all", "ladder"] | None = None
    tables: tuple[str, ...] = ()
    players: int = 2
    games: int = 100
    first_deck: int = 0
    seating: Seating = "rotations"
    seed: int = 1
    secret: str | None = None
    time_limit: float | None = None
    board: str | None = None
    option: tuple[str, ...] = ()
    jobs: int = field(default_factory=available_cores)
    ray: tuple[str, ...] | None = None
    bootstrap: int = 1000
    game: str = "thurn_und_taxis"

    @property
    def config(self) -> Config:
        """The tournament that is asked for."""
        agents = self.agents or tuple(dict.fromkeys(name for table in self.tables for name in table.split(",")))
        return Config(
            agents,
            self.players,
            self.games,
            self.seed,
            self.game,
            self.board,
            parse_options(self.option),
            self.format or ("tables" if self.tables else "round-robin"),
            self.tables,
            self.seating,
            self.time_limit,
            self.first_deck,
            "" if self.secret in (None, NO_SECRET) else self.secret,
        )


def circumstances(arguments: list[str], jobs: int) -> dict[str, Any]:
    """Where, when and how a run was made."""
    return {
        "command": command_line(PROGRAM, arguments),
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
        **checkout(),
    }


def ray_address(words: Sequence[str]) -> str:
    """The address after `--ray`, or `""`; `ThurnError` if there are several or Ray is not installed."""
    from eval.rays import require_ray

    require_ray()
    if len(words) > 1:
        raise OptionError(f"--ray takes one address, not {len(words)}")
    return words[0] if words else ""


def pieces(config: Config, done: list[int]) -> Iterator[Piece]:
    """The pieces of work that are left."""
    for number, table in enumerate(config.schedule.tables):
        size, total = chunk_size(config, table), config.schedule.games_at(table)
        for start in range(done[number], total, size):
            yield number, table, start, min(start + size, total)


def played(folder: Folder, left: Sequence[Piece], jobs: int, ray: str | None) -> Generator[list[Played], None, None]:
    """The games of some pieces of work, in order. `ray` is an address, `""` for a Ray of its own, or None."""
    config = folder.config
    tasks: Iterable[Task] = (task(config, table, start, stop) for _, table, start, stop in left)
    if ray is not None:
        from eval.rays import in_order

        yield from in_order(tasks, jobs, ray, folder.note)
    elif jobs <= 0 or (jobs == 1 and all(config.scripted(table) for _, table, _, _ in left)):
        with one_thread():
            yield from (play_chunk(*each) for each in tasks)
    else:
        # Agents that are no scripted bots may take their process along: never this one.
        with Crew(min(jobs, len(left))) as crew:
            yield from crew.in_order(play_chunk, tasks, lost_game)


def play(folder: Folder, jobs: int, ray: str | None = None) -> None:
    """Play all games that are not in the folder yet."""
    config, schedule = folder.config, folder.config.schedule
    done = [folder.done(table) for table in range(len(schedule.tables))]
    if sum(done) == schedule.games:
        return
    left = list(pieces(config, done))
    forget_agents()
    _compile(config, left)
    with (
        Progress("tournament", schedule.games, done=sum(done)) as progress,
        closing(played(folder, left, jobs, ray)) as results,
    ):
        for (number, *_), games in zip(left, results, strict=True):
            folder.append(number, games)
            progress.advance(len(games))


def _compile(config: Config, left: list[Piece]) -> None:
    """Compile the kernels, if need be, before several processes would do it at the same time."""
    tables = {config.scripted(table): (table, start) for _, table, start, _ in reversed(left)}
    for scripted, (table, start) in tables.items():
        if scripted:
            play_chunk(*task(config, table, start, start + 1))
        else:
            warm_up(config, table)


def check(config: Config, named: bool) -> None:
    """Seat every agent and make it once; `ThurnError` if that cannot be. `named`: the agents stand in --agents."""
    _ = config.rules
    try:
        _ = config.schedule
        check_agents(config)
    except ThurnError as error:
        if named or not config.tables:
            raise
        raise OptionError(f"{error} (agents with a comma in their spec have to be named with --agents)") from error


def configuration(command: list[str]) -> Config:
    """The tournament that a command would play."""
    return call(Arguments, command, PROGRAM).config


def secret_for(config: Config, given: str | None, out: Path) -> str:
    """The secret of a tournament: the one that is given, else that of the tournament in the folder, else a fresh one.

    A new tournament of agents that all belong to this project has none: its seeds are those of published results.
    """
    if given is not None:
        return "" if given == NO_SECRET else given
    stored = stored_secret(out)
    if stored is not None:
        return stored
    return secrets.token_hex(SECRET_BYTES) if config.foreign else ""


def hide_secret(secret: str) -> None:
    """Take a secret out of the arguments of this program, which worker processes get a copy of."""
    hidden = {secret: "...", f"--secret={secret}": "--secret=..."}
    sys.argv = [hidden.get(word, word) for word in sys.argv]


def run(command: list[str]) -> int:
    """Play, rate, print."""
    arguments = call(Arguments, command, PROGRAM)
    checked_whole("--jobs", arguments.jobs, 0, MOST_THREADS)
    checked_whole("--bootstrap", arguments.bootstrap, 0, MOST_RESAMPLES)
    config = arguments.config
    if arguments.secret not in (None, NO_SECRET):
        hide_secret(arguments.secret)
    check(config, named=bool(arguments.agents))
    ray = None if arguments.ray is None else ray_address(arguments.ray)
    with Folder(arguments.out, config).locked():
        folder = Folder(arguments.out, replace(config, secret=secret_for(config, arguments.secret, arguments.out)))
        folder.open(circumstances(command, arguments.jobs))
        try:
            play(folder, arguments.jobs, ray)
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
    print(f"Every game is a record in {folder.path / 'games'}; the figures are in {folder.path / 'results.json'}.")
    if folder.config.secret:
        description = folder.path / DESCRIPTION
        print(f"All seeds depend on the secret in {description}; --secret plays the same games elsewhere.")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
