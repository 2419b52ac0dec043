"""Results of a tournament: ratings, wins, scores and all other figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env.checks import checked_whole
from thurn_env.errors import ThurnError
from thurn_env.games.contract import Float64Array, Int64Array
from thurn_env.tournament.counts import figures_of_agents
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.intervals import resampled, share_intervals
from thurn_env.tournament.outcomes import Outcomes
from thurn_env.tournament.pairs import pair_shares, pairing
from thurn_env.tournament.ratings import DRAWN_GAMES, Comparisons, elo_ratings
from thurn_env.tournament.style import Styles, styles_of

FORMAT = "thurn-results/1"
MOST_RESAMPLES = 100_000
"""Largest number of resamples."""


@dataclass(frozen=True)
class Results:
    """The results of a finished tournament.

    Attributes:
        path: folder of the tournament.
        names: names of the agents, in the given order.
        figures: contents of `results.json`; docs/tournament_files.md describes every entry.
    """

    path: Path
    names: tuple[str, ...]
    figures: Mapping[str, Any]

    @property
    def ratings(self) -> dict[str, float]:
        """Rating of every agent by name, best first: Plackett-Luce on the Elo scale, mean 0."""
        return {row["agent"]: row["rating"] for row in self.figures["agents"]}

    def share(self, agent: str, other: str) -> tuple[float, float, float]:
        """Return the share of common games in which `agent` ranks before `other`, and its 95 % interval.

        A tie counts as half a game.

        Returns:
            The share and the lower and upper bound of its interval.

        Raises:
            KeyError: the two agents did not meet.
            ThurnError: there are no intervals, because `bootstrap` was 0.
        """
        pair = self.figures["pairs"][agent][other]
        if pair["interval"] is None:
            raise ThurnError(f"{self.path}: the results have no intervals; rate them with a `bootstrap` above 0")
        return pair["share"], *pair["interval"]

    def report(self, path: str | Path | None = None, *, embed: float = 1.0) -> Path:
        """Write an HTML report of the tournament; see `thurn_env.tournament.report.write_report`."""
        from thurn_env.tournament.report import write_report

        return write_report(self.path, path, embed=embed)


def rate(tournament: str | Path | Folder, bootstrap: int = 1000) -> Results:
    """Rate the agents of a finished tournament and write `results.json`.

    Args:
        tournament: folder of the tournament.
        bootstrap: number of resamples of the decks for the 95 % intervals.

    Raises:
        ThurnError: there is no tournament in the folder, or games are missing.
    """
    folder = tournament if isinstance(tournament, Folder) else Folder.existing(Path(tournament))
    checked_whole("bootstrap", bootstrap, 0, MOST_RESAMPLES)
    finished = sum(folder.finished(table) for table in range(len(folder.tables)))
    if finished < folder.config.schedule.games:
        raise ThurnError(
            f"{folder.path}: {finished:,} of {folder.config.schedule.games:,} games are finished; play the rest first"
        )
    figures = results_of(folder, bootstrap)
    folder.save_results(figures)
    return Results(folder.path, folder.config.names, figures)


def places(ranks: Float64Array) -> Float64Array:
    """Return ranks with ties averaged: two players who share the first place both get 1.5; shape (games, players)."""
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    shared: Float64Array = ranks + (tied - 1) / 2
    return shared


def results_of(folder: Folder, bootstrap: int) -> dict[str, Any]:
    """Compute all figures of a tournament from its finished games; docs/tournament_files.md describes the keys.

    Figures are per seat taken: an agent that sits twice at a table counts twice. Players who share the first place each
    get a share of the win. Intervals come from decks, not games, see `thurn_env.tournament.intervals`. Points, rounds
    and other figures of complete games leave out games with a forfeit; wins, ranks and ratings include them.
    """
    config = folder.config
    outcomes = Outcomes.of(folder)
    times = list(folder.times())
    samples = resampled(config.decks, bootstrap, config.seed)
    styles = styles_of(folder, outcomes.lines)
    return {
        "format": FORMAT,
        "tournament": {"format": config.format, "players": config.players, "seating": config.seating},
        "games": len(outcomes.lines),
        "decks": config.decks,
        "truncated": sum(line["truncated"] for line in outcomes.lines),
        "tied": int(((outcomes.ranks == 1).sum(axis=1) > 1).sum()),
        "forfeited": int((~outcomes.whole).sum()),
        "bootstrap": bootstrap,
        "agents": agent_rows(outcomes, samples, times, styles),
        "style_figures": None if styles.figures is None else [asdict(figure) for figure in styles.figures],
        "pairs": pair_shares(outcomes, samples),
        "seat_shares": _shares(outcomes, outcomes.seating_order(), samples),
        "order_shares": _shares(outcomes, outcomes.order_of_play(), samples),
        "pairing": pairing(outcomes),
    }


def agent_rows(
    outcomes: Outcomes,
    samples: Float64Array,
    times: list[dict[str, Any]],
    styles: Styles,
    strangers: float = DRAWN_GAMES,
) -> list[dict[str, Any]]:
    """Return a row of figures for every entrant, the highest rating first.

    Args:
        outcomes: the games.
        samples: bootstrap samples of the decks, float64 (samples, decks).
        times: lines of the times.
        styles: style figures of the entrants.
        strangers: number of drawn games credited to a pair that never met.
    """
    seconds, counted = seconds_per_decision(times), figures_of_agents(times)
    played, won = outcomes.by_deck(np.ones(outcomes.wins.shape)), outcomes.by_deck(outcomes.wins)
    rows = zip(outcomes.deck.tolist(), outcomes.seats.tolist(), outcomes.ranks.astype(int).tolist(), strict=True)
    comparisons = Comparisons.of(len(outcomes.names), outcomes.decks, rows, strangers)
    ratings, rating_intervals = elo_ratings(comparisons, samples)
    columns: dict[str, list[Any]] = {
        "agent": list(outcomes.names),
        "games": played.sum(axis=0).astype(int).tolist(),
        "win_rate": outcomes.means(outcomes.wins),
        "win_rate_95": share_intervals(won, played, samples),
        "score": outcomes.means(outcomes.of_games("scores"), whole=True),
        "rank": outcomes.means(places(outcomes.ranks)),
        "rounds": outcomes.means(outcomes.of_games("rounds"), whole=True),
        "moves": outcomes.means(outcomes.of_games("moves"), whole=True),
        "rating": ratings,
        "rating_95": rating_intervals,
        "breakdown": _by_source(outcomes, wins=False),
        "won_with": _by_source(outcomes, wins=True),
        "style": styles.agents,
        "seats": outcomes.wins_in(outcomes.seating_order()),
        "order": outcomes.wins_in(outcomes.order_of_play()),
        "seconds_per_decision": [seconds.get(name) for name in outcomes.names],
        "figures": [counted.get(name, {}) for name in outcomes.names],
        "forfeits": [reasons.total() for reasons in outcomes.forfeits()],
        "forfeit_reasons": [dict(reasons.most_common()) for reasons in outcomes.forfeits()],
    }
    every = [{key: values[entrant] for key, values in columns.items()} for entrant in range(len(outcomes.names))]
    return sorted(every, key=lambda row: -row["rating"])


def _by_source(outcomes: Outcomes, *, wins: bool) -> list[dict[str, float | None]]:
    """Return every entrant's mean points by source; with `wins`, the share of its wins with points from it."""
    whole = np.broadcast_to(outcomes.whole[:, None], outcomes.seats.shape).astype(np.float64)
    weights = whole * outcomes.wins if wins else whole
    means = {
        source: outcomes.weighted_means((points != 0).astype(np.float64) if wins else points, weights)
        for source, points in outcomes.sources().items()
    }
    return [{source: row[entrant] for source, row in means.items()} for entrant in range(len(outcomes.names))]


