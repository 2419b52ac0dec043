"""The heading: which game it is, how far it has come, and who is asked for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thurn_env.games.thurn_und_taxis.picture.map_block import house
from thurn_env.games.thurn_und_taxis.picture.position import Position, in_words
from thurn_env.render.elements import text
from thurn_env.render.picture import Block
from thurn_env.render.writing import shortened, text_width

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.rules import ThurnUndTaxis

HEIGHT = 50.0
TITLE_SIZE, SIZE = 17.0, 13.0
MOST_NAME = 200.0
GAP = 10.0


def head_block(rules: ThurnUndTaxis, position: Position, width: float) -> Block:
    """The heading."""
    title_width = text_width(rules.title, TITLE_SIZE, bold=True)
    where = f"{rules.board.name} board{' with horses' if rules.variant.horses else ''}"
    room = width - title_width - text_width(position.when, SIZE) - 2 * GAP
    names = [shortened(name, MOST_NAME, SIZE) for name in position.names]
    layers = {
        "title": text(0, 12, rules.title, TITLE_SIZE, "ink strong", remark=(shortened(where, room, SIZE), SIZE)),
        "round": text(width, 13, position.when, SIZE, "muted", "end"),
        "asked": house(9, 36, position.seat, 18)
        + text(24, 37, shortened(in_words(position, names), width - 24, SIZE), SIZE),
    }
    return Block("head", 0, 0, width, HEIGHT, layers, heading=True)
