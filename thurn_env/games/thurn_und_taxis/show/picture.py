"""Pictures of positions. Only public information and the hands that may be shown are used."""

from __future__ import annotations

from thurn_env.drawing.heading import BADGE_PLACE, heading, short_names
from thurn_env.drawing.heading import HEIGHT as HEAD_HEIGHT
from thurn_env.drawing.picture import Block, Picture
from thurn_env.games.show.page import MARGIN, in_columns, picture_of
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show import market, player_panel, tile_stacks
from thurn_env.games.thurn_und_taxis.show.map_block import house, map_block
from thurn_env.games.thurn_und_taxis.show.map_layout import WIDTH
from thurn_env.games.thurn_und_taxis.show.position import Position, position_of
from thurn_env.games.thurn_und_taxis.show.styles import colours_of_names, styles

__all__ = ["drawn", "position_of"]

COLUMN = (WIDTH - MARGIN) / 2


def drawn(rules: BoundRules, position: Position) -> Picture:
    """Return a picture of a position: heading, map, market and tiles side by side, the players in two columns."""
    where = f"{rules.board.name} board{' with horses' if rules.variant.horses else ''}"
    sentence = position.in_words(short_names(position.names))
    head = heading(rules.title, where, position.when, sentence, house(*BADGE_PLACE, position.seat, 18), WIDTH)
    board = map_block(rules, position.players, 0, HEAD_HEIGHT)
    top = board.y + board.height + MARGIN
    height = max(market.least_height(rules), tile_stacks.least_height(rules, COLUMN))

    def panel(seat: int, x: float, y: float) -> Block:
        return player_panel.player_panel(rules, position, seat, x, y, COLUMN)

    blocks = [
        head,
        board,
        market.market_block(rules, position, 0, top, COLUMN, height),
        tile_stacks.tiles_block(rules, position, COLUMN + MARGIN, top, COLUMN, height),
        *in_columns(rules.players, top + height + MARGIN, COLUMN, player_panel.panel_height(rules), panel),
    ]
    return picture_of(position, blocks, WIDTH, styles(rules.board), colours_of_names(rules.board, rules.variant))
