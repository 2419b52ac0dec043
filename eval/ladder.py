"""The ladder: agents ordered by strength, each played against the one below it.

    python -m eval.ladder --name full summit --out runs/ladder

plays the ladders of `eval/ladder.toml`, one tournament per number of players; a stopped ladder continues. A rung holds
if its agent ranks before the one below in more than half of their games and the 95 % interval excludes one half.
`--check` replays the first decks and compares the games with the stored results. `--add` plays the decks after the
stored ones and adds their results.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from eval import ladder_results
from eval.ladder_results import LadderResults, shared_facts
from eval.rungs import FIRST_DECKS, Rung, first_games
from thurn_env.checks import LONGEST_WAIT, MOST_THREADS, check_options, checked_number, checked_whole
from thurn_env.commands.arguments import call, chosen_sandbox, program, ray_address
from thurn_env.commands.show import output_console
from thurn_env.engine.cores import available_cores
from thurn_env.engine.provenance import command_line
from thurn_env.errors import OptionError, ThurnError
from thurn_env.files import check_folder, read_text
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.options import parse_options
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import DESCRIPTION, Folder
from thurn_env.tournament.playing import play_config
from thurn_env.tournament.table import print_results

PROGRAM = "python -m eval.ladder"
PLAN = Path(__file__).with_name("ladder.toml")
FORMAT = "thurn-ladder/1"
IGNORED = ("eval/ladders",)
"""Folder of stored results in a checkout; changes there do not count as changes of the code."""
FOR_TESTS = "small"
"""The ladder that `--name all` leaves out."""
BROKEN = 1
"""Exit code if a rung does not hold, or if checked games differ from the stored ones or none are stored."""


@dataclass(frozen=True)
class Arguments:
    """Play the ladder.

    Args:
        out: folder for the tournaments, one per number of players; runs/ladder by default.
        name: names of ladders in eval/ladder.toml; all: every one but small, which the tests play.
        players: only these numbers of players; by default all of the ladder.
        decks: number of first decks to play; run the command without it to add the rest.
        jobs: number of worker processes; by default one per core.
        time_limit: seconds per decision; an agent that takes longer loses by forfeit. By default no limit.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
        ray: play on the Ray cluster at this address; without an address, start Ray on this machine.
        write: store the results in eval/ladders/, from which python -m docs.generate makes docs/ladder.md.
        add: play only the decks after the stored ones (into NAME-PLAYERS-from-DECK), and add their results, so
            that a long ladder can continue without the folders of its first games.
        check: play only the first decks, into separate folders (check-NAME-PLAYERS), and compare the games with the
            stored ones.
    """

    out: Path = Path("runs/ladder")
    name: tuple[str, ...] = ("full",)
    players: tuple[int, ...] = ()
    decks: int | None = None
    jobs: int = field(default_factory=available_cores)
    time_limit: float | None = None
    sandbox: tuple[str, ...] | None = None
    ray: tuple[str, ...] | None = None
    write: bool = False
    add: bool = False
    check: bool = False


@dataclass(frozen=True)
class Ladder:
    """A ladder of the plan.

    Attributes:
        name: name of the ladder in the plan.
        board: name of the board.
        players: numbers of players.
        agents: specs of the rungs, from the lowest up.
        games: decks for every pair of rungs.
        seed: seed of the decks.
        game: name of the game.
        option: options of the game as name=value.
    """

    name: str
    board: str
    players: tuple[int, ...]
    agents: tuple[str, ...]
    games: int
    seed: int
    game: str = DEFAULT_GAME
    option: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the values as results store them, without options if there are none: the first ladders had none."""
        return {key: value for key, value in asdict(self).items() if key != "option" or value}

    def config(
        self,
        players: int,
        first_deck: int = 0,
        time_limit: float | None = None,
        secret: str = "",
        sandbox: Sandbox | None = None,
    ) -> Config:
        """Return the tournament for a number of players, with the decks from `first_deck` on."""
        return Config(
            self.agents,
            players,
            self.games - first_deck,
            self.seed,
            self.game,
            self.board,
            parse_options(self.option),
            format="ladder",
            time_limit=time_limit,
            first_deck=first_deck,
            secret=secret,
            sandbox=sandbox,
        )

    def command(self, players: int, folder: Path, first_deck: int = 0) -> str:
        """Return the command line that plays this tournament into a folder."""
        decks = ["--games", str(self.games - first_deck), *(["--first-deck", str(first_deck)] if first_deck else [])]
        return command_line(
            "thurn tournament",
            [
                *("--format", "ladder", "--agents", *self.agents, "--players", str(players)),
                *(*decks, "--seed", str(self.seed), "--game", self.game, "--board", self.board),
                *(("--option", *self.option) if self.option else ()),
                *("--out", str(folder)),
            ],
        )


