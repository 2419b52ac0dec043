"""Results of a tournament as text tables."""

from __future__ import annotations

import textwrap
from math import ceil, floor
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thurn_env.table.style import Figure
from thurn_env.tournament.counts import counted_names, legality

NOTE = (
    "Rating: Plackett-Luce on the Elo scale, mean 0, with its 95 % interval from resampling the {decks:,} decks "
    "({bootstrap:,} times); no interval if results link an agent with no other or are the same on all decks. Every "
    "pair is credited one drawn game. {games:,} games, "
    "{truncated:,} cut off, {tied:,} with a shared first place, which counts as a share of a win."
)
REASONS = 3
"""Largest number of reasons for forfeits named per agent."""


def figure(value: float | None, form: str) -> str:
    """Format a number, zero without a minus sign; None gives an empty text."""
    return "" if value is None else format(value, f"z{form}")


def duration(seconds: float | None) -> str:
    """Format a short time in a suitable unit."""
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def share(value: float | None, bounds: list[float] | None = None) -> str:
    """Format a share in percent, with its interval if given."""
    if value is None or bounds is None:
        return figure(value, ".1%")
    # Round outwards, so that the share lies within; the inner rounding removes binary rounding errors.
    low, high = floor(round(100 * bounds[0], 9)), ceil(round(100 * bounds[1], 9))
    return f"{value:.1%} ({low}-{high})"


def rating_table(results: dict[str, Any]) -> Table:
    """Return the rating table."""
    table = Table(title="Tournament")
    table.add_column("agent", overflow="fold")
    timed = any(row["seconds_per_decision"] is not None for row in results["agents"])
    headings = ["games", "wins", "score", "rank", "rounds", "rating", "95 % interval"]
    for heading in [*headings, "per decision"] if timed else headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in results["agents"]:
        bounds = row["rating_95"]
        cells = [
            f"{row['games']:,}",
            f"{row['win_rate']:.1%}",
            figure(row["score"], ".1f"),
            f"{row['rank']:.2f}",
            figure(row["rounds"], ".1f"),
            f"{row['rating']:+z.0f}",
            "" if bounds is None else f"{bounds[0]:+z.0f} to {bounds[1]:+z.0f}",
        ]
        table.add_row(escape(row["agent"]), *cells, *([duration(row["seconds_per_decision"])] if timed else []))
    return table


def style_table(results: dict[str, Any]) -> Table | None:
    """Return the table of the style figures that have a short heading; None if there are none."""
    declared = [Figure(**row) for row in results["style_figures"] or ()]
    shown = [one for one in declared if one.heading]
    if not shown:
        return None
    table = Table(title="Style")
    table.add_column("agent", overflow="fold")
    for one in shown:
        # As narrow as the longest word, so that all columns fit a terminal of 80 characters.
        width = max(map(len, one.heading.split()))
        table.add_column(textwrap.fill(one.heading, width), justify="right", no_wrap=True)
    for row in results["agents"]:
        cells = (figure(row["style"].get(one.name), ".1%" if one.share else ".2f") for one in shown)
        table.add_row(escape(row["agent"]), *cells)
    return table


def counted_table(results: dict[str, Any]) -> Table | None:
    """Return the table of the figures that agents counted; None if no agent counts any."""
    rows = [row for row in results["agents"] if row.get("figures")]
    if not rows:
        return None
    names = counted_names([row["figures"] for row in rows])
    judged = any(legality(row["figures"]) is not None for row in rows)
    table = Table(title="Figures counted by the agents, mean per game")
    table.add_column("agent", overflow="fold")
    for name in [*(["legal answers"] if judged else []), *names]:
        table.add_column(escape(name.replace("_", " ")), justify="right", overflow="fold")
    for row in rows:
        means = [row["figures"][name] / row["games"] if name in row["figures"] else None for name in names]
        share_of_legal = [figure(legality(row["figures"]), ".1%")] if judged else []
        table.add_row(escape(row["agent"]), *share_of_legal, *(figure(mean, ",.4g") for mean in means))
    return table


