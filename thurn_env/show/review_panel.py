"""The changing contents of a page's review: drawn here, inserted by the page's script, also while the analysis runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from thurn_env.drawing.themes import SEATS
from thurn_env.players.review import BLUNDER, MARKS, MISTAKE, PlayerReview, Review
from thurn_env.show.chart import chance_lines

COLUMNS = ("player", "accuracy", "? mistakes", "?? blunders", "adviser's choice")
LEGEND = f"? gave away {MISTAKE:.0%} or more of the chance to win, ?? {BLUNDER:.0%} or more"


def review_panel(review: Review, names: Sequence[str]) -> dict[str, Any]:
    """Return the contents of a review's parts, as the page's script expects them.

    Args:
        review: the review, complete or partial.
        names: names of the players by seat.

    Returns:
        `done` (whether the review is complete), `status` (text), `lines` (SVG), `players` (HTML of a table), `legend`
        (text), `chances` (a text for every position reached), `opinions` (a text or None for every move), and `marks`
        (number of the move from 1, seat, mark).
    """
    marks = [
        (number, move.seat, MARKS[move.kind])
        for number, move in enumerate(review.moves, start=1)
        if move is not None and move.kind
    ]
    chances = review.chances()
    before = [(number - 1, seat, mark) for number, seat, mark in marks]
    return {
        "done": review.complete,
        "status": _status(review),
        "lines": chance_lines(chances, len(review.moves) + 1, before),
        "players": _players(review, names),
        "legend": LEGEND if any(chances[: len(review.moves)]) else "",
        "chances": [_chances(row, names) for row in chances],
        "opinions": [None if move is None else move.reason for move in review.moves],
        "marks": marks,
    }


def _status(review: Review) -> str:
    if review.complete:
        return f"Reviewed by {review.adviser}."
    part = f"pass {review.stage} of {review.stages}, " if review.stages > 1 else ""
    return f"{review.adviser} is reviewing the game: {part}{review.done} of {review.of} decisions."


def _chances(row: Sequence[float], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {max(0.0, min(1.0, chance)):.0%}" for name, chance in zip(names, row, strict=False))


def _players(review: Review, names: Sequence[str]) -> str:
    heading = "".join(f'<th scope="col">{escape(column)}</th>' for column in COLUMNS)
    rows = "".join(_row(review.player(seat), seat, name) for seat, name in enumerate(names))
    return f"<thead><tr>{heading}</tr></thead><tbody>{rows}</tbody>"


def _row(player: PlayerReview, seat: int, name: str) -> str:
    cells = "".join(f"<td>{figure}</td>" for figure in player_figures(player))
    badge = f'<span class="badge seat-{seat % SEATS}">{seat}</span>'
    return f'<tr><th scope="row">{badge} {escape(name)}</th>{cells}</tr>'


def player_figures(player: PlayerReview) -> list[str]:
    """Return a player's figures as texts: accuracy, mistakes, blunders, agreement.

    An adviser that gives no chances to win only knows the agreement.
    """
    figures = ["-"] * 3
    if player.accuracy is not None:
        figures = [f"{player.accuracy:.0f}%", str(player.mistakes), str(player.blunders)]
    return [*figures, f"{player.agreed} of {player.decisions}"]
