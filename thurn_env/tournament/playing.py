"""Play tournaments: all agents get the same decks, and every deck is played in several seatings.

Every finished game is written as a record, see `thurn_env.tournament.folder`. A stopped tournament continues when it is
played into the same folder again, possibly with more decks. The same configuration gives the same games for any number
of processes; for exceptions see `thurn_env.tournament.config`. An agent that fails loses its game by forfeit, see
`thurn_env.tournament.referee`, and the tournament continues. An agent that hangs forfeits only if there is a time
limit; by default the tournament waits. If an agent from outside this project plays, all seeds depend on a secret, see
`thurn_env.tournament.seeds`.
"""

from __future__ import annotations

import os
import platform
import secrets
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from thurn_env import __version__
from thurn_env.checks import MOST_THREADS, checked_whole, quoted
from thurn_env.engine.cores import available_cores
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import OptionError, ThurnError
from thurn_env.games.contract import Rules
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.progress import Progress
from thurn_env.tournament.checkout import checkout
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import MATCH, Folder, stored_secret
from thurn_env.tournament.play import (
    Played,
    Task,
    check_agents,
    chunk_size,
    forget_agents,
    lost_game,
    play_chunk,
    task,
    warm_up,
)
from thurn_env.tournament.results import MOST_RESAMPLES, Results, rate
from thurn_env.tournament.schedule import Format, Seating, Table
from thurn_env.tournament.workers import Crew, require_loadable

SECRET_BYTES = 16
"""Length of a generated secret in bytes."""

Piece = tuple[int, Table, int, int]
"""Games to play: table number, table, first game, and end (exclusive)."""


def play_tournament(
    agents: Sequence[str],
    rules: Rules,
    decks: int = 100,
    *,
    seed: int = 1,
    folder: str | Path | None = None,
    format: Format | None = None,
    tables: Sequence[str] = (),
    seating: Seating = "rotations",
    time_limit: float | None = None,
    first_deck: int = 0,
    secret: str | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    bootstrap: int = 1000,
    command: str = "",
    sandbox: bool | Limits | Sandbox | None = None,
) -> Results:
    """Play a tournament, or the games missing from its folder, and return the results.

    Args:
        agents: specs of the agents, such as `"heuristic"`, `"mcts:1000"` or `"my_package.my_module:MyAgent"`. A spec
            may occur several times.
        rules: game, board, options and number of players.
        decks: decks for every table; each deck is played in several seatings.
        seed: seed of the decks and of all other randomness.
        folder: folder of the tournament. If it already holds this tournament, the tournament continues. None uses a
            temporary folder, which is removed at the end; the results remain, the games do not.
        format: "round-robin", "one-against-all", "ladder" or "tables", see `thurn_env.tournament.schedule`; None for
            "tables" if there are tables, otherwise "round-robin".
        tables: for the format "tables": one text per table, with names of agents separated by commas.
        seating: "rotations" or "permutations" of the agents around the table.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. None for no limit.
        first_deck: number of the first deck, from 0.
        secret: text that all seeds depend on; "" for none. None takes the secret of the tournament in the folder; a new
            tournament generates one if an agent from outside this project plays, and otherwise has none.
        jobs: number of worker processes; None for one per core. 0 plays in this process.
        ray: address of a Ray cluster; "" starts Ray on this machine; None plays without Ray.
        bootstrap: number of resamples of the decks for the 95 % intervals.
        command: command line to note in the folder, for people who want to repeat the tournament.
        sandbox: True or `Limits` to run `exec:` agents under bubblewrap, see docs/agent_protocol.md. Agents in Python
            play outside of it. Also pass a `time_limit`, or a silent program stops the tournament.

    Raises:
        AgentError: an agent does not exist or does not play this game.
        OptionError: a value is out of bounds, the board cannot be loaded by its name, or there is no sandbox on this
            machine.
        ThurnError: the folder holds another tournament, or another process is playing into it.
        KeyboardInterrupt: the tournament was interrupted. All finished games are in the folder; the same call plays the
            rest.
    """
    require_loadable(rules)
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise OptionError(f"agents must be a list of specs, for example ['random', 'greedy'], not {quoted(agents)}")
    if isinstance(tables, str) or not isinstance(tables, Iterable):
        raise OptionError(f"tables must be a list of texts, for example ['random,greedy'], not {quoted(tables)}")
    for name, value, kinds in (("folder", folder, (str, os.PathLike)), ("ray", ray, (str,))):
        if value is not None and not isinstance(value, kinds):
            raise OptionError(f"{name} must be a text or None, not {quoted(value)}")
    config = Config(
        tuple(agents),
        rules.players,
        decks,
        seed,
        rules.name,
        rules.board_name,
        dict(rules.options),
        format or ("tables" if tables else "round-robin"),
        tuple(tables),
        seating,
        time_limit,
        first_deck,
        secret or "",
        Sandbox.of(sandbox),
    )
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="thurn-tournament-") as scratch:
            return play_config(config, Path(scratch), secret, jobs, ray, bootstrap, command)
    return play_config(config, Path(folder), secret, jobs, ray, bootstrap, command)


