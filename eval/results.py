"""The results of a tournament in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from eval.folder import Folder
from eval.ratings import Comparisons, elo_ratings, interval, resampled
from thurn_env.games.contract import Float64Array

FORMAT = "thurn-results/1"


def places(ranks: Float64Array) -> Float64Array:
    """Ranks with ties shared: two players who are both first are both 1.5th. Shape (games, players)."""
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    shared: Float64Array = ranks + (tied - 1) / 2
    return shared


def results_of(folder: Folder, bootstrap: int) -> dict[str, Any]:
    """The table of a tournament from the finished games in its folder.

    Figures are per seat taken: an agent that sits twice at a table counts twice there. A first place that several
    players share counts as a share of a win for each. The intervals come from resampling decks, not games: the games of
    one deck resemble each other.
    """
    config = folder.config
    numbers = {name: number for number, name in enumerate(config.names)}
    lines = [line for _, line in folder.index()]
    entrants = len(config.names)
    decks = np.array([line["deck"] for line in lines])
    seats = np.array([[numbers[name] for name in line["agents"]] for line in lines])
    ranks = np.array([line["ranks"] for line in lines], np.float64)
    first = ranks == 1
    wins = first / first.sum(axis=1, keepdims=True)
    samples = resampled(config.decks, bootstrap, config.seed)

    def by_deck(values: Float64Array) -> Float64Array:
        """Sums for every deck and entrant of values given for every game and seat."""
        sums = np.zeros((config.decks, entrants))
        np.add.at(sums, (decks[:, None], seats), values)
        return sums

    played = by_deck(np.ones(seats.shape))
    games = played.sum(axis=0)

    def mean(values: Float64Array) -> list[float]:
        sums = by_deck(np.broadcast_to(values, seats.shape)).sum(axis=0)
        return [float(value) for value in sums / games]

    def of_game(key: str) -> Float64Array:
        return np.array([line[key] for line in lines], np.float64)[:, None]

    won = by_deck(wins)
    rows = zip(decks.tolist(), seats.tolist(), ranks.astype(int).tolist(), strict=True)
    comparisons = Comparisons.of(entrants, config.decks, rows)
    ratings, rating_intervals = elo_ratings(comparisons, samples)
    columns: dict[str, list[Any]] = {
        "agent": list(config.names),
        "games": games.astype(int).tolist(),
        "win_rate": mean(wins),
        "win_rate_95": interval((samples @ won) / np.maximum(samples @ played, 1)),
        "score": mean(np.array([line["scores"] for line in lines], np.float64)),
        "rank": mean(places(ranks)),
        "rounds": mean(of_game("rounds")),
        "moves": mean(of_game("moves")),
        "rating": ratings,
        "rating_95": rating_intervals,
    }
    table = [{key: values[entrant] for key, values in columns.items() if values} for entrant in range(entrants)]
    return {
        "format": FORMAT,
        "games": len(lines),
        "decks": config.decks,
        "truncated": sum(line["truncated"] for line in lines),
        "tied": int((first.sum(axis=1) > 1).sum()),
        "bootstrap": bootstrap,
        "agents": sorted(table, key=lambda row: -row["rating"]),
        "beats": _beats(config.names, seats, ranks),
    }


def _beats(names: tuple[str, ...], seats: Any, ranks: Float64Array) -> dict[str, dict[str, float]]:
    """How often each entrant ranked before each other one when both were at the table; ties count half."""
    shares: dict[str, dict[str, float]] = {}
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    sums, met = np.zeros((2, len(names), len(names)))
    pairs = (np.broadcast_to(seats[:, :, None], ahead.shape), np.broadcast_to(seats[:, None, :], ahead.shape))
    np.add.at(sums, pairs, ahead)
    np.add.at(met, pairs, 1)
    for one, name in enumerate(names):
        shares[name] = {
            other: float(sums[one, two] / met[one, two])
            for two, other in enumerate(names)
            if one != two and met[one, two]
        }
    return shares
