"""`thurn tournament`: play a tournament between agents and rate them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from thurn_env.checks import MOST_THREADS, check_options, checked_whole
from thurn_env.commands.arguments import INTERRUPTED, call, program
from thurn_env.commands.show import output_console
from thurn_env.engine.provenance import command_line
from thurn_env.errors import OptionError, ThurnError
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.options import parse_options
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import DESCRIPTION, Folder
from thurn_env.tournament.playing import check, play_config, ray_address
from thurn_env.tournament.results import MOST_RESAMPLES
from thurn_env.tournament.schedule import Seating
from thurn_env.tournament.table import print_results

PROGRAM = "thurn tournament"
NO_SECRET = "none"
"""After `--secret`: the seeds depend on no secret."""


@dataclass(frozen=True)
class Arguments:
    """Play a tournament between agents and rate them.

    Args:
        out: the folder of the tournament; give the same command again to continue a tournament that was stopped.
        agents: the agents, for example: random greedy my_package.my_module:MyAgent. The same one may come twice. Not
            needed with --tables.
        format: who plays whom. round-robin: all combinations of different agents; with fewer agents than seats, all
            combinations with repetition in which every agent sits. one-against-all: the first agent with every other
            one, who fills the other seats. ladder: every agent alone among copies of the one named before it.
        tables: tables of your own instead of a format: agents with commas between, for example: greedy,random,random.
            Agents with a comma in their spec, as mcts:100,c=0.7, have to be named with --agents too.
        players: seats at a table.
        games: decks for every table; each is played in several seatings. With more than before, a tournament continues.
        first_deck: the number of the first deck, from 0, to play a tournament in parts on several machines.
        seating: rotations: every deck is played with every rotation of the seats; permutations: with every order of the
            agents around the table.
        seed: of the decks, and of everything else that is random.
        secret: a text that all seeds depend on, so that no agent can compute the decks. If not given, a tournament with
            an agent of your own draws one and keeps it in tournament.json; the same command with that secret plays the
            same games elsewhere. The word none means no secret.
        time_limit: seconds that an agent has for a decision before it loses by forfeit; no limit if not given.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        jobs: processes; one for every core if not given. 0 plays in this process, to debug an agent: whatever ends the
            process then ends the tournament.
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
    jobs: int | None = None
    ray: tuple[str, ...] | None = None
    bootstrap: int = 1000
    game: str = DEFAULT_GAME

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
            self.chosen_secret or "",
        )

    @property
    def chosen_secret(self) -> str | None:
        """The secret, empty for none; None if the tournament chooses."""
        return "" if self.secret == NO_SECRET else self.secret


def check_named(config: Config, named: bool) -> None:
    """Check a tournament; if it fails, remind of agents with commas unless the agents stand in `--agents`."""
    try:
        check(config)
    except ThurnError as error:
        if named or not config.tables:
            raise
        raise OptionError(f"{error} (agents with a comma in their spec have to be named with --agents)") from error


def hide_secret(secret: str) -> None:
    """Remove a secret from the arguments of this program, which worker processes get a copy of."""
    hidden = {secret: "...", f"--secret={secret}": "--secret=..."}
    sys.argv = [hidden.get(word, word) for word in sys.argv]


def run(command: list[str]) -> int:
    """Play, rate, print."""
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
        folder = Folder.existing(arguments.out)
        finished = sum(folder.done(table) for table in range(len(folder.tables)))
        print(
            f"\nstopped: {finished:,} of {folder.config.schedule.games:,} games are kept in {folder.path}; "
            "give the same command again to go on",
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
