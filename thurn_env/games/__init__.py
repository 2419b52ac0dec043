"""The games of the house. A game is one folder and one line in `GAMES`."""

import importlib
from typing import Any, cast

from thurn_env.checks import quoted
from thurn_env.errors import OptionError
from thurn_env.games.contract import GameRules

GAMES = {
    "thurn_und_taxis": "thurn_env.games.thurn_und_taxis.rules:make_rules",
    "zug_um_zug_deutschland": "thurn_env.games.zug_um_zug_deutschland.rules:make_rules",
}
"""Name of every game to the function that makes its rules: `make_rules(players, board, options) -> GameRules`."""


def make_rules(game: str, players: int, board: Any = None, **options: Any) -> GameRules:
    """The rules of a game.

    Args:
        game: a name of `GAMES`.
        players: number of players.
        board: the name of a shipped board, the path of a board file (text or path-like), a board that is loaded
            already (`GameRules.board`), `BoardFacts` from a record, or None for the game's usual board.
        options: the game's own options.

    Raises:
        OptionError: unknown game, wrong number of players, unknown option or value.
    """
    if not isinstance(game, str) or game not in GAMES:
        raise OptionError(f"there is no game {quoted(game)}; the games are {', '.join(GAMES)}")
    module, function = GAMES[game].split(":")
    make = getattr(importlib.import_module(module), function)
    return cast(GameRules, make(players, board, options))


__all__ = ["GAMES", "GameRules", "make_rules"]
