"""What players changed on the table, as marks over a picture.

A game may have a module `show/changes.py` with the function of `Changes`. Other games mark nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol, cast

from thurn_env.drawing.elements import circle
from thurn_env.games.contract import GameRules


@dataclass(frozen=True)
class Change:
    """Moves in sequence, with the table before and after them.

    Attributes:
        before, after: public tables, as returned by `GameRules.public`.
        moves: seat and text of every move.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    moves: Sequence[tuple[int, str]]

    def added(self, seat: int, key: str) -> list[str]:
        """Return the names that a player's public list gained."""
        earlier = self.before["players"][seat][key]
        return [name for name in self.after["players"][seat][key] if name not in earlier]


class Changes(Protocol):
    """How a game marks changes."""

    def marks(self, rules: Any, change: Change) -> dict[str, str]:
        """Return marks as SVG by name of the block that they lie over."""


class NoChanges:
    """The marks of games without a module of their own."""

    def marks(self, rules: GameRules, change: Change) -> dict[str, str]:
        """Return no marks."""
        return {}


@cache
def _changes_beside(module: str) -> Changes:
    """Return the module `show.changes` in the folder of a game's module, or the default."""
    folder = module.rpartition(".")[0]
    if folder and find_spec(f"{folder}.show") is not None and find_spec(f"{folder}.show.changes") is not None:
        return cast(Changes, importlib.import_module(f"{folder}.show.changes"))
    return NoChanges()


def changes_of(rules: GameRules) -> Changes:
    """Return how a game marks changes."""
    return _changes_beside(type(rules).__module__)


def ring(x: float, y: float, radius: float, seat: int) -> str:
    """Return a ring in a seat's colour around something new."""
    return circle(x, y, radius, "latest-edge") + circle(x, y, radius, f"latest frame-{seat}")
