"""Bonus tiles: the remaining tiles of every stack, and the owners of the others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from thurn_env.drawing.chips import flow
from thurn_env.drawing.elements import circle, rectangle, text
from thurn_env.drawing.picture import Block
from thurn_env.drawing.writing import shortened, text_width
from thurn_env.games.thurn_und_taxis.show.map_block import house
from thurn_env.games.thurn_und_taxis.show.position import Position

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.board.facts import Stack
    from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules

PADDING = 12.0
TILE, TILE_PITCH = 21.0, 25.0
LABEL_SIZE, VALUE_SIZE = 11.0, 12.0
SWATCH = 11.0
GAP = 14.0
ROW = 43.0
"""Distance from the label of a stack to that of the stack below."""


def _swatches(rules: BoundRules, stack: Stack) -> list[str]:
    """Return the styles of the provinces that a stack is for."""
    return [f"city-{rules.board.province_index(name)}" for name in stack.provinces]


def _width(rules: BoundRules, stack: Stack) -> float:
    label = SWATCH * len(_swatches(rules, stack)) + text_width(stack.name, LABEL_SIZE)
    return max(label, TILE_PITCH * len(stack.values) - (TILE_PITCH - TILE))


def _places(rules: BoundRules, width: float) -> list[tuple[int, float]]:
    room = width - 2 * PADDING
    return flow([min(room, _width(rules, stack)) for stack in rules.board.stacks], room, GAP)


def least_height(rules: BoundRules, width: float) -> float:
    """Return the height that the stacks need."""
    return (_places(rules, width)[-1][0] + 1) * ROW + 14


def tiles_block(rules: BoundRules, position: Position, x: float, y: float, width: float, height: float) -> Block:
    """Return the block of all stacks, in the order of the board's file."""
    places = _places(rules, width)
    spread = (height - 14) / (places[-1][0] + 1)
    labels, tiles = [], []
    for stack, (row, left) in zip(rules.board.stacks, places, strict=True):
        start, top = PADDING + left, 16 + row * spread
        swatches = _swatches(rules, stack)
        for place, style in enumerate(swatches):
            labels.append(circle(start + 4 + place * SWATCH, top, 4, f"band {style}"))
        before = SWATCH * len(swatches)
        label = shortened(stack.name, width - 2 * PADDING - before, LABEL_SIZE)
        labels.append(text(start + before, top, label, LABEL_SIZE, "muted"))
        takers = position.tile_owners[stack.name]
        for place, value in enumerate(stack.values):
            taker = takers[place] if place < len(takers) else None
            tiles.append(_tile(start + place * TILE_PITCH, top + 9, value, taker))
    return Block(
        "tiles",
        x,
        y,
        width,
        height,
        {
            "frame": rectangle(0.5, 0.5, width - 1, height - 1, "panel", 8) + "".join(labels),
            "tiles": "".join(tiles),
        },
    )


@lru_cache(maxsize=1024)  # tiles lie in the same places in all positions
def _tile(x: float, y: float, value: int, taker: int | None) -> str:
    """Return a tile with its value; a taken one is faded and has its owner's house."""
    middle = x + TILE / 2, y + TILE / 2
    if taker is None:
        return rectangle(x, y, TILE, TILE, "card", 4) + text(*middle, str(value), VALUE_SIZE, "ink strong", "middle")
    return (
        rectangle(x, y, TILE, TILE, "hollow", 4)
        + text(x + 7, y + 8, str(value), VALUE_SIZE - 1, "muted", "middle")
        + house(x + TILE - 4, y + TILE - 3, taker, 14)
    )
