"""The heading of a picture: which game it is, how far it has come, and who is asked for what."""

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
"""The middle of the badge of the player who is asked, up to 18 wide and high."""


def heading(title: str, where: str, when: str, sentence: str, badge: str, width: float) -> Block:
    """The block above all others.

    Args:
        title: the game's name.
        where: the board and its options.
        when: how far the game has come.
        sentence: who is asked for what, or who has won, see `asked_in_words` and `outcome_in_words`.
        badge: the mark of that player around `BADGE_PLACE`, as SVG.
        width: of the picture without its margin.
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
    """The names of the players as a heading has room for them."""
    return [shortened(name, MOST_NAME, SIZE) for name in names]


def asked_in_words(name: str, asked: str) -> str:
    """Who is to move and what for."""
    return f"{name} is to move: {asked}"


def outcome_in_words(names: Sequence[str], scores: Sequence[int], ranks: Sequence[int], truncated: bool) -> str:
    """Who has won a game that is over."""
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    ended = "The game was cut off" if truncated else "The game is over"
    verb = "wins" if len(winners) == 1 else "share the lead"
    return f"{ended}: {' and '.join(winners)} {verb} with {signed(scores[ranks.index(1)])} points"
