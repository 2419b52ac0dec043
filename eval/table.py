"""The results of a tournament for people."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

NOTE = (
    "Rating: Plackett-Luce on the Elo scale, mean 0, with its 95 % interval from resampling the {decks:,} decks "
    "({bootstrap:,} times); every pair is credited one drawn game. {games:,} games, {truncated:,} cut off, "
    "{tied:,} with a shared first place, which counts as a share of a win."
)


def rating_table(results: dict[str, Any]) -> Table:
    """The rating table."""
    table = Table(title="Tournament")
    table.add_column("agent", overflow="fold")
    for heading in ("games", "wins", "score", "rank", "rounds", "rating", "95 % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in results["agents"]:
        low, high = row.get("rating_95", (None, None))
        table.add_row(
            row["agent"],
            f"{row['games']:,}",
            f"{row['win_rate']:.1%}",
            f"{row['score']:.1f}",
            f"{row['rank']:.2f}",
            f"{row['rounds']:.1f}",
            f"{row['rating']:+.0f}",
            "" if low is None else f"{low:+.0f} to {high:+.0f}",
        )
    return table


def pair_table(results: dict[str, Any]) -> Table:
    """How often the agent of the row ranks before the agent of the column."""
    names = [row["agent"] for row in results["agents"]]
    table = Table(title="How often the row ranks before the column")
    table.add_column("", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    for name in names:
        shares = results["beats"][name]
        table.add_row(name, *(f"{shares[other]:.1%}" if other in shares else "" for other in names))
    return table


def print_results(results: dict[str, Any], console: Console) -> None:
    """Print everything."""
    console.print(rating_table(results))
    if len(results["agents"]) > 2:
        console.print(pair_table(results))
    console.print(NOTE.format(**results))
