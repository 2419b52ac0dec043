"""The finished games of a tournament's folder, read once, and the figures of the report that come from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.config import Config
from eval.folder import Folder
from eval.intervals import share_intervals
from thurn_env.errors import ThurnError
from thurn_env.games.contract import Float64Array

Breakdown = dict[str, float]
"""Points by source."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game that an agent lost by what it did: who, in which seat, and why."""

    seat: int
    agent: str
    reason: str


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One line of the index.

    Attributes:
        table: the number of the table, from 0.
        line: the line of the record in the table's file, from 1.
        deck: the number of the deck, from 0.
        start: the seat that began.
        seats: the entrant of every seat.
        scores: by seat.
        ranks: by seat.
        rounds: played.
        moves: made.
        truncated: whether the game was cut off.
        breakdown: points by source of every seat; None in tournaments that did not keep it.
        forfeit: None in nearly all games.
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
    breakdown: tuple[Breakdown, ...] | None
    forfeit: Forfeit | None

    @property
    def wins(self) -> list[float]:
        """The share of the win that every seat has."""
        firsts = self.ranks.count(1)
        return [1 / firsts if rank == 1 else 0.0 for rank in self.ranks]


def finished_games(folder: Folder) -> list[FinishedGame]:
    """All games of a folder, in the order of its files.

    Raises:
        ThurnError: a file is missing, or a line is not what a tournament writes.
    """
    numbers = {name: number for number, name in enumerate(folder.config.names)}
    games: list[FinishedGame] = []
    lines: Counter[int] = Counter()
    try:
        for table, facts in folder.index():
            lines[table] += 1
            try:
                games.append(_game(table, lines[table], facts, numbers, folder.config))
            except (KeyError, TypeError, ValueError, AttributeError):
                place = f"{folder.index_file(table)}, line {lines[table]}"
                raise ThurnError(f"{place}: damaged; delete the folder and play again") from None
    except FileNotFoundError as error:
        raise ThurnError(
            f"{error.filename} is missing; give the tournament's command again to play its games"
        ) from None
    return games


def _game(table: int, line: int, facts: dict[str, Any], numbers: dict[str, int], config: Config) -> FinishedGame:
    breakdown, forfeit = facts.get("breakdown"), facts.get("forfeit")
    game = FinishedGame(
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
        None if breakdown is None else tuple(dict(row) for row in breakdown),
        None if forfeit is None else Forfeit(int(forfeit["seat"]), str(forfeit["agent"]), str(forfeit["reason"])),
    )
    if not len(game.seats) == len(game.scores) == len(game.ranks) == config.players:
        raise ValueError("not one of everything for every seat")
    if not 0 <= game.deck - config.first_deck < config.decks or 1 not in game.ranks:
        raise ValueError("no such deck, or no winner")
    if not 0 <= game.start < config.players:
        raise ValueError("no such start player")
    return game


def scores_of(games: Sequence[FinishedGame], entrants: int) -> list[Float64Array]:
    """All scores of every entrant; those of games with a forfeit mean nothing and are left out."""
    scores: list[list[int]] = [[] for _ in range(entrants)]
    for game in games:
        if game.forfeit:
            continue
        for entrant, score in zip(game.seats, game.scores, strict=True):
            scores[entrant].append(score)
    return [np.array(row, np.float64) for row in scores]


def sources_of(games: Sequence[FinishedGame], entrants: int) -> list[Breakdown]:
    """The mean points by source of every entrant, over the games that have them; as for scores."""
    sums: list[defaultdict[str, float]] = [defaultdict(float) for _ in range(entrants)]
    counts = [0] * entrants
    for game in games:
        rows = () if game.forfeit or not game.breakdown else game.breakdown
        for entrant, row in zip(game.seats, rows, strict=False):
            counts[entrant] += 1
            for source, points in row.items():
                sums[entrant][source] += points
    return [{source: total / counts[one] for source, total in sums[one].items()} for one in range(entrants)]


@dataclass(frozen=True)
class Share:
    """How much of all wins went to a place, with the 95 % interval, which is missing without resampling."""

    share: float
    interval: tuple[float, float] | None


def win_shares(
    games: Sequence[FinishedGame],
    config: Config,
    samples: Float64Array,
    place: Callable[[FinishedGame, int], int] = lambda _, seat: seat,
) -> list[Share]:
    """The share of wins of every seat, or of every place that `place` makes of a game and a seat.

    `samples` are weights of decks, shape (samples, decks): the interval comes from them.
    """
    won = np.zeros((config.decks, config.players))
    for game in games:
        for seat, win in enumerate(game.wins):
            won[game.deck - config.first_deck, place(game, seat)] += win
    shares = won.sum(axis=0) / len(games)
    bounds = share_intervals(won, won.sum(axis=1, keepdims=True), samples)
    return [
        Share(float(share), None if bound is None else (bound[0], bound[1]))
        for share, bound in zip(shares, bounds, strict=True)
    ]


def seat_wins(games: Sequence[FinishedGame], entrants: int, players: int) -> list[list[float | None]]:
    """The share of its games that every entrant wins from every seat; None where it never sat."""
    won, sat = np.zeros((2, entrants, players))
    for game in games:
        for seat, win in enumerate(game.wins):
            won[game.seats[seat], seat] += win
            sat[game.seats[seat], seat] += 1
    return [
        [float(won[one, seat] / sat[one, seat]) if sat[one, seat] else None for seat in range(players)]
        for one in range(entrants)
    ]
