"""Who triggered the end of a game, and how.

A game may have a module `show/ending.py` with the function of `Endings`. Other games say nothing.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, cast

from thurn_env.games.contract import GameRules, Records


class Ending(NamedTuple):
    """The seat that triggered the end, and how: a predicate such as `placed the last house`."""

    seat: int
    how: str


class Endings(Protocol):
    """What a game says about its end."""

    def ending(self, rules: Any, states: Records, index: int) -> Ending | None:
        """Return how the end was triggered, if it was; the first position with an answer has the right one."""


class NoEndings:
    """The answer of games without a module of their own."""

    def ending(self, rules: GameRules, states: Records, index: int) -> Ending | None:
        """Return None."""
        return None


@cache
def _endings_beside(module: str) -> Endings:
    """Return the module `show.ending` in the folder of a game's module, or the default."""
    folder = module.rpartition(".")[0]
    if folder and find_spec(f"{folder}.show") is not None and find_spec(f"{folder}.show.ending") is not None:
        return cast(Endings, importlib.import_module(f"{folder}.show.ending"))
    return NoEndings()


def endings_of(rules: GameRules) -> Endings:
    """Return what a game says about its end."""
    return _endings_beside(type(rules).__module__)