def read_plan(path: Path = PLAN) -> dict[str, Ladder]:
    """Read all ladders by name; raise `ThurnError` if the file is damaged."""
    text = read_text(path)
    try:
        document = tomllib.loads(text)
        if document.pop("format") != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        return {
            name: Ladder(
                name,
                str(entry["board"]),
                tuple(int(number) for number in entry["players"]),
                tuple(str(agent) for agent in entry["agents"]),
                int(entry["games"]),
                int(entry["seed"]),
                str(entry.get("game", DEFAULT_GAME)),
                tuple(str(option) for option in entry.get("option", ())),
            )
            for name, entry in document.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ThurnError(f"{path}: not a valid plan of ladders: {error}") from None


def rung_table(name: str, found: dict[int, list[Rung]]) -> Table:
    """Return a table of all rungs of a ladder."""
    table = Table(title=f"{name}: every agent against the one below")
    for heading in ("players", "agent", "below", "games", "ranks before it", "95 % interval", "ranks", "holds"):
        table.add_column(heading, overflow="fold", justify="left" if heading in ("agent", "below") else "right")
    for players, row in found.items():
        for rung in row:
            interval = f"{rung.low:.1%} to {rung.high:.1%}"
            ranks = f"{rung.rank:.2f}, {rung.rank_below:.2f}"
            share, verdict = f"{rung.share:.1%}", "yes" if rung.holds else "no"
            table.add_row(str(players), rung.agent, rung.below, f"{rung.games:,}", share, interval, ranks, verdict)
    return table


def chosen(names: Sequence[str]) -> list[Ladder]:
    """Return the ladders with these names; raise `ThurnError` if the plan lacks one."""
    plan = read_plan()
    wanted = [name for name in plan if name != FOR_TESTS] if "all" in names else list(dict.fromkeys(names))
    for name in wanted:
        if name not in plan:
            raise ThurnError(f"there is no ladder {name!r}; eval/ladder.toml has {', '.join(plan)}")
    if not wanted:
        raise ThurnError(f"--name needs the name of a ladder, or all; eval/ladder.toml has {', '.join(plan)}")
    return [plan[name] for name in wanted]


def shortened(ladder: Ladder, decks: int | None) -> Ladder:
    """Return the ladder with its first `decks` decks only; raise `OptionError` if it has fewer."""
    if decks is None:
        return ladder
    if not 1 <= decks <= ladder.games:
        raise OptionError(f"--decks must be from 1 to {ladder.games:,} for {ladder.name}, not {decks:,}")
    return replace(ladder, games=decks)


def played(
    ladder: Ladder, players: int, folder: Path, arguments: Arguments, first_deck: int = 0, secret: str | None = None
) -> Folder:
    """Play a ladder with a number of players into a folder, or the games that it lacks.

    `secret` is that of the games to repeat or continue, empty for none; with None the tournament decides.
    """
    sandbox = chosen_sandbox(arguments.sandbox)
    config = ladder.config(players, first_deck, arguments.time_limit, secret or "", sandbox)
    ray = None if arguments.ray is None else ray_address(arguments.ray)
    try:
        results = play_config(
            config,
            folder,
            secret,
            arguments.jobs,
            ray,
            command=ladder.command(players, folder, first_deck),
            ignored=IGNORED,
        )
    except KeyboardInterrupt:
        if (folder / DESCRIPTION).exists():
            kept = f"stopped: the finished games are kept in {folder}; run the same command again to continue"
            print(f"\n{kept}", file=sys.stderr)
        raise
    print_results(dict(results.figures), output_console())
    return Folder.existing(folder)


def results_file(ladder: Ladder, players: int) -> Path:
    """Return the file for the results of a ladder with a number of players."""
    return ladder_results.RESULTS / f"{ladder.name}-{players}.json"


def play(ladder: Ladder, players: int, arguments: Arguments) -> list[Rung]:
    """Play a ladder, or the games that it lacks, and store the results on request."""
    if arguments.add:
        return add(ladder, players, arguments)
    if arguments.write:
        check_fewer(ladder, results_file(ladder, players))
    folder = played(ladder, players, arguments.out / f"{ladder.name}-{players}", arguments)
    results = LadderResults.of(ladder.as_dict(), folder)
    if arguments.write:
        results.write(results_file(ladder, players))
    return results.figures()


def add(ladder: Ladder, players: int, arguments: Arguments) -> list[Rung]:
    """Play the decks of a ladder that are not stored yet, and add their results."""
    file = results_file(ladder, players)
    there = LadderResults.read(file)
    place = arguments.out / f"{ladder.name}-{players}-from-{there.decks}"
    secret = there.same["secret"] or ""
    sandbox = chosen_sandbox(arguments.sandbox)
    config = ladder.config(players, time_limit=arguments.time_limit, secret=secret, sandbox=sandbox)
    check_same(there, ladder, config.identity(), file)
    if there.decks >= ladder.games:
        known = f"{there.decks:,} decks are stored; none of the first {ladder.games:,} is missing"
        print(f"{ladder.name}, {players} players: {known}")
    else:
        folder = played(ladder, players, place, arguments, there.decks, secret)
        further = LadderResults.of(ladder.as_dict() | {"games": ladder.games - there.decks}, folder)
        if LadderResults.read(file) != there:
            raise ThurnError(
                f"{file} changed while the games were played; the new games are in {place} and were not added"
            )
        there = there.followed_by(further)
        there.write(file)
    return there.figures()


def check_fewer(ladder: Ladder, file: Path) -> None:
    """Raise `ThurnError` if the results of more decks would be replaced with those of fewer."""
    noted = ladder_results.read_noted(file)
    if noted is not None and noted["ladder"]["games"] > ladder.games:
        raise ThurnError(
            f"{file} has {noted['ladder']['games']:,} decks, more than {ladder.games:,}: --write would replace them, "
            "so nothing was played. Leave out --write, or delete the file first"
        )


def check_same(there: LadderResults, ladder: Ladder, identity: dict[str, Any], file: Path) -> None:
    """Raise `ThurnError` if anything but the decks differs from the stored results."""
    if any(games.first_games is None for games in there.rungs):
        raise ThurnError(
            f"{file}: --add needs the digests of the first {FIRST_DECKS} decks, which are not stored "
            f"(of {there.decks} decks); play the ladder again with --write first"
        )
    noted = there.same | there.ladder
    now = shared_facts(identity, ladder.game) | json.loads(json.dumps(ladder.as_dict()))
    differences = [
        f"{key} {noted.get(key)!r} in the file, {value!r} now"
        for key, value in now.items()
        if key != "games" and noted.get(key) != value
    ]
    if differences:
        raise ThurnError(
            f"{file}: cannot add games, because the stored ones differ: {'; '.join(differences)}. "
            "Play all decks again, with --write instead of --add"
        )


def check(ladder: Ladder, players: int, arguments: Arguments) -> bool:
    """Play the first decks of a ladder, and report for every rung whether the games equal the stored ones.

    Returns:
        Whether all games are equal; False if there is nothing to compare.
    """
    noted = ladder_results.read_noted(results_file(ladder, players))
    noted_rungs, secret = ([], "") if noted is None else (noted["rungs"], noted.get("secret") or "")
    # The oldest files and those with fewer decks have no digests.
    if not noted_rungs or any(rung.get("first games") is None for rung in noted_rungs):
        command = ["--name", ladder.name, "--players", str(players), "--out", str(arguments.out), "--write"]
        remedy = f"store them with: {command_line(PROGRAM, command)}"
        print(f"{ladder.name}, {players} players: the digests of the first games are not stored; {remedy}")
        return False
    # Separate from the ladder itself, which has more decks and is therefore another tournament.
    place = arguments.out / f"check-{ladder.name}-{players}"
    folder = played(shortened(ladder, FIRST_DECKS), players, place, arguments, secret=secret)
    same = True
    for table, rung in enumerate(noted_rungs):
        equal = rung["first games"] == first_games(folder, table)
        same = same and equal
        verdict = "the same games" if equal else "DIFFERENT GAMES"
        print(f"{ladder.name}, {players} players, {rung['agent']} against {rung['below']}: {verdict}")
    return same


def run(command: list[str]) -> int:
    """Play the ladders, print and store the results."""
    arguments = call(Arguments, command, PROGRAM)
    check_folder(arguments.out)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    check_options(arguments, checked_number, ("time_limit",), 0, LONGEST_WAIT, above=True)
    if arguments.check and (arguments.write or arguments.add or arguments.decks is not None):
        raise OptionError(
            f"--check plays the first {FIRST_DECKS} decks and writes nothing: leave out --decks, --write and --add"
        )
    ladders = [shortened(ladder, arguments.decks) for ladder in chosen(arguments.name)]
    for number in arguments.players:
        if not any(number in ladder.players for ladder in ladders):
            names = ", ".join(ladder.name for ladder in ladders)
            raise ThurnError(f"--players {number}: eval/ladder.toml has no such number of players for {names}")
    wanted = [
        (ladder, players)
        for ladder in ladders
        for players in ladder.players
        if not arguments.players or players in arguments.players
    ]
    if arguments.check:
        for ladder in ladders:
            if ladder.games < FIRST_DECKS:
                raise OptionError(
                    f"--check compares the first {FIRST_DECKS} decks, and {ladder.name} has only {ladder.games}"
                )
        verdicts = [check(ladder, players, arguments) for ladder, players in wanted]
        return 0 if all(verdicts) else BROKEN
    found: dict[str, dict[int, list[Rung]]] = {}
    for ladder, players in wanted:
        found.setdefault(ladder.name, {})[players] = play(ladder, players, arguments)
    for name, rows in found.items():
        output_console().print(rung_table(name, rows))
    return 0 if all(rung.holds for rows in found.values() for row in rows.values() for rung in row) else BROKEN


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
