"""The review of a recorded game on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thurn_env.players.review import MARKS, Review
from thurn_env.table.record import Record


def print_review(console: Console, record: Record, review: Review) -> None:
    """Print the accuracy and the counted mistakes of every player, then every mistake with its reason."""
    names = record.agents or [f"player {seat}" for seat in range(record.players)]
    table = Table("seat", "player", "accuracy", "mistakes", "blunders", "adviser's choice")
    for seat, name in enumerate(names):
        own = review.player(seat)
        figures = ["-"] * 3
        if own.accuracy is not None:
            figures = [f"{own.accuracy:.0f}%", str(own.mistakes), str(own.blunders)]
        table.add_row(str(seat), escape(name), *figures, f"{own.agreed} of {own.decisions}")
    console.print(f"Reviewed by {review.adviser}", markup=False)
    console.print(table)
    for number, move in enumerate(review.moves, start=1):
        if move is not None and move.kind:
            played = f"move {number}, {names[move.seat]} (seat {move.seat}): {move.played} {MARKS[move.kind]}"
            console.print(f"{played} {move.reason}", markup=False, highlight=False)
