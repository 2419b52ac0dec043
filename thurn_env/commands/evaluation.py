"""`thurn evaluation`: fit the evaluation of positions that `mcts` uses.

thurn evaluation --board south --players 2 --games 20000 --seed 1
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thurn_env.commands.arguments import call, program
from thurn_env.engine.provenance import command_line
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.training.evaluation import fit_evaluation

PROGRAM = "thurn evaluation"


@dataclass(frozen=True)
class Arguments:
    """Fit the evaluation of positions that mcts uses.

    Args:
        players: number of players.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        games: number of games to fit to.
        seed: seed of the games and of the fit.
        out: path of the file, required with options other than horses; by default where mcts looks for it.
        jobs: number of worker processes; by default one per core.
        game: name of the game.
    """

    players: int = 2
    board: str | None = None
    option: tuple[str, ...] = ()
    games: int = 20_000
    seed: int = 1
    out: Path | None = None
    jobs: int | None = None
    game: str = DEFAULT_GAME


def run(command: list[str]) -> int:
    """Play games, fit the evaluation and write it."""
    arguments = call(Arguments, command, PROGRAM)
    rules = make_rules(arguments.game, arguments.players, arguments.board, **parse_options(arguments.option))
    made = command_line(PROGRAM, command)
    fitted = fit_evaluation(
        rules, arguments.games, seed=arguments.seed, out=arguments.out, jobs=arguments.jobs, command=made
    )
    print(
        f"{fitted.file}: log loss {fitted.log_loss:.4f} in held-out games; "
        f"without the observation {fitted.log_loss_without}"
    )
    return 0


main = program(PROGRAM, run)
