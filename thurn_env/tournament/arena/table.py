"""A list as a text table."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thurn_env.tournament.table import duration, forfeit_lines

NOTE = (
    "Rating: one Plackett-Luce fit over all {games:,} games on {decks:,} decks, on the Elo scale with mean 0, and its "
    "95 % interval from resampling the decks ({bootstrap:,} times); every pair that met is credited one drawn game."
)


def list_table(figures: dict[str, Any]) -> Table:
    """Return the list as a table, the best agent first."""
    board = f"{figures['game']}, {figures['board']} board, {figures['players']} players"
    table = Table(title=escape(board))
    table.add_column("", justify="right")
    table.add_column("agent", overflow="fold")
    timed = any(row["seconds_per_decision"] is not None for row in figures["agents"])
    for heading in ["rating", "95 % interval", "games", "wins", *(["per decision"] if timed else [])]:
        table.add_column(heading, justify="right", no_wrap=True)
    for place, row in enumerate(figures["agents"], start=1):
        bounds = row["rating_95"]
        cells = [
            f"{row['rating']:+.0f}",
            "unknown" if bounds is None else f"{bounds[0]:+.0f} to {bounds[1]:+.0f}",
            f"{row['games']:,}",
            f"{row['win_rate']:.1%}",
            *([duration(row["seconds_per_decision"])] if timed else []),
        ]
        name = escape(row["agent"]) + (" (retired)" if row["retired"] else "")
        table.add_row(str(place), name, *cells)
    for row in figures["waiting"]:
        table.add_row("", escape(row["agent"]), "", "no games", "0", "", *([""] if timed else []))
    return table


def notes(figures: dict[str, Any]) -> list[str]:
    """Return the notes below the table."""
    lines = [NOTE.format(**figures)] if figures["agents"] else []
    if groups := figures["unconnected"]:
        named = "; ".join(", ".join(group) for group in groups)
        lines.append(
            f"Unconnected: {named}. They won or lost every game against agents outside their group, so the distance to "
            "these depends only on the drawn games."
        )
    return [*lines, *forfeit_lines(figures)]


def print_list(figures: dict[str, Any], console: Console) -> None:
    """Print the list and its notes."""
    console.print(list_table(figures))
    for line in notes(figures):
        console.print(line, markup=False, highlight=False)
