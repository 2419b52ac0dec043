"""The contents of `results.json`, checked and typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thurn_env.errors import ThurnError
from thurn_env.table.style import Figure
from thurn_env.tournament.folder import Folder

Interval = tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """An agent's row of the table; a mean without values is None.

    Attributes:
        entrant: number of the entrant in the tournament.
        agent: its name.
        games: number of seats taken.
        win_rate: share of these games won; `win_rate_95` is its interval.
        score: mean score; games with a forfeit do not count.
        rank: mean rank.
        rounds: mean number of rounds; games with a forfeit do not count.
        rating: rating on the Elo scale; `rating_95` is its interval.
        seconds: mean time per decision.
        breakdown: mean points by source; empty if it forfeited every game.
        won_with: by source, the share of its wins with points from it; empty if it never won.
        forfeits: number of games forfeited.
        figures: what it counted in all games, by name; empty for most agents.
        style: style figures by name, see `Standings.style_figures`; those without a value are missing.
        seats: by seat, the share of its games there that it won; None where it never sat.
    """

    entrant: int
    agent: str
    games: int
    win_rate: float | None
    win_rate_95: Interval | None
    score: float | None
    rank: float | None
    rounds: float | None
    rating: float
    rating_95: Interval | None
    seconds: float | None
    breakdown: dict[str, float]
    won_with: dict[str, float]
    forfeits: int
    figures: dict[str, float]
    style: dict[str, float]
    seats: list[float | None]


@dataclass(frozen=True)
class Pair:
    """Share of games in which one agent ranks before another, and the number of games."""

    share: float
    interval: Interval | None
    games: int


@dataclass(frozen=True)
class Share:
    """Share of all wins of a place; the 95 % interval is None without resampling."""

    share: float
    interval: Interval | None


@dataclass(frozen=True)
class Standings:
    """The results: agents by rating, the best first, and pairs by name.

    Attributes:
        seat_shares: share of all wins by seat.
        order_shares: share of all wins by order of play, the start player first.
        pairing: factor in the number of games that playing every deck in several seatings is worth.
        style_figures: style figures of the game; None if they are not known, as in results of older versions.
    """

    games: int
    truncated: int
    tied: int
    bootstrap: int
    agents: list[Standing]
    pairs: dict[str, dict[str, Pair]]
    seat_shares: list[Share]
    order_shares: list[Share]
    pairing: float | None
    style_figures: tuple[Figure, ...] | None


def standings_of(folder: Folder) -> Standings:
    """Read the results of a finished tournament.

    Raises:
        ThurnError: the tournament is not finished, or `results.json` is damaged.
    """
    results = folder.results()
    numbers = {name: number for number, name in enumerate(folder.config.names)}
    try:
        agents = [_standing(row, numbers) for row in results["agents"]]
        if sorted(agent.entrant for agent in agents) != list(range(len(numbers))):
            raise ValueError("not one row for every agent")
        return Standings(
            int(results["games"]),
            int(results["truncated"]),
            int(results["tied"]),
            int(results["bootstrap"]),
            agents,
            _pairs(results["pairs"]),
            _shares(results["seat_shares"]),
            _shares(results["order_shares"]),
            _number(results["pairing"]["worth"]),
            _figures(results.get("style_figures")),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ThurnError(
            f"{folder.path / 'results.json'} is damaged; delete the file and run the tournament's command again"
        ) from None


def _standing(row: dict[str, Any], numbers: dict[str, int]) -> Standing:
    return Standing(
        numbers[row["agent"]],
        row["agent"],
        int(row["games"]),
        _number(row["win_rate"]),
        _interval(row["win_rate_95"]),
        _number(row["score"]),
        _number(row["rank"]),
        _number(row["rounds"]),
        float(row["rating"]),
        _interval(row["rating_95"]),
        _number(row["seconds_per_decision"]),
        _by_source(row["breakdown"]),
        _by_source(row["won_with"]),
        int(row["forfeits"]),
        _by_source(row.get("figures", {})),
        _by_source(row.get("style", {})),
        [_number(share) for share in row["seats"]],
    )


def _by_source(values: dict[str, Any]) -> dict[str, float]:
    return {source: float(value) for source, value in values.items() if value is not None}


def _figures(rows: list[dict[str, Any]] | None) -> tuple[Figure, ...] | None:
    return None if rows is None else tuple(Figure(**row) for row in rows)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _interval(values: Any) -> Interval | None:
    if not values:
        return None
    low, high = values
    return float(low), float(high)


def _shares(rows: list[dict[str, Any]]) -> list[Share]:
    return [Share(float(row["share"]), _interval(row["interval"])) for row in rows]


def _pairs(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Pair]]:
    return {
        one: {
            other: Pair(float(cell["share"]), _interval(cell["interval"]), int(cell["games"]))
            for other, cell in row.items()
        }
        for one, row in rows.items()
    }