def play_config(
    config: Config,
    path: Path,
    secret: str | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    bootstrap: int = 1000,
    command: str = "",
    ignored: Sequence[str] = (),
) -> Results:
    """Play the tournament of a configuration; for the arguments see `play_tournament`.

    `ignored` are paths of the checkout whose changes do not count, see `checkout`.
    """
    workers = available_cores() if jobs is None else checked_whole("jobs", jobs, 0, MOST_THREADS)
    checked_whole("bootstrap", bootstrap, 0, MOST_RESAMPLES)
    config = config.hiding(path)
    check(config)
    with Folder(path, config).locked():
        if (path / MATCH).exists():
            raise ThurnError(f"{path} holds a match, not a tournament; choose another folder")
        folder = Folder(path, replace(config, secret=secret_for(config, secret, path)))
        folder.open(circumstances(command, workers, ignored))
        play(folder, workers, ray)
        return rate(folder, bootstrap)


def check(config: Config) -> None:
    """Make every agent once and seat it; raise `ThurnError` if that fails."""
    _ = config.rules
    _ = config.schedule
    check_agents(config)


def circumstances(command: str, jobs: int, ignored: Sequence[str] = ()) -> dict[str, Any]:
    """Return the circumstances of a run: place, time and command."""
    return {
        "command": command,
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
        **checkout(ignored),
    }


def pieces(config: Config, done: list[int]) -> Iterator[Piece]:
    """Yield the remaining pieces of work."""
    for number, table in enumerate(config.schedule.tables):
        size, total = chunk_size(config, table), config.schedule.games_at(table)
        for start in range(done[number], total, size):
            yield number, table, start, min(start + size, total)


def played(folder: Folder, left: Sequence[Piece], jobs: int, ray: str | None) -> Generator[list[Played], None, None]:
    """Yield the games of these pieces of work, in order; for `ray` see `play_tournament`."""
    config = folder.config
    tasks: Iterable[Task] = (task(config, table, start, stop) for _, table, start, stop in left)
    if ray is not None:
        from thurn_env.tournament.rays import in_order

        yield from in_order(tasks, jobs, ray, folder.note)
    elif jobs <= 0 or (jobs == 1 and all(config.scripted(table) for _, table, _, _ in left)):
        with one_thread():
            yield from (play_chunk(*each) for each in tasks)
    else:
        # Agents other than scripted bots may end their process, so they never play in this one.
        with Crew(min(jobs, len(left))) as crew:
            yield from crew.in_order(play_chunk, tasks, lost_game)


def prepared(
    folder: Folder, done: list[int], jobs: int, ray: str | None = None
) -> Generator[tuple[int, list[Played]], None, None]:
    """Compile what is missing, and return the games that the folder lacks, in order, with the numbers of their tables.

    `done` has the number of finished games of every table. A game is played when the caller asks for it, or shortly
    before; nothing is stored.
    """
    left = list(pieces(folder.config, done))
    forget_agents()
    _compile(folder.config, left)

    def games() -> Generator[tuple[int, list[Played]], None, None]:
        try:
            with closing(played(folder, left, jobs, ray)) as results:
                for (number, *_), chunk in zip(left, results, strict=True):
                    yield number, chunk
        finally:
            # Programs that played in this process end with the tournament.
            forget_agents()

    return games()


def play(folder: Folder, jobs: int, ray: str | None = None) -> None:
    """Play all games that the folder lacks."""
    total = folder.config.schedule.games
    done = [folder.cut_off(table) for table in range(len(folder.tables))]
    if sum(done) == total:
        return
    with (
        closing(prepared(folder, done, jobs, ray)) as results,
        Progress("tournament", total, done=sum(done)) as progress,
    ):
        for number, games in results:
            folder.append(number, games)
            progress.advance(len(games))


def _compile(config: Config, left: list[Piece]) -> None:
    """Compile missing kernels once, before several processes would compile them at the same time."""
    tables = {config.scripted(table): (table, start) for _, table, start, _ in reversed(left)}
    for scripted, (table, start) in tables.items():
        if scripted:
            play_chunk(*task(config, table, start, start + 1))
        else:
            warm_up(config, table)


def secret_for(config: Config, given: str | None, out: Path) -> str:
    """Return the secret of a tournament: the given one, the one stored in the folder, or a new one.

    A new tournament with only this project's agents has no secret: its seeds are those of published results.
    """
    if given is not None:
        return given
    stored = stored_secret(out)
    if stored is not None:
        return stored
    return secrets.token_hex(SECRET_BYTES) if config.foreign else ""
