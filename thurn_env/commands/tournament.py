"""`thurn tournament`: play a tournament between agents and rate them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from thurn_env.checks import MOST_THREADS, check_options, checked_whole
from thurn_env.commands.arguments import INTERRUPTED, call, chosen_sandbox, program, ray_address
from thurn_env.commands.show import output_console
from thurn_env.engine.provenance import command_line
from thurn_env.errors import OptionError, ThurnError
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.options import parse_options
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import DESCRIPTION, NO_SECRET, Folder
from thurn_env.tournament.playing import check, play_config
from thurn_env.tournament.results import MOST_RESAMPLES
from thurn_env.tournament.schedule import Seating
from thurn_env.tournament.shareable import without_secret
from thurn_env.tournament.table import print_results

PROGRAM = "thurn tournament"


@dataclass(frozen=True)
class Arguments:
    """Play a tournament between agents and rate them.

    Args:
        out: folder of the tournament; run the same command again to continue a tournament that was stopped.
        agents: the agents, for example: random greedy my_package.my_module:MyAgent. An agent may occur several times.
            Not needed with --tables.
        format: tables of the tournament. round-robin: all combinations of different agents; with fewer agents than
            seats, all combinations with repetition in which every agent sits. one-against-all: the first agent against
            each other one, which fills the other seats. ladder: every agent alone among copies of the one named before
            it.
        tables: tables of your own instead of a format: agents separated by commas, for example: greedy,random,random.
            Agents with a comma in their spec, such as mcts:100,c=0.7, also have to be named with --agents.
        players: number of seats at a table.
        games: decks for every table; each is played in several seatings. With more decks than before, a tournament
            continues.
        first_deck: number of the first deck, from 0, to play a tournament in parts on several machines.
        seating: rotations: every deck is played with every rotation of the seats; permutations: with every order of the
            agents around the table.
        seed: seed of the decks and of all other randomness.
        secret: text that all seeds depend on, so that no agent can compute the decks. By default, a tournament with an
            agent of your own generates a secret and keeps it in tournament.json; the same command with that secret
            plays the same games elsewhere. The word none means no secret.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. By default no limit.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        jobs: number of worker processes; by default one per core. 0 plays in this process, to debug an agent; a crash
            then ends the tournament.
        ray: play on the Ray cluster at this address; without an address, start Ray on this machine.
        bootstrap: number of resamples of the decks for the intervals.
        sandbox: run exec agents under bubblewrap: without network, and without files other than their own. Limits may
            follow, for each program: memory=2048 and scratch=64 (MiB), cpu_seconds=600 (per game), processes=128,
            open_files=512. Agents in Python play outside the sandbox.
        game: name of the game.
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
    jobs: int | None = None
    ray: tuple[str, ...] | None = None
    bootstrap: int = 1000
    sandbox: tuple[str, ...] | None = None
    game: str = DEFAULT_GAME

    @property
    def config(self) -> Config:
        """Return the configuration of the tournament."""
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
            self.chosen_secret or "",
            chosen_sandbox(self.sandbox),
        ).hiding(self.out)

    @property
    def chosen_secret(self) -> str | None:
        """Return the secret, empty for none; None if the tournament decides."""
        return "" if self.secret == NO_SECRET else self.secret


def check_named(config: Config, named: bool) -> None:
    """Check a tournament; if it fails, add a hint about agents with commas unless `--agents` names the agents."""
    try:
        check(config)
    except ThurnError as error:
        if named or not config.tables:
            raise
        raise OptionError(f"{error} (agents with a comma in their spec have to be named with --agents)") from error


def hide_secret(secret: str) -> None:
    """Remove a secret from the arguments of this program, which worker processes would inherit."""
    sys.argv = without_secret(sys.argv, secret)


def run(command: list[str]) -> int:
    """Play the tournament, rate the agents and print the results."""
    arguments = call(Arguments, command, PROGRAM)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    check_options(arguments, checked_whole, ("bootstrap",), 0, MOST_RESAMPLES)
    config = arguments.config
    if config.secret:
        hide_secret(config.secret)
    check_named(config, named=bool(arguments.agents))
    ray = None if arguments.ray is None else ray_address(arguments.ray)
    try:
        results = play_config(
            config,
            arguments.out,
            arguments.chosen_secret,
            arguments.jobs,
            ray,
            arguments.bootstrap,
            command_line(PROGRAM, command),
        )
    except KeyboardInterrupt:
        if not (arguments.out / DESCRIPTION).exists():
            raise
        folder = Folder.existing(arguments.out)
        finished = sum(folder.finished(table) for table in range(len(folder.tables)))
        print(
            f"\nstopped: {finished:,} of {folder.config.schedule.games:,} games are kept in {folder.path}; "
            "run the same command again to continue",
            file=sys.stderr,
        )
        return INTERRUPTED
    print_results(dict(results.figures), output_console())
    print(f"Every game is a record in {results.path / 'games'}; the figures are in {results.path / 'results.json'}.")
    if Folder.existing(arguments.out).config.secret:
        description = results.path / DESCRIPTION
        print(f"All seeds depend on the secret in {description}; --secret plays the same games elsewhere.")
    return 0


main = program(PROGRAM, run)
