"""Cards to draw: the face-up cards, the deck, the discards and the ticket piles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thurn_env.drawing.elements import group, rectangle, text
from thurn_env.drawing.picture import Block, Target
from thurn_env.drawing.writing import fitting_size, shortened
from thurn_env.games.zug_um_zug_deutschland.rules.names import LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.show.position import Position
from thurn_env.games.zug_um_zug_deutschland.show.styles import card_class

if TYPE_CHECKING:
    from thurn_env.games.zug_um_zug_deutschland.board.board import Board
    from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules

PADDING, GAP = 12.0, 6.0
TOP = 28.0
CARD_HEIGHT, PILE_HEIGHT = 28.0, 46.0
SWATCH = 34.0
LABEL_SIZE, NAME_SIZE, LEAST_NAME_SIZE, NUMBER_SIZE = 11.0, 13.0, 8.0, 15.0


def market_height(rules: BoundRules) -> float:
    """Return the height that the cards and piles need."""
    slots = rules.board.constants.display_size
    return TOP + slots * (CARD_HEIGHT + GAP) + 2 * (PILE_HEIGHT + GAP) + PADDING


def market_block(rules: BoundRules, position: Position, x: float, y: float, width: float) -> Block:
    """Return the block of the cards and tickets that can be drawn, and of the discarded cards."""
    table, board = position.table, rules.board
    height = market_height(rules)
    room = width - 2 * PADDING
    size = fitting_size(rules.kinds, room - SWATCH - 22, NAME_SIZE, LEAST_NAME_SIZE)
    slots = [(card, TOP + slot * (CARD_HEIGHT + GAP)) for slot, card in enumerate(table["display"])]
    cards = "".join(group(_card(board, card, room, size), PADDING, down) for card, down in slots)
    targets = [Target(PADDING, down, room, CARD_HEIGHT, (f"take {card}",)) for card, down in slots if card is not None]
    tickets = ("tickets", *(f"long {number}" for number in range(board.constants.tickets_drawn + 1)))
    piles: tuple[tuple[str, int, str, tuple[str, ...]], ...] = (
        ("deck", table["deck_size"], "back", ("draw",)),
        ("discards", sum(table["discard"].values()), "card", ()),
        *((f"{name} tickets", number, "back", tickets) for name, number in table["piles"].items()),
    )
    top = TOP + len(table["display"]) * (CARD_HEIGHT + GAP) + GAP
    pile_width = (room - GAP) / 2
    frame = rectangle(0.5, 0.5, width - 1, height - 1, "panel", 8)
    layers = {"frame": frame + text(PADDING, 15, "face-up cards", LABEL_SIZE, "muted"), "display": cards}
    for place, (label, number, style, actions) in enumerate(piles):
        left, down = PADDING + place % 2 * (pile_width + GAP), top + place // 2 * (PILE_HEIGHT + GAP)
        layers[label] = group(_pile(label, number, style, pile_width), left, down)
        if actions:
            targets.append(Target(left, down, pile_width, PILE_HEIGHT, actions))
    return Block("market", x, y, width, height, layers, targets=tuple(targets))


def _card(board: Board, card: str | None, width: float, size: float) -> str:
    if card is None:
        return rectangle(0.5, 0.5, width - 1, CARD_HEIGHT - 1, "hollow", 4)
    return (
        rectangle(0, 0, width, CARD_HEIGHT, "card", 4)
        + group(swatch(board, card, SWATCH, CARD_HEIGHT - 6), 3, 3)
        + text(SWATCH + 12, CARD_HEIGHT / 2, shortened(card, width - SWATCH - 15, size), size)
    )


def swatch(board: Board, card: str, width: float, height: float) -> str:
    """Return the colour of a card; for a locomotive all colours."""
    if card != LOCOMOTIVE:
        return rectangle(0, 0, width, height, f"band {card_class(board, card)}", 2)
    stripe = width / len(board.colours)
    stripes = (
        rectangle(number * stripe, 0, stripe, height, card_class(board, colour))
        for number, colour in enumerate(board.colours)
    )
    return "".join(stripes) + rectangle(0, 0, width, height, "band none", 2)


def _pile(label: str, cards: int, style: str, width: float) -> str:
    """Return a pile with its number."""
    drawn = rectangle(2, 2, width - 2, PILE_HEIGHT - 2, style, 4) if cards > 1 else ""
    drawn += rectangle(0, 0, width - 2, PILE_HEIGHT - 2, style if cards else "hollow", 4)
    middle = (width - 2) / 2
    drawn += text(middle, 14, str(cards), NUMBER_SIZE, "ink strong", "middle")
    return drawn + text(middle, 32, label, LABEL_SIZE, "muted", "middle")
