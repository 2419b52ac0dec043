"""Compute the move values of puzzles.

    python -m eval.puzzles.prove closing-1 closing-2

recomputes the values of these puzzles (without names, of all in a folder) and writes them into their files: for
candidates of `eval.puzzles.mine`, which had fewer rollouts, and after a change of the rules or of a bot.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tyro.conf import Positional

from eval.puzzles.proof import CLEAR, judge, searched, wins
from eval.puzzles.puzzle import FOLDER, Puzzle, load_puzzles, the_puzzle
from thurn_env.commands.arguments import call, program
from thurn_env.progress import Progress
from thurn_env.table.game import Game
from thurn_env.table.record import Record

PROGRAM = "python -m eval.puzzles.prove"

BOT, OTHER_BOT = "heuristic", "greedy"
"""Bots of the rollouts and of the second opinion."""

STAGES = (400, 4800)
"""Rollouts per move; see `eval.puzzles.proof.judge`."""

OPINION_GAMES = 1000
"""Rollouts per move of the second opinion."""

NOT_CLEAR = 1
"""Exit code if a puzzle has no best move."""


@dataclass(frozen=True)
class Arguments:
    """Recompute the move values of puzzles, and write them into their files.

    Args:
        names: names of the puzzles; by default all of the folder.
        folder: folder of the puzzles; by default those of the project.
    """

    names: Positional[tuple[str, ...]] = ()
    folder: Path = FOLDER


def proved(
    game: Game,
    name: str,
    theme: str,
    seed: int,
    stages: Sequence[int] = STAGES,
    opinion_games: int = OPINION_GAMES,
    search: bool = True,
) -> Puzzle | None:
    """Return the puzzle of a position, without a reason; None if no move is best beyond doubt.

    Args:
        game: the position.
        name: name of the puzzle.
        theme: theme of the puzzle.
        seed: seed of all deals.
        stages: see `eval.puzzles.proof.judge`.
        opinion_games: rollouts per move of the second opinion.
        search: require that the best moves stay as clearly ahead if the seat's next decision is the best one by
            rollouts.
    """
    verdict = judge(game, seed, stages, BOT)
    if verdict is None:
        return None
    judgement, games = verdict
    opinion = None
    if games:
        shares = wins(game, list(judgement.values), range(opinion_games), seed, OTHER_BOT).mean(axis=0)
        values = {move: round(float(share), 4) for move, share in zip(judgement.values, shares, strict=True)}
        opinion = {"bot": OTHER_BOT, "games": opinion_games, "values": values}
    within: dict[str, float] = {}
    if games and search:
        found = searched(game, list(judgement.values), seed, BOT)
        within = {move: round(value, 4) for move, value in found.items()}
        others = [value for move, value in found.items() if move not in judgement.best]
        if round(min(found[move] for move in judgement.best) - max(others), 4) < CLEAR:
            return None
    low, high = judgement.interval
    record = game.record()
    return Puzzle(
        name=name,
        theme=theme,
        seat=game.seat,
        best=judgement.best,
        values=judgement.values,
        proved=judgement.proved,
        games=games,
        bot=BOT,
        seed=seed,
        ahead=round(judgement.ahead, 4),
        interval=(round(low, 4), round(high, 4)),
        second_opinion=opinion,
        searched=within,
        reason="",
        record=record,
    )


def proved_again(puzzle: Puzzle) -> Puzzle | None:
    """Return the puzzle with recomputed values; None if no move is best beyond doubt."""
    record: Record = puzzle.record
    again = proved(puzzle.game, puzzle.name, puzzle.theme, puzzle.seed)
    return again and replace(again, reason=puzzle.reason, record=record)


def run(command: list[str]) -> int:
    """Compute the values of the puzzles and write them."""
    arguments = call(Arguments, command, PROGRAM)
    if arguments.names:
        puzzles = [the_puzzle(arguments.folder, name) for name in arguments.names]
    else:
        puzzles = load_puzzles(arguments.folder, draft=True)
    unclear = []
    with Progress("proving", len(puzzles), unit="puzzles") as progress:
        for puzzle in puzzles:
            if (again := proved_again(puzzle)) is None:
                unclear.append(puzzle.name)
            else:
                again.save(arguments.folder)
            progress.advance()
    for name in unclear:
        print(f"{name}: no move is clearly the best; the file is unchanged")
    return NOT_CLEAR if unclear else 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
