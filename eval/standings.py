"""What `results.json` says, checked and with a type; what only newer tournaments have is None in older ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eval.folder import Folder
from thurn_env.errors import ThurnError

Interval = tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """An agent's row of the table; means are None where there is nothing to take them of.

    Attributes:
        entrant: its number in the tournament.
        agent: its name.
        games: seats it took.
        win_rate: the share of them that it won; with its interval.
        score: mean; games with a forfeit do not count.
        rank: mean.
        rounds: mean of its games; as scores.
        rating: on the Elo scale; with its interval.
        seconds: mean time per decision.
        breakdown: mean points by source.
        won_with: by source the share of its wins that had points from there.
        forfeits: games that it lost by what it did.
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
    breakdown: dict[str, float] | None
    won_with: dict[str, float] | None
    forfeits: int | None


@dataclass(frozen=True)
class Pair:
    """How often the one ranked before the other, in how many games if that is known."""

    share: float
    interval: Interval | None
    games: int | None


@dataclass(frozen=True)
class Standings:
    """The results: agents by rating, the best first, and pairs by their names.

    Attributes:
        pairing: how many times as many games it is worth that every deck is played in several seatings.
    """

    games: int
    truncated: int
    tied: int
    bootstrap: int
    agents: list[Standing]
    pairs: dict[str, dict[str, Pair]]
    pairing: float | None


def standings_of(folder: Folder) -> Standings:
    """The results of a finished tournament.

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
            _pairs(results),
            _number(results.get("pairing", {}).get("worth")),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ThurnError(
            f"{folder.path / 'results.json'} is damaged; delete the file and give the tournament's command again"
        ) from None


def _standing(row: dict[str, Any], numbers: dict[str, int]) -> Standing:
    forfeits = row.get("forfeits")
    return Standing(
        numbers[row["agent"]],
        row["agent"],
        int(row["games"]),
        _number(row["win_rate"]),
        _interval(row.get("win_rate_95")),
        _number(row["score"]),
        _number(row["rank"]),
        _number(row["rounds"]),
        float(row["rating"]),
        _interval(row.get("rating_95")),
        _number(row.get("seconds_per_decision")),
        _by_source(row.get("breakdown")),
        _by_source(row.get("won_with")),
        None if forfeits is None else int(forfeits),
    )


def _by_source(values: dict[str, Any] | None) -> dict[str, float] | None:
    return {source: float(value) for source, value in (values or {}).items() if value is not None} or None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _interval(values: Any) -> Interval | None:
    if not values:
        return None
    low, high = values
    return float(low), float(high)


def _pairs(results: dict[str, Any]) -> dict[str, dict[str, Pair]]:
    """From `pairs`; from `beats` where only that is there, without intervals."""
    if "pairs" in results:
        return {
            one: {
                other: Pair(float(cell["share"]), _interval(cell.get("interval")), cell.get("games"))
                for other, cell in row.items()
            }
            for one, row in results["pairs"].items()
        }
    return {
        one: {other: Pair(float(share), None, None) for other, share in row.items()}
        for one, row in results["beats"].items()
    }
