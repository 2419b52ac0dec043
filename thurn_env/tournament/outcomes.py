"""Outcomes of a tournament's games as arrays."""

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
        names: names of the entrants.
        decks: number of decks.
        deck: deck of every game, from 0, int64 (games,).
        seats: entrant in every seat, int64 (games, players).
        starts: seat that began, int64 (games,).
        ranks: rank of every seat, float64 (games, players).
        wins: share of the first place of every seat, float64 (games, players).
        whole: whether a game was played without forfeit, bool (games,).
        lines: lines of the index.
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
        """Read the outcomes of the games in a folder."""
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
        """Number of seats at a table."""
        return int(self.seats.shape[1])

    def by_deck(self, values: Float64Array) -> Float64Array:
        """Sum values of shape (games, players) by deck and entrant: float64 (decks, entrants)."""
        sums = np.zeros((self.decks, len(self.names)))
        np.add.at(sums, (self.deck[:, None], self.seats), values)
        return sums

    def means(self, values: Float64Array, *, whole: bool = False) -> list[float | None]:
        """Return the mean of `values` for every entrant.

        Args:
            values: float64 (games, players), or (games, 1) for values of whole games.
            whole: leave out games with a forfeit.

        Returns:
            A mean for every entrant; None for an entrant without games.
        """
        counted = np.broadcast_to(self.whole[:, None] if whole else True, self.seats.shape).astype(np.float64)
        return self.weighted_means(values, counted)

    def weighted_means(self, values: Float64Array, weights: Float64Array) -> list[float | None]:
        """Return the weighted mean of `values` for every entrant; None where the weights are 0."""
        sums, counts = (self.by_deck(part).sum(axis=0) for part in (weights * values, weights))
        return [float(total / count) if count else None for total, count in zip(sums, counts, strict=True)]

    def of_games(self, key: str) -> Float64Array:
        """Return a figure of the index: float64 (games, players), or (games, 1) for figures of whole games."""
        values = np.array([line[key] for line in self.lines], np.float64)
        return values if values.ndim == 2 else values[:, None]

    def seating_order(self) -> Int64Array:
        """Return the seats of every game in ascending order, int64 (games, players)."""
        return np.broadcast_to(np.arange(self.players), self.seats.shape)

    def order_of_play(self) -> Int64Array:
        """Return the seats of every game in order of play, the start player first, int64 (games, players)."""
        return (self.starts[:, None] + np.arange(self.players)) % self.players

    def wins_in(self, order: Int64Array) -> list[list[float | None]]:
        """Return the share of wins of every entrant in every place of `order`; None where it never sat."""
        entrants, wins = (np.take_along_axis(values, order, axis=1) for values in (self.seats, self.wins))
        shares: list[list[float | None]] = []
        for entrant in range(len(self.names)):
            there = entrants == entrant
            sums, games = np.where(there, wins, 0.0).sum(axis=0), there.sum(axis=0)
            shares.append([float(won / count) if count else None for won, count in zip(sums, games, strict=True)])
        return shares

    def sources(self) -> dict[str, Float64Array]:
        """Return the points by source, each float64 (games, players)."""
        names = self.lines[0]["breakdown"][0]
        return {
            name: np.array([[points[name] for points in line["breakdown"]] for line in self.lines], np.float64)
            for name in names
        }

    def forfeits(self) -> list[Counter[str]]:
        """Count the reasons of forfeits for every entrant."""
        reasons: list[Counter[str]] = [Counter() for _ in self.names]
        for line in self.lines:
            if line["forfeit"] is not None:
                reasons[self.names.index(line["forfeit"]["agent"])][line["forfeit"]["reason"]] += 1
        return reasons
