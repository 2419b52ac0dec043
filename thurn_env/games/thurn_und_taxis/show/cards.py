"""Cards as chips: colour bands for the provinces of their cities, and horses."""

from __future__ import annotations

from thurn_env.drawing.chips import CHIP_GAP, MOST_TEXT, Chip, Rows, card_chip, count_chip
from thurn_env.drawing.elements import circle, element, group, path, text
from thurn_env.drawing.writing import shortened, text_width
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show.targets import actions_with

JOINT = 5.0
"""Minimum visible length of the line between two stops of a route."""


def card_name(rules: BoundRules, card: str) -> tuple[str, int]:
    """Return the city and the horses of a card; 0 horses in a game without them."""
    kind = rules.variant.kinds[rules.kind_indices[card]]
    return rules.board.cities[kind.city].name, kind.horses


def colour_class(rules: BoundRules, card: str) -> str:
    """Return the style of a card's province."""
    city = rules.board.cities[rules.variant.kinds[rules.kind_indices[card]].city]
    return "city-free" if city.province is None else f"city-{rules.board.province_index(city.province)}"


def cards(rules: BoundRules, held: dict[str, int], rows: Rows) -> list[Chip]:
    """Return chips of cards in a hand or on a carriage, one for every kind."""
    chips = []
    for card, number in held.items():
        city, horses = card_name(rules, card)
        extras = [horses_chip(horses, rows)] if horses else []
        if number > 1:
            extras.append(count_chip(number, rows))
        chips.append(card_chip(city, rows, f"band {colour_class(rules, card)}", extras))
    return chips


def hand(rules: BoundRules, held: dict[str, int], rows: Rows) -> list[Chip]:
    """Return chips of the cards of a hand, with the actions that play them."""
    return [
        chip._replace(actions=actions_with(card)) for card, chip in zip(held, cards(rules, held, rows), strict=True)
    ]


def horses_chip(horses: int, rows: Rows) -> Chip:
    """Return a chip with a horseshoe and the number of horses."""
    width = 0.9 * rows.size + 2 + text_width(str(horses), rows.size, bold=True)
    return Chip(width, group(horseshoe(horses, rows.size), 0, rows.height / 2))


def horseshoe(horses: int, size: float) -> str:
    """Return a horseshoe with a number; its left edge is at x 0 and its middle at y 0."""
    radius = 0.28 * size
    arch = f"M1 {1.1 * radius:.1f}V{-0.2 * radius:.1f}a{radius:.1f} {radius:.1f} 0 0 1 {2 * radius:.1f} 0"
    shoe = element("path", "shoe", d=f"{arch}V{1.1 * radius:.1f}")
    return shoe + text(2.4 * radius + 3, 0, str(horses), size, "ink strong")


def stops(rules: BoundRules, route: list[str], rows: Rows) -> list[Chip]:
    """Return chips of the cities of a route from left to right, joined by a line behind their names."""
    chips = []
    for place, card in enumerate(route):
        name = shortened(card_name(rules, card)[0], MOST_TEXT, rows.size)
        radius, middle = 0.36 * rows.size, rows.height / 2
        width = 2 * radius + 4 + text_width(name, rows.size) + JOINT
        drawn = path("joint", [(radius, middle), (width + CHIP_GAP, middle)]) if place < len(route) - 1 else ""
        drawn += circle(radius, middle, radius, f"city {colour_class(rules, card)}")
        chips.append(Chip(width, drawn + text(2 * radius + 4, middle, name, rows.size, "ink hiding")))
    return chips
