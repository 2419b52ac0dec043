"""Pictures of positions. Only public information and the hands that may be shown are used."""

from __future__ import annotations

from thurn_env.drawing.heading import BADGE_PLACE, heading, short_names
from thurn_env.drawing.heading import HEIGHT as HEAD_HEIGHT
from thurn_env.drawing.picture import Block, Picture
from thurn_env.games.show.page import MARGIN, in_columns, picture_of
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.show import map_layout, player_panel
from thurn_env.games.zug_um_zug_deutschland.show.map_block import map_block
from thurn_env.games.zug_um_zug_deutschland.show.market import market_block, market_height
from thurn_env.games.zug_um_zug_deutschland.show.passenger_table import passenger_table, table_height
from thurn_env.games.zug_um_zug_deutschland.show.position import Position, position_of
from thurn_env.games.zug_um_zug_deutschland.show.signs import badge
from thurn_env.games.zug_um_zug_deutschland.show.styles import colours_of_names, styles

__all__ = ["drawn", "position_of"]

WIDTH = 776.0
COLUMN = (WIDTH - MARGIN) / 2


def beside(rules: BoundRules) -> float:
    """Return the height of the blocks beside the map, which is at least as high."""
    return market_height(rules) + MARGIN + table_height(rules)


def drawn(rules: BoundRules, position: Position) -> Picture:
    """Return a picture of a position: heading; map, beside it cards and passengers; the players in two columns."""
    sentence = position.in_words(short_names(position.names))
    where = f"{rules.board.name} board"
    sign = badge(*BADGE_PLACE, position.seat, 18)
    side, side_width = map_layout.WIDTH + MARGIN, WIDTH - map_layout.WIDTH - MARGIN
    board = map_block(rules, position, 0, HEAD_HEIGHT, beside(rules))

    def panel(seat: int, x: float, y: float) -> Block:
        return player_panel.player_panel(rules, position, seat, x, y, COLUMN)

    blocks = [
        heading(rules.title, where, position.when, sentence, sign, WIDTH),
        board,
        market_block(rules, position, side, HEAD_HEIGHT, side_width),
        passenger_table(rules, position, side, HEAD_HEIGHT + market_height(rules) + MARGIN, side_width),
        *in_columns(rules.players, HEAD_HEIGHT + board.height + MARGIN, COLUMN, player_panel.HEIGHT, panel),
    ]
    return picture_of(position, blocks, WIDTH, styles(rules.board), colours_of_names(rules.tracks))
