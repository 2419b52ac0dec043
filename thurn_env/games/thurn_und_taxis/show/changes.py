"""Marks of new houses and taken cards, see `thurn_env.games.show.changes`."""

from __future__ import annotations

from thurn_env.games.show.changes import Change, ring
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show.map_layout import HOUSE, MARK_RADIUS, house_place, map_layout

AROUND = 5.0
"""Distance between a ring and what it surrounds."""


def marks(rules: BoundRules, change: Change) -> dict[str, str]:
    """Return rings around new houses, and around the cities whose cards were taken from the display."""
    layout = map_layout(rules.board, rules.players)
    indices = {city.name: index for index, city in enumerate(rules.board.cities)}
    drawn = ""
    for seat in range(rules.players):
        for name in change.added(seat, "houses"):
            place = house_place(layout.cities[indices[name]], seat)
            drawn += ring(*place, HOUSE / 2 + AROUND, seat)
    for seat, move in change.moves:
        family, _, card = move.partition(" ")
        if family == "take":
            city = rules.variant.kinds[rules.kind_indices[card]].city
            drawn += ring(*layout.cities[city], MARK_RADIUS + AROUND, seat)
    return {"map": drawn}
