"""Cards to draw: the display, the deck, and the discard pile."""

from __future__ import annotations

from thurn_env.drawing.elements import group, rectangle, text
from thurn_env.drawing.picture import Block, Target
from thurn_env.drawing.writing import fitting_size, shortened, text_width
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show.cards import card_name, colour_class, horseshoe
from thurn_env.games.thurn_und_taxis.show.position import Position

PADDING = 12.0
GAP = 6.0
LEAST_CARD_HEIGHT = 34.0
DECK_WIDTH = 56.0
LABEL_SIZE, NAME_SIZE, LEAST_NAME_SIZE, NUMBER_SIZE = 11.0, 12.5, 9.0, 15.0
NAME_START = 12.0
TOP = 28.0


def _columns_and_rows(rules: BoundRules) -> tuple[int, int]:
    columns = 2 if rules.board.display_size <= 4 else 3
    return columns, -(-rules.board.display_size // columns)


def least_height(rules: BoundRules) -> float:
    """Return the height that the display needs."""
    rows = _columns_and_rows(rules)[1]
    return TOP + rows * (LEAST_CARD_HEIGHT + GAP) - GAP + PADDING


def market_block(rules: BoundRules, position: Position, x: float, y: float, width: float, height: float) -> Block:
    """Return the block of the cards that can be drawn, and of the discarded ones."""
    table = position.table
    columns, rows = _columns_and_rows(rules)
    deck_x = width - PADDING - DECK_WIDTH
    card_width = (deck_x - 2 * GAP - PADDING - (columns - 1) * GAP) / columns
    card_height = (height - TOP - PADDING - (rows - 1) * GAP) / rows
    room = card_width - NAME_START - 3
    size = fitting_size([city.name for city in rules.board.cities], room, NAME_SIZE, LEAST_NAME_SIZE)
    slots = [
        (PADDING + slot % columns * (card_width + GAP), TOP + slot // columns * (card_height + GAP))
        for slot in range(len(table["display"]))
    ]
    display = "".join(
        group(_card(rules, card, card_width, card_height, size), left, top)
        for card, (left, top) in zip(table["display"], slots, strict=True)
    )
    pile_height = (height - 2 * PADDING - GAP) / 2
    deck = _pile("deck", table["deck_size"], "back", pile_height, table.get("top_horses"))
    discards = _pile("discards", sum(table["discard"].values()), "card", pile_height)
    return Block(
        "market",
        x,
        y,
        width,
        height,
        {
            "frame": rectangle(0.5, 0.5, width - 1, height - 1, "panel", 8)
            + text(PADDING, 15, "display", LABEL_SIZE, "muted"),
            "display": display,
            "deck": group(deck, deck_x, PADDING),
            "discards": group(discards, deck_x, PADDING + pile_height + GAP),
        },
        targets=(
            Target(PADDING - 4, 3, text_width("display", LABEL_SIZE) + 8, TOP - 6, ("administrator",)),
            *(
                Target(left, top, card_width, card_height, (f"take {card}",))
                for card, (left, top) in zip(table["display"], slots, strict=True)
                if card is not None
            ),
            Target(deck_x, PADDING, DECK_WIDTH, pile_height, ("draw",)),
        ),
    )


def _card(rules: BoundRules, card: str | None, width: float, height: float, size: float) -> str:
    if card is None:
        return rectangle(0, 0, width, height, "hollow", 4)
    city, horses = card_name(rules, card)
    name = shortened(city, width - NAME_START - 3, size)
    middle = height / 2 - (9 if horses else 0)
    return (
        rectangle(0, 0, width, height, "card", 4)
        + rectangle(2, 2, 5, height - 4, f"band {colour_class(rules, card)}", 2)
        + text(NAME_START, middle, name, size)
        + (group(horseshoe(horses, 12), NAME_START - 1, height / 2 + 9) if horses else "")
    )


def _pile(label: str, cards: int, style: str, height: float, horses: int | None = None) -> str:
    """Return a pile of cards with their number, and the horses on the top one if they are open."""
    middle = (DECK_WIDTH - 3) / 2
    if cards:
        drawn = rectangle(3, 3, DECK_WIDTH - 3, height - 3, style, 4) if cards > 1 else ""
        drawn += rectangle(0, 0, DECK_WIDTH - 3, height - 3, style, 4)
    else:
        drawn = rectangle(0.5, 0.5, DECK_WIDTH - 4, height - 4, "hollow", 4)
    drawn += text(middle, height * 0.3, str(cards), NUMBER_SIZE, "ink strong", "middle")
    drawn += text(middle, height * 0.3 + 16, label, LABEL_SIZE, "muted", "middle")
    return drawn + (group(horseshoe(horses, 12), middle - 10, height * 0.3 + 34) if horses else "")