def _shares(outcomes: Outcomes, order: Int64Array, samples: Float64Array) -> list[dict[str, Any]]:
    """Return the share of wins of every place in an order of the seats, over all entrants."""
    won, played = np.zeros((outcomes.decks, outcomes.players)), np.zeros((outcomes.decks, 1))
    np.add.at(won, outcomes.deck, np.take_along_axis(outcomes.wins, order, axis=1))
    np.add.at(played, outcomes.deck, 1)
    shares = won.sum(axis=0) / played.sum()
    bounds = share_intervals(won, played, samples)
    return [{"share": float(share), "interval": found} for share, found in zip(shares, bounds, strict=True)]


def thought(times: Iterable[dict[str, Any]]) -> dict[str, tuple[float, int]]:
    """Return every agent's thinking time in seconds and its number of decisions, from lines of the times."""
    found: dict[str, tuple[float, int]] = {}
    for line in times:
        for name, time, count in zip(line["agents"], line["seconds"], line["decisions"], strict=True):
            seconds, decisions = found.get(name, (0.0, 0))
            found[name] = seconds + time, decisions + count
    return found


def seconds_per_decision(times: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Return every timed agent's mean time per decision in seconds, from lines of the times."""
    return {name: seconds / decisions for name, (seconds, decisions) in thought(times).items() if decisions}
