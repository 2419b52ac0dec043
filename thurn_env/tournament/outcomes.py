"""How the games of a tournament ended, as arrays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thurn_env.games.contract import Float64Array, Int64Array
from thurn_env.tournament.folder import Folder


@dataclass(frozen=True)
class Outcomes:
    """All finished games, in the order of the folder.

    Attributes:
        names: the names of the entrants.
        decks: number of decks.
        deck: the deck of every game, the first one 0, shape (games,).
        seats: the entrant in every seat, shape (games, players).
        starts: the seat that began, shape (games,).
        ranks: the rank of every seat, shape (games, players).
        wins: every seat's share of the first place, shape (games, players).
        whole: whether a game was played without forfeit, shape (games,).
        lines: the lines of the index.
    """

    names: tuple[str, ...]
    decks: int
    deck: Int64Array
    seats: Int64Array
    starts: Int64Array
    ranks: Float64Array
    wins: Float64Array
    whole: npt.NDArray[np.bool_]
    lines: list[dict[str, Any]]

    @classmethod
    def of(cls, folder: Folder) -> Outcomes:
        """The games in a folder."""
        config = folder.config
        numbers = {name: number for number, name in enumerate(config.names)}
        lines = [line for _, line in folder.index()]
        ranks = np.array([line["ranks"] for line in lines], np.float64)
        first = ranks == 1
        return cls(
            config.names,
            config.decks,
            np.array([line["deck"] for line in lines], np.int64) - config.first_deck,
            np.array([[numbers[name] for name in line["agents"]] for line in lines], np.int64),
            np.array([line["start_player"] for line in lines], np.int64),
            ranks,
            first / first.sum(axis=1, keepdims=True),
            np.array([line["forfeit"] is None for line in lines], np.bool_),
            lines,
        )

    @property
    def players(self) -> int:
        """Seats at a table."""
        return int(self.seats.shape[1])

    def by_deck(self, values: Float64Array) -> Float64Array:
        """Sums for every deck and entrant, shape (decks, entrants), of values given for every game and seat."""
        sums = np.zeros((self.decks, len(self.names)))
        np.add.at(sums, (self.deck[:, None], self.seats), values)
        return sums

    def means(self, values: Float64Array, *, whole: bool = False) -> list[float | None]:
        """The mean for every entrant of values given for every game and seat, or for every game, shape (games, 1).

        With `whole`, games with a forfeit do not count; None for an entrant without games.
        """
        counted = np.broadcast_to(self.whole[:, None] if whole else True, self.seats.shape).astype(np.float64)
        return self.weighted_means(values, counted)

    def weighted_means(self, values: Float64Array, weights: Float64Array) -> list[float | None]:
        """The mean for every entrant, when every game and seat counts so much; None where nothing counts."""
        sums, counts = (self.by_deck(part).sum(axis=0) for part in (weights * values, weights))
        return [float(total / count) if count else None for total, count in zip(sums, counts, strict=True)]

    def of_games(self, key: str) -> Float64Array:
        """A figure of the index for every game and seat, or for every game, shape (games, 1)."""
        values = np.array([line[key] for line in self.lines], np.float64)
        return values if values.ndim == 2 else values[:, None]

    def seating_order(self) -> Int64Array:
        """The seats of every game as they are, shape (games, players)."""
        return np.broadcast_to(np.arange(self.players), self.seats.shape)

    def order_of_play(self) -> Int64Array:
        """The seats of every game beginning with the one that began, shape (games, players)."""
        return (self.starts[:, None] + np.arange(self.players)) % self.players

    def wins_in(self, order: Int64Array) -> list[list[float | None]]:
        """For every entrant its share of wins in every place of such an order; None where it never was."""
        entrants, wins = (np.take_along_axis(values, order, axis=1) for values in (self.seats, self.wins))
        shares: list[list[float | None]] = []
        for entrant in range(len(self.names)):
            there = entrants == entrant
            sums, games = np.where(there, wins, 0.0).sum(axis=0), there.sum(axis=0)
            shares.append([float(won / count) if count else None for won, count in zip(sums, games, strict=True)])
        return shares

    def sources(self) -> dict[str, Float64Array]:
        """The points of every game and seat by source."""
        names = self.lines[0]["breakdown"][0]
        return {
            name: np.array([[points[name] for points in line["breakdown"]] for line in self.lines], np.float64)
            for name in names
        }

    def forfeits(self) -> list[Counter[str]]:
        """For every entrant the reasons of its forfeits, and how often each came up."""
        reasons: list[Counter[str]] = [Counter() for _ in self.names]
        for line in self.lines:
            if line["forfeit"] is not None:
                reasons[self.names.index(line["forfeit"]["agent"])][line["forfeit"]["reason"]] += 1
        return reasons
