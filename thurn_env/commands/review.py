"""The review of a recorded game on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from thurn_env.players.review import MARKS, Review
from thurn_env.show.review_panel import COLUMNS, player_figures
from thurn_env.table.record import Record


def print_review(console: Console, record: Record, review: Review) -> None:
    """Print the accuracy and the counted mistakes of every player, then every mistake with its reason."""
    names = record.agents or [f"player {seat}" for seat in range(record.players)]
    table = Table("seat", *COLUMNS)
    for seat, name in enumerate(names):
        table.add_row(str(seat), Text(name), *player_figures(review.player(seat)))
    console.print(f"Reviewed by {review.adviser}", markup=False, highlight=False)
    console.print(table)
    for number, move in enumerate(review.moves, start=1):
        if move is not None and move.kind:
            played = f"move {number}, {names[move.seat]} (seat {move.seat}): {move.played} {MARKS[move.kind]}"
            console.print(played, markup=False, highlight=False)
            console.print(Padding(Text(move.reason), (0, 0, 0, 2)))
