"""The command: scores of agents on all puzzles, or one puzzle in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from eval.puzzles.puzzle import FOLDER, Puzzle, load_puzzles, the_puzzle
from eval.puzzles.score import DEALS, Score, by_theme, check, guessing, score
from thurn_env import __version__
from thurn_env.commands.arguments import call, program
from thurn_env.commands.show import output_console
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import OptionError
from thurn_env.games.options import checked_players
from thurn_env.games.thurn_und_taxis.bots.choose import BOTS
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.progress import Progress

PROGRAM = "python -m eval.puzzles"


@dataclass(frozen=True)
class Arguments:
    """Show agents the puzzles (positions with a best move) and count the correct answers.

    Args:
        agents: the agents, for example: heuristic my_package.my_module:MyAgent. By default the scripted bots.
        show: print this puzzle instead: the position, the value of every move, and the reason.
        players: only puzzles with this number of players, since a policy fits no other; by default all.
        deals: number of times that every puzzle is shown, each with other hidden cards.
        seed: seed of these deals and of the agents.
        time_limit: seconds per decision; later answers count as wrong. By default no limit.
        folder: folder of the puzzles; by default those of the project.
        json: print JSON instead of tables.
    """

    agents: tuple[str, ...] = BOTS
    show: str | None = None
    players: int | None = None
    deals: int = DEALS
    seed: int = 1
    time_limit: float | None = None
    folder: Path = FOLDER
    json: bool = False


def chosen(puzzles: Sequence[Puzzle], players: int | None) -> list[Puzzle]:
    """Return the puzzles with a number of players; raise `OptionError` if there are none."""
    found = [puzzle for puzzle in puzzles if players in (None, puzzle.game.players)]
    if not found:
        numbers = ", ".join(str(number) for number in sorted({puzzle.game.players for puzzle in puzzles}))
        raise OptionError(f"there are no puzzles for {players} players; there are some for {numbers}")
    return found


def scores_table(scores: Sequence[Score], puzzles: Sequence[Puzzle], players: int | None) -> Table:
    """Return the table of shares of correct answers by theme and in total, a column per agent."""
    which = "Puzzles" if players is None else f"Puzzles for {players} players"
    table = Table(title=f"{which}: share of correct answers", show_footer=True)
    guess = guessing(puzzles)
    themes = {puzzle.name: puzzle.theme for puzzle in puzzles}
    table.add_column("theme", "all")
    table.add_column("puzzles", str(len(puzzles)), justify="right")
    for one in scores:
        table.add_column(escape(one.agent), f"{one.total:.1%}", justify="right", overflow="fold")
    table.add_column("random move", f"{sum(guess.values()) / len(guess):.1%}", justify="right")
    shares = [*(one.by_theme for one in scores), by_theme(guess, themes)]
    for theme in shares[-1]:
        count = sum(puzzle.theme == theme for puzzle in puzzles)
        table.add_row(theme, str(count), *(f"{column[theme]:.1%}" for column in shares))
    return table


def print_scores(scores: Sequence[Score], puzzles: Sequence[Puzzle], players: int | None, console: Console) -> None:
    """Print the table, and the failures below it."""
    console.print(scores_table(scores, puzzles, players))
    first = scores[0]
    console.print(
        f"Every puzzle was shown {first.deals} times with different hidden cards (seed {first.seed}); "
        f"thurn-env {__version__}.",
        soft_wrap=True,
    )
    for one in scores:
        if one.failures:
            name, reason = next(iter(one.failures.items()))
            count = f"{len(one.failures)} {'puzzle' if len(one.failures) == 1 else 'puzzles'}"
            line = f"agent {one.agent!r} failed at {count}, first at {name}: {reason}"
            console.print(line, markup=False, soft_wrap=True)


def values_table(puzzle: Puzzle) -> Table:
    """Return the table of move values."""
    table = Table(title="Win probability after every move")
    opinion = puzzle.second_opinion
    for heading in ("", "move"):
        table.add_column(heading)
    table.add_column("wins", justify="right")
    table.add_column("by" if opinion is None else f"by games of {opinion['bot']}", justify="right")
    for move, value in puzzle.values.items():
        other = "enumeration" if move in puzzle.proved else "" if opinion is None else f"{opinion['values'][move]:.1%}"
        table.add_row("best" if move in puzzle.best else "", move, f"{value:.1%}", other)
    return table


def print_puzzle(puzzle: Puzzle, console: Console) -> None:
    """Print the position, the value of every move, and the reason."""
    game = puzzle.game
    console.print(f"{puzzle.name} ({puzzle.theme}): seat {puzzle.seat} is to move", style="bold")
    console.print(game.view().text, markup=False, soft_wrap=True)
    console.print(values_table(puzzle))
    low, high = puzzle.interval
    by = f"by {puzzle.ahead:.1%}" + (f" (99.9 % interval {low:.1%} to {high:.1%})" if puzzle.games else "")
    console.print(f"Best {by}. Method: {puzzle.method}.", markup=False, soft_wrap=True)
    console.print(f"Why: {puzzle.reason or 'no reason is given yet'}", markup=False, soft_wrap=True)


def run(command: list[str]) -> int:
    """Score the agents and print the scores, or show a puzzle."""
    arguments = call(Arguments, command, PROGRAM)
    check(arguments.deals, arguments.seed, arguments.time_limit)
    if arguments.players is not None:
        checked_players(ThurnUndTaxis.title, ThurnUndTaxis.player_numbers, arguments.players)
    console = output_console()
    if arguments.show is not None:
        puzzle = the_puzzle(arguments.folder, arguments.show)
        if arguments.json:
            print(json.dumps({"name": puzzle.name, **puzzle.as_dict()}, ensure_ascii=False))
        else:
            print_puzzle(puzzle, console)
        return 0
    if not arguments.agents:
        raise OptionError("--agents needs a name, for example: --agents heuristic")
    if len(set(arguments.agents)) < len(arguments.agents):
        raise OptionError("--agents names an agent twice")
    puzzles = chosen(load_puzzles(arguments.folder), arguments.players)
    with one_thread(), Progress("puzzles", len(puzzles) * len(arguments.agents), unit="puzzles") as progress:
        scores = [
            score(spec, puzzles, arguments.deals, arguments.seed, arguments.time_limit, progress.advance)
            for spec in arguments.agents
        ]
    if arguments.json:
        guess = guessing(puzzles)
        facts = {
            "version": __version__,
            "players": arguments.players,
            "deals": arguments.deals,
            "seed": arguments.seed,
            "puzzles": {puzzle.name: {"theme": puzzle.theme, "guess": guess[puzzle.name]} for puzzle in puzzles},
            "agents": [one.as_dict() for one in scores],
        }
        print(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        print_scores(scores, puzzles, arguments.players, console)
    return 0


main = program(PROGRAM, run)
