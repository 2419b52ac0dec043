"""Positions of the game as pictures. Only what lies open, and the hands that may be shown, is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thurn_env.games.zug_um_zug_deutschland.picture import map_layout, player_panel
from thurn_env.games.zug_um_zug_deutschland.picture.map_block import map_block
from thurn_env.games.zug_um_zug_deutschland.picture.market import market_block, market_height
from thurn_env.games.zug_um_zug_deutschland.picture.passenger_table import passenger_table, table_height
from thurn_env.games.zug_um_zug_deutschland.picture.position import Position, in_words, position_of
from thurn_env.games.zug_um_zug_deutschland.picture.signs import badge
from thurn_env.games.zug_um_zug_deutschland.picture.styles import colours_of_names, styles
from thurn_env.pictures.heading import BADGE_PLACE, heading, short_names
from thurn_env.pictures.heading import HEIGHT as HEAD_HEIGHT
from thurn_env.pictures.picture import Block, Picture, moved

if TYPE_CHECKING:
    from thurn_env.games.zug_um_zug_deutschland.rules import ZugUmZugDeutschland

__all__ = ["drawn", "position_of"]

WIDTH = 776.0
MARGIN = 12.0
"""Around the picture and between its blocks."""
COLUMN = (WIDTH - MARGIN) / 2


def drawn(rules: ZugUmZugDeutschland, position: Position) -> Picture:
    """A position as a picture: heading; the map, beside it cards and passengers; the players in two columns."""
    sentence = in_words(position, short_names(position.names))
    where = f"{rules.board.name} board"
    sign = badge(*BADGE_PLACE, position.seat, 18)
    side, side_width = map_layout.WIDTH + MARGIN, WIDTH - map_layout.WIDTH - MARGIN
    beside = market_height(rules) + MARGIN + table_height(rules)
    board = map_block(rules, position, 0, HEAD_HEIGHT, beside)
    blocks = [
        heading(rules.title, where, position.when, sentence, sign, WIDTH),
        board,
        market_block(rules, position, side, HEAD_HEIGHT, side_width),
        passenger_table(rules, position, side, HEAD_HEIGHT + market_height(rules) + MARGIN, side_width),
        *_panels(rules, position, HEAD_HEIGHT + board.height + MARGIN),
    ]
    bottom = blocks[-1].y + blocks[-1].height
    return Picture(
        round(WIDTH + 2 * MARGIN),
        2 * round((bottom + 2 * MARGIN) / 2),  # video codecs want even sizes
        f"{position.when.capitalize()}. {in_words(position, position.names)}.",
        styles(rules.board),
        tuple(moved(block, MARGIN, MARGIN) for block in blocks),
        colours_of_names(rules.tracks),
    )


def _panels(rules: ZugUmZugDeutschland, position: Position, top: float) -> list[Block]:
    """The players in two columns; one left over in the middle below."""
    panels = []
    for seat in range(rules.players):
        x = seat % 2 * (COLUMN + MARGIN)
        if seat == rules.players - 1 and seat % 2 == 0:
            x = (COLUMN + MARGIN) / 2
        y = top + seat // 2 * (player_panel.HEIGHT + MARGIN)
        panels.append(player_panel.player_panel(rules, position, seat, x, y, COLUMN))
    return panels
