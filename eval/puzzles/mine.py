"""Search for puzzles: positions in games between bots in which some moves are clearly better than all others.

    python -m eval.puzzles.mine --seed 1 --games 100 --out runs/candidates

Every candidate is a puzzle without a reason. Look at them with `python -m eval.puzzles --folder runs/candidates --show
NAME`, choose some, name them after their theme, put them into `eval/puzzles/positions` with a reason, and compute their
values with more games: `python -m eval.puzzles.prove NAME`. The same command finds the same candidates; games that were
searched before are skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.puzzles.proof import ends_with_this_turn
from eval.puzzles.prove import proved
from eval.puzzles.puzzle import Puzzle
from thurn_env.checks import MOST_GAMES, checked_seed, checked_whole
from thurn_env.commands.arguments import call, program
from thurn_env.engine.generator import derived_seed
from thurn_env.files import write_text
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.match import run_scripted
from thurn_env.progress import Progress
from thurn_env.table.game import Game

PROGRAM = "python -m eval.puzzles.mine"
TABLES = ("heuristic", "heuristic", "heuristic", "greedy", "sensible-random")
"""Bots of the games; each seat draws one."""

STAGES = (24, 96, 400)
"""Games per move; see `eval.puzzles.proof.judge`."""

MINE_STREAM = 13
"""Number of the games' seed stream; see `thurn_env.engine.generator`."""

LATE_HOUSES, LATE_CARRIAGE = 5, 6
"""Only positions are tested in which a seat has at most `LATE_HOUSES` houses or at least carriage `LATE_CARRIAGE`."""


@dataclass(frozen=True)
class Arguments:
    """Search for puzzles in games between bots.

    Args:
        out: folder for the candidates.
        games: number of games to search.
        seed: seed of the games and of all deals.
        players: number of seats at a table.
        board: name of the board.
        exact: only positions that enumeration settles, because the game ends within the turn: much faster.
    """

    out: Path
    games: int = 100
    seed: int = 1
    players: int = 2
    board: str = "south"
    exact: bool = False


def theme_of(game: Game) -> str:
    """Guess the theme of a position; a person decides."""
    table = game.public()
    if game.phase in ("draw", "second_draw") and not ends_with_this_turn(game):
        return "denying"
    if table["final_round"]:
        return "last round"
    if game.phase == "cartwright":
        return "cartwright"
    if game.phase in ("houses", "house"):
        return "closing"
    if "close" in game.legal:
        after = game.copy()
        after.play("close")
        phases = set()
        while not after.over and after.seat == game.seat and len(after.legal):
            phases.add(after.phase)
            after.play(after.legal[0])
        if after.over or after.public()["final_round"] or table["players"][game.seat]["houses_left"] <= 3:
            return "last house"
        if "cartwright" in phases:
            return "cartwright"
    return "route"


def worth_a_look(game: Game) -> bool:
    """Return whether the game is near its end and the decision matters more than one card among many."""
    table = game.public()
    if game.phase in ("draw", "second_draw", "discard"):
        return bool(table["final_round"])
    players = table["players"]
    return any(player["houses_left"] <= LATE_HOUSES or player["carriage"] >= LATE_CARRIAGE for player in players)


def turns_near_the_end(game: Game, moves: list[int]) -> set[tuple[int, int]]:
    """Return the turn that triggered the end of the game and the others' turns before it, as (round, seat).

    In these turns a single card may decide, since a card that one seat takes is missing for another.
    """
    twin, turns = game.copy(), [(game.rounds, game.seat)]
    for move in moves:
        twin.play(move)
        if twin.over or twin.public()["final_round"]:
            break
        if (turn := (twin.rounds, twin.seat)) != turns[-1]:
            turns.append(turn)
    return set(turns[-game.players :])


def candidates(rules: GameRules, seed: int, number: int, exact: bool) -> Iterator[Puzzle]:
    """Yield the candidates of one game."""
    stages = () if exact else STAGES
    game_seed = derived_seed(seed, MINE_STREAM, number)
    bots = np.random.default_rng(game_seed).choice(TABLES, rules.players)
    played = run_scripted(rules, bots.tolist(), game_seed)
    game = Game.from_rules(rules, game_seed)
    near = turns_near_the_end(game, played.moves)
    for move in played.moves:
        if len(game.legal) > 1 and (worth_a_look(game) or (game.rounds, game.seat) in near):
            deals_seed = derived_seed(game_seed, MINE_STREAM, len(game.moves))
            theme = theme_of(game)
            name = f"{theme.replace(' ', '-')}-{seed}-{number}-{len(game.moves)}"
            puzzle = proved(game, name, theme, deals_seed, stages, STAGES[-1], search=False)
            if puzzle is not None and 2 * len(puzzle.best) <= len(game.legal):
                yield puzzle
        game.play(move)


def run(command: list[str]) -> int:
    """Search for candidates and write them."""
    arguments = call(Arguments, command, PROGRAM)
    checked_whole("--games", arguments.games, 1, MOST_GAMES)
    checked_seed(arguments.seed)
    rules = make_rules("thurn_und_taxis", arguments.players, arguments.board)
    looked = arguments.out / "looked-through"
    looked.mkdir(parents=True, exist_ok=True)
    suffix = "-exact" if arguments.exact else ""
    marks = {
        number: looked / f"{Path(arguments.board).name}-{arguments.players}-{arguments.seed}-{number}{suffix}"
        for number in range(arguments.games)
    }
    left = [number for number, mark in marks.items() if not mark.exists()]
    count = 0
    with Progress("looking for puzzles", arguments.games, done=arguments.games - len(left)) as progress:
        for number in left:
            for puzzle in candidates(rules, arguments.seed, number, arguments.exact):
                puzzle.save(arguments.out)
                count += 1
            # Mark the game only now, so that an interrupted game is searched again.
            write_text(marks[number], "")
            progress.advance()
    if count:
        found = f"{count} {'candidate' if count == 1 else 'candidates'}"
        print(f"{found}; look at one: python -m eval.puzzles --folder {arguments.out} --show NAME")
    else:
        print("no new candidates; search more games")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
