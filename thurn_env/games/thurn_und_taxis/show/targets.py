"""Places in pictures that stand for actions, such as cards and cities."""

from __future__ import annotations

from functools import lru_cache

from thurn_env.drawing.labels import Box
from thurn_env.drawing.picture import Target
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.variant import Variant
from thurn_env.games.thurn_und_taxis.show.map_layout import MARK_RADIUS, map_layout

PLAYING = ("left", "right", "start", "harness", "discard")
"""Actions with a card of the own hand."""
REACH = 5.0
"""Margin around a target."""


def actions_with(card: str) -> tuple[str, ...]:
    """Return the actions with a card of the own hand."""
    return tuple(f"{word} {card}" for word in PLAYING)


def map_targets(rules: BoundRules) -> tuple[Target, ...]:
    """Return targets for the names of the provinces, and for the cities with their names."""
    return _map_targets(rules.board, rules.players, rules.variant)


@lru_cache(maxsize=32)
def _map_targets(board: Board, players: int, variant: Variant) -> tuple[Target, ...]:
    layout = map_layout(board, players)
    targets = [
        _around(label.box, (f"fill {province.name}",))
        for province, label in zip(board.provinces, layout.province_labels, strict=True)
        if label is not None
    ]
    for index, (city, place, label) in enumerate(zip(board.cities, layout.cities, layout.city_labels, strict=True)):
        cards = [kind.name for kind in variant.kinds if kind.city == index]
        actions = (
            f"house {city.name}",
            *(f"take {card}" for card in cards),
            *(action for card in cards for action in actions_with(card)),
        )
        targets.append(_around(label.box, actions))
        targets.append(_around(Box.around(place, 2 * MARK_RADIUS, 2 * MARK_RADIUS), actions))
    return tuple(targets)


def _around(box: Box, actions: tuple[str, ...]) -> Target:
    return Target(
        box.left - REACH,
        box.top - REACH,
        box.right - box.left + 2 * REACH,
        box.bottom - box.top + 2 * REACH,
        actions,
    )
