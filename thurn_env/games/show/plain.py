"""Games as plain values for programs: the facts of the board, and the secrets of a position.

A game may have a module `show/plain.py` with the functions of `Plain`. Other games give the contents of their board's
file and the hands.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol, cast

from thurn_env.games.contract import GameRules, Records


class Plain(Protocol):
    """What a game tells programs besides `GameRules.public`. All values are those of JSON."""

    def facts(self, rules: Any) -> dict[str, Any]:
        """Return all constant facts of the board."""

    def secrets(self, rules: Any, states: Records, index: int, seat: int) -> dict[str, Any]:
        """Return everything that a seat knows and that is not public, such as its hand."""

    def hidden(self, rules: Any, states: Records, index: int) -> dict[str, Any]:
        """Return what no seat knows, such as the order of the deck."""


class PlainByDefault:
    """The plain values of games without a module of their own."""

    def facts(self, rules: GameRules) -> dict[str, Any]:
        """Return the contents of the board's file; for a shipped board its name and description."""
        return rules.board_facts() or {"name": rules.board_name, "about": rules.about()}

    def secrets(self, rules: GameRules, states: Records, index: int, seat: int) -> dict[str, Any]:
        """Return the hand."""
        return {"hand": rules.hand(states, index, seat)}

    def hidden(self, rules: GameRules, states: Records, index: int) -> dict[str, Any]:
        """Return nothing."""
        return {}


@cache
def _plain_beside(module: str) -> Plain:
    """Return the module `show.plain` in the folder of a game's module, or the default."""
    folder = module.rpartition(".")[0]
    if folder and find_spec(f"{folder}.show") is not None and find_spec(f"{folder}.show.plain") is not None:
        return cast(Plain, importlib.import_module(f"{folder}.show.plain"))
    return PlainByDefault()


def plain_of(rules: GameRules) -> Plain:
    """Return the plain values of a game."""
    return _plain_beside(type(rules).__module__)
