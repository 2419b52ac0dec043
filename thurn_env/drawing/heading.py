"""Heading of a picture: the game, its progress, and the decision to make."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.drawing.elements import signed, text
from thurn_env.drawing.picture import Block
from thurn_env.drawing.writing import shortened, text_width

HEIGHT = 50.0
TITLE_SIZE, SIZE = 17.0, 13.0
MOST_NAME = 200.0
GAP = 10.0
BADGE_PLACE = (9.0, 36.0)
"""Centre of the badge of the player to move, up to 18 wide and high."""


def heading(title: str, where: str, when: str, sentence: str, badge: str, width: float) -> Block:
    """Return the block above all others.

    Args:
        title: name of the game.
        where: the board and its options.
        when: progress of the game.
        sentence: who has to decide what, or who has won, see `asked_in_words` and `outcome_in_words`.
        badge: mark of that player around `BADGE_PLACE`, as SVG.
        width: width of the picture without its margin.
    """
    title_width = text_width(title, TITLE_SIZE, bold=True)
    room = width - title_width - text_width(when, SIZE) - 2 * GAP
    layers = {
        "title": text(0, 12, title, TITLE_SIZE, "ink strong", remark=(shortened(where, room, SIZE), SIZE)),
        "round": text(width, 13, when, SIZE, "muted", "end"),
        "asked": badge + text(24, 37, shortened(sentence, width - 24, SIZE), SIZE),
    }
    return Block("head", 0, 0, width, HEIGHT, layers, heading=True)


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names of the players, shortened to fit a heading."""
    return [shortened(name, MOST_NAME, SIZE) for name in names]


def asked_in_words(name: str, asked: str) -> str:
    """Return who is to move and what for."""
    return f"{name} is to move: {asked}"


def outcome_in_words(names: Sequence[str], scores: Sequence[int], ranks: Sequence[int], truncated: bool) -> str:
    """Return who has won a finished game."""
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    ended = "The game was cut off" if truncated else "The game is over"
    verb = "wins" if len(winners) == 1 else "share the lead"
    return f"{ended}: {' and '.join(winners)} {verb} with {signed(scores[ranks.index(1)])} points"
