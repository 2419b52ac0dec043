"""`thurn warm`: compile kernels before the first game."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rich.console import Console

from thurn_env.checks import MOST_THREADS, checked_whole
from thurn_env.commands.arguments import call
from thurn_env.commands.compilers import Task, Warmed, described, one_by_one, side_by_side
from thurn_env.engine.cores import available_cores
from thurn_env.errors import OptionError
from thurn_env.games import DEFAULT_GAME, GAMES, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.games.options import parse_options
from thurn_env.games.stages import PLAYED, STAGES
from thurn_env.progress import Progress

SELDOM = ("micro", "tiny", "small", "tiny_rails")
"""Boards for tests and examples, compiled only if `--board` names them."""


LISTS = ("--board", "--players", "--stage", "--option")
"""Options with lists of values."""


def run(given: list[str]) -> int:
    """Run `warm`; refuse lists without values, which would stand for no stages or for all tables."""
    for option, following in itertools.pairwise([*given, "--"]):
        if option in LISTS and following.startswith("--"):
            raise OptionError(f"{option} has no value; give it at least one, or leave it out")
    return call(warm, given, "thurn warm")


def warm(
    game: str | None = None,
    board: tuple[str, ...] = (),
    players: tuple[int, ...] = (),
    stage: tuple[str, ...] = PLAYED,
    all: bool = False,
    jobs: int = 1,
    option: tuple[str, ...] = (),
) -> int:
    """Compile kernels before the first game: by default for the published boards of every game with 2 players.

    Compiled kernels are kept on disk; a second call finishes at once. Kernels that came with a wheel need not be
    compiled.

    Args:
        game: name of a game; by default all games.
        board: names of shipped boards, or paths of board files; by default the game's published boards.
        players: numbers of players; by default 2, with --board all numbers that the game allows.
        stage: stages to compile, for example game or bots.
        all: compile every published board with every number of players.
        jobs: number of processes, each compiling for one table at a time; 0 for one per core.
        option: options of the game as name=value, for example horses=true.
    """
    for name in stage:
        if name not in STAGES:
            raise OptionError(f"there is no stage {name!r}; the stages are {', '.join(STAGES)}")
    if game is None and (board or option):
        game = DEFAULT_GAME
    checked_whole("--jobs", jobs, 0, MOST_THREADS)
    tables = tables_for([game] if game else list(GAMES), board, players, all, parse_options(option))
    console = Console(highlight=False)
    start = time.perf_counter()
    for warmed in warm_tables(tables, stage, jobs or available_cores()):
        took = f"{warmed.seconds:6.1f} s" if warmed.seconds else " on disk"
        console.print(f"{took}  {described(warmed.rules, warmed.stage)}")
    console.print(f"{time.perf_counter() - start:6.1f} s  elapsed")
    return 0


def tables_for(
    games: Sequence[str], boards: Sequence[str], players: Sequence[int], all_numbers: bool, options: Mapping[str, Any]
) -> list[GameRules]:
    """Return the rules of every requested table; see `warm`."""
    tables = []
    for game in games:
        usual = make_rules(game, 2)
        named = boards or [name for name in usual.boards if name not in SELDOM]
        numbers = players or (usual.player_numbers if all_numbers or boards else (2,))
        for board, number in itertools.product(named, numbers):
            tables.append(make_rules(game, number, board, **options))
            if all_numbers and not options and "horses" in usual.options:
                with suppress(OptionError):  # not every board has horses
                    tables.append(make_rules(game, number, board, horses=True))
    return tables


def warm_tables(tables: Sequence[GameRules], stages: Sequence[str], jobs: int = 1) -> Iterator[Warmed]:
    """Compile stages for tables, with a progress bar, and yield each as it is ready.

    Args:
        tables: rules of every table.
        stages: names of `STAGES`.
        jobs: number of processes; each compiles for one table at a time.
    """
    with Progress("compiling", len(tables) * len(stages), "stages") as progress:

        def begun(tasks: Sequence[Task]) -> None:
            rules, stage = tasks[0]
            others = f", and {len(tasks) - 1} more" if len(tasks) > 1 else ""
            progress.name(f"{STAGES[stage].title}, {rules.board_name}, {rules.players} players{others}")

        compiled = one_by_one(tables, stages, begun) if jobs == 1 else side_by_side(tables, stages, jobs, begun)
        for warmed in compiled:
            progress.advance()
            yield warmed
