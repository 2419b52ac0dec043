"""Optional modules in the folder `show/` of a game, which offer more than the contract demands."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from types import ModuleType

from thurn_env.games.contract import GameRules


@cache
def _found(folder: str, name: str) -> ModuleType | None:
    if folder and find_spec(f"{folder}.show") is not None and find_spec(f"{folder}.show.{name}") is not None:
        return importlib.import_module(f"{folder}.show.{name}")
    return None


def shown_beside(rules: GameRules, name: str) -> ModuleType | None:
    """Return the module `show/NAME.py` in the folder of a game's module; None if the game has none."""
    return _found(type(rules).__module__.rpartition(".")[0], name)
