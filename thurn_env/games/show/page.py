"""Layout of pictures: a margin, and player panels in two columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from thurn_env.drawing.picture import Block, Picture, moved
from thurn_env.drawing.themes import Styles
from thurn_env.games.show.position import Position

MARGIN = 12.0
"""Margin around the picture and between its blocks."""


def in_columns(
    count: int, top: float, width: float, height: float, panel: Callable[[int, float, float], Block]
) -> list[Block]:
    """Place the players' panels in two columns; an odd one out is centred below.

    Args:
        count: number of players.
        top: y of the first row.
        width: width of a column.
        height: height of a panel.
        panel: makes the panel of a seat at (x, y).
    """
    panels = []
    for seat in range(count):
        x = seat % 2 * (width + MARGIN)
        if seat == count - 1 and seat % 2 == 0:
            x = (width + MARGIN) / 2
        panels.append(panel(seat, x, top + seat // 2 * (height + MARGIN)))
    return panels


def picture_of(
    position: Position,
    blocks: Sequence[Block],
    width: float,
    styles: Mapping[str, Styles],
    colours: Mapping[str, str],
) -> Picture:
    """Return a picture of blocks, the last of which reaches lowest.

    Args:
        position: the position shown.
        blocks: the blocks.
        width: total width of the blocks.
        styles, colours: see `Picture`.
    """
    bottom = blocks[-1].y + blocks[-1].height
    return Picture(
        round(width + 2 * MARGIN),
        2 * round((bottom + 2 * MARGIN) / 2),  # video codecs need even sizes
        f"{position.when.capitalize()}. {position.in_words(position.names)}.",
        styles,
        tuple(moved(block, MARGIN, MARGIN) for block in blocks),
        colours,
        position.when,
        position.asked,
    )
