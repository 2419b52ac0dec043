"""Finished games of a tournament's folder for the report: list of games, scores and forfeits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thurn_env.errors import ThurnError
from thurn_env.games.contract import Float64Array
from thurn_env.tournament.folder import Folder


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A forfeit: seat, agent and reason."""

    seat: int
    agent: str
    reason: str


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One line of the index.

    Attributes:
        table: number of the table, from 0.
        line: line of the record in the table's file, from 1.
        deck: number of the deck, from 0.
        start: seat that began.
        seats: entrant of every seat.
        scores: scores by seat.
        ranks: ranks by seat.
        rounds: number of rounds.
        moves: number of moves.
        truncated: whether the game was truncated.
        forfeit: the forfeit, usually None.
    """

    table: int
    line: int
    deck: int
    start: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    rounds: int
    moves: int
    truncated: bool
    forfeit: Forfeit | None


def finished_games(folder: Folder) -> list[FinishedGame]:
    """Read all games of a folder, in the order of its files.

    Raises:
        ThurnError: a file is missing, or a line is invalid.
    """
    numbers = {name: number for number, name in enumerate(folder.config.names)}
    games: list[FinishedGame] = []
    lines: Counter[int] = Counter()
    try:
        for table, facts in folder.index():
            lines[table] += 1
            try:
                games.append(_game(table, lines[table], facts, numbers))
            except (KeyError, TypeError, ValueError, AttributeError):
                place = f"{folder.index_file(table)}, line {lines[table]}"
                raise ThurnError(f"{place}: damaged; delete the folder and play again") from None
    except FileNotFoundError as error:
        raise ThurnError(f"{error.filename} is missing; run the tournament's command again to play its games") from None
    return games


def _game(table: int, line: int, facts: dict[str, Any], numbers: dict[str, int]) -> FinishedGame:
    forfeit = facts["forfeit"]
    return FinishedGame(
        table,
        line,
        int(facts["deck"]),
        int(facts["start_player"]),
        tuple(numbers[name] for name in facts["agents"]),
        tuple(int(score) for score in facts["scores"]),
        tuple(int(rank) for rank in facts["ranks"]),
        int(facts["rounds"]),
        int(facts["moves"]),
        bool(facts["truncated"]),
        None if forfeit is None else Forfeit(int(forfeit["seat"]), str(forfeit["agent"]), str(forfeit["reason"])),
    )


def scores_of(games: Sequence[FinishedGame], entrants: int) -> list[Float64Array]:
    """Return all scores of every entrant; games with a forfeit are left out, since their scores mean nothing."""
    scores: list[list[int]] = [[] for _ in range(entrants)]
    for game in games:
        if game.forfeit:
            continue
        for entrant, score in zip(game.seats, game.scores, strict=True):
            scores[entrant].append(score)
    return [np.array(row, np.float64) for row in scores]
