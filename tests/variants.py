"""Boards with and without horses, by one name each, so that tests can be run over them."""

from __future__ import annotations

from typing import Any

WITH_HORSES = " with horses"

WHOLE_GAMES = (
    ("tiny", 2),
    ("tiny", 4),
    ("small", 3),
    ("south", 2),
    ("south", 3),
    ("south", 4),
    ("north", 2),
    ("north", 3),
    ("north with horses", 2),
    ("north with horses", 4),
)
"""Variants and numbers of players on which whole games are checked, decision by decision."""


def board_and_options(variant: str) -> tuple[str, dict[str, Any]]:
    """The board and the options of `south`, `north`, `north with horses` ..."""
    board = variant.removesuffix(WITH_HORSES)
    return board, {"horses": True} if board != variant else {}


def city_of(card: str) -> str:
    """The city of a card's name: `Berlin` of `Berlin/3`."""
    return card.partition("/")[0]