def pair_table(results: dict[str, Any]) -> Table:
    """Return the table of how often the row's agent ranks before the column's agent."""
    names = [row["agent"] for row in results["agents"]]
    table = _titled("How often the row ranks before the column, with 95 % interval", names)
    for name in names:
        cells = (results["pairs"][name].get(other) for other in names)
        table.add_row(escape(name), *(share(cell["share"], cell["interval"]) if cell else "" for cell in cells))
    return table


def source_table(results: dict[str, Any]) -> Table:
    """Return the table of points by source."""
    rows = results["agents"]
    table = Table(title="Mean points by source, and how many of the agent's wins had points from it")
    table.add_column("source")
    for row in rows:
        table.add_column(escape(row["agent"]), justify="right", overflow="fold")
        table.add_column("of wins", justify="right")
    for source in rows[0]["breakdown"]:
        cells = ((figure(row["breakdown"][source], ".2f"), figure(row["won_with"][source], ".1%")) for row in rows)
        table.add_row(source, *(cell for pair in cells for cell in pair))
    return table


def seat_table(results: dict[str, Any]) -> Table:
    """Return the table of wins by seat and by order of play."""
    names = [row["agent"] for row in results["agents"]]
    table = _titled("Wins by seat and by order of play, with 95 % interval", ["all", *names])
    for key, overall, label in (("seats", "seat_shares", "seat {}"), ("order", "order_shares", "turn {}")):
        for place, shares in enumerate(results[overall]):
            cells = (figure(row[key][place], ".1%") for row in results["agents"])
            # Seats are numbered from 0 everywhere; turns, which only people read, from 1.
            title = label.format(place if key == "seats" else place + 1)
            table.add_row(title, share(shares["share"], shares["interval"]), *cells)
        table.add_section()
    return table


def _titled(title: str, columns: list[str]) -> Table:
    """Return an empty table whose first column names the rows."""
    table = Table(title=title)
    table.add_column("", overflow="fold")
    for name in columns:
        table.add_column(escape(name), justify="right", overflow="fold")
    return table


def forfeit_lines(results: dict[str, Any]) -> list[str]:
    """Return a line for every agent that forfeited, with its most frequent reasons."""
    lines = []
    for row in results["agents"]:
        if row["forfeits"]:
            reasons = list(row["forfeit_reasons"].items())
            named = [f"{reason} ({count:,} times)" if count > 1 else reason for reason, count in reasons[:REASONS]]
            more = ["and for other reasons"] if len(reasons) > REASONS else []
            games = f"{row['forfeits']:,} {'game' if row['forfeits'] == 1 else 'games'}"
            lines.append(f"agent {row['agent']!r} forfeited {games}: {'; '.join([*named, *more])}")
    return lines


def pairing_line(results: dict[str, Any]) -> str | None:
    """Return a line about the precision gained by playing every deck in several seatings; None if unknown."""
    worth = results["pairing"]["worth"]
    if worth is None:
        return None
    return f"Playing every deck in several seatings is worth {worth:.2f} times as many games on independent decks."


def style_line(results: dict[str, Any]) -> str | None:
    """Return a line that says why there are no style figures; None if they are known."""
    if results["style_figures"] is None:
        return "The style figures are not available, because this version cannot replay the games of this folder."
    return None


def print_results(results: dict[str, Any], console: Console) -> None:
    """Print all tables and notes."""
    console.print(rating_table(results))
    if (style := style_table(results)) is not None:
        console.print(style)
    if len(results["agents"]) > 1:
        console.print(pair_table(results))
    console.print(source_table(results))
    console.print(seat_table(results))
    if (counted := counted_table(results)) is not None:
        console.print(counted)
    console.print(NOTE.format(**results))
    for line in (pairing_line(results), style_line(results), *forfeit_lines(results)):
        if line is not None:
            console.print(line, markup=False, highlight=False)
