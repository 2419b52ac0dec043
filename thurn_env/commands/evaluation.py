"""`thurn evaluation`: fit the evaluation of positions that `mcts` plays with.

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
    """Fit the evaluation of positions that mcts plays with.

    Args:
        players: number of players.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        games: how many games to learn from.
        seed: of the games and of the fit.
        out: the file; if not given, the place where mcts looks for it.
        jobs: processes; one for every core if not given.
        game: the name of the game.
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
    """Play, fit, write."""
    asked = call(Arguments, command, PROGRAM)
    rules = make_rules(asked.game, asked.players, asked.board, **parse_options(asked.option))
    made = command_line(PROGRAM, command)
    fitted = fit_evaluation(rules, asked.games, seed=asked.seed, out=asked.out, jobs=asked.jobs, command=made)
    print(
        f"{fitted.file}: log loss {fitted.log_loss:.4f} in games held out; "
        f"without any knowledge {fitted.log_loss_without}"
    )
    return 0


main = program(PROGRAM, run)
