"""The games of this package. A game is one folder and one line in `GAMES`.

Other packages add games by the entry-point group `thurn_env.games`: the name of the game, and the function that makes
its rules as `package.module:make_rules`.
"""

import importlib
from functools import cache
from importlib.metadata import entry_points
from typing import Any, cast

from thurn_env.checks import quoted
from thurn_env.errors import OptionError, UnknownOption
from thurn_env.games.board_tables import BoardError
from thurn_env.games.contract import GameRules

GAMES = {
    "thurn_und_taxis": "thurn_env.games.thurn_und_taxis.game:make_rules",
    "zug_um_zug_deutschland": "thurn_env.games.zug_um_zug_deutschland.game:make_rules",
}
"""Games of this package: name to `module:function` of `make_rules(players, board, options) -> GameRules`."""
EXAMPLES = {"example": "thurn_env.games.example.game:make_rules"}
"""Example games, which no list of games contains; `make_rules` accepts their names, too."""
DEFAULT_GAME = "thurn_und_taxis"
"""Default game."""
DEFAULT_PLAYERS = 2
"""Default number of players."""
GROUP = "thurn_env.games"
"""Entry-point group of games of other packages."""


@cache
def registered_games() -> dict[str, str]:
    """Return all games, including those of other packages: name to `module:function`. Built-in games come first."""
    own = {**GAMES, **EXAMPLES}
    return GAMES | {point.name: point.value for point in entry_points(group=GROUP) if point.name not in own}


def entry_point(game: str) -> tuple[str, str]:
    """Return the names of the module and of the function that make the rules of a game.

    Raises:
        OptionError: there is no such game.
    """
    # Listing entry points takes milliseconds, so do it only for names that are not built in.
    own = {**GAMES, **EXAMPLES}
    known = own if isinstance(game, str) and game in own else registered_games()
    if not isinstance(game, str) or game not in known:
        raise OptionError(f"there is no game {quoted(game)}; the games are {', '.join(known)}")
    module, function = known[game].split(":")
    return module, function


def make_rules(game: str, players: int, board: Any = None, **options: Any) -> GameRules:
    """Return the rules of a game.

    Args:
        game: name of a game, see `registered_games`.
        players: number of players.
        board: name of a shipped board, path of a board file (text or path-like), a loaded board (`GameRules.board`),
            `BoardFacts` from a record, or None for the game's default board.
        options: options of the game.

    Raises:
        OptionError: unknown game, wrong number of players, unknown option or value.
    """
    module, function = entry_point(game)
    make = getattr(importlib.import_module(module), function)
    try:
        return cast(GameRules, make(players, board, options))
    except BoardError as error:
        owner = next((name for name in GAMES if name != game and _has_board(name, board)), None)
        if owner is None:
            raise
        raise BoardError(f"{error}; {board} is a board of the game {owner}") from None


def _has_board(game: str, board: Any) -> bool:
    """Return whether this is the name of a board that comes with a game."""
    return isinstance(board, str) and board in make_rules(game, DEFAULT_PLAYERS).boards


def chosen_rules(
    rules: GameRules | None, game: str, players: int, board: Any, options: dict[str, Any], only_game: str | None = None
) -> GameRules:
    """Return the given rules, or make them from a game, a number of players, a board and options.

    Args:
        rules: existing rules, or None.
        game: name of a game.
        players: number of players.
        board: a board, see `make_rules`.
        options: options of the game.
        only_game: the only game that the caller supports; None for any.

    Raises:
        OptionError: rules and other arguments are both given, or the rules cannot be made.
        UnknownOption: unknown option, which is also a `TypeError`.
    """
    if rules is None:
        try:
            return make_rules(game, players, board, **options)
        except UnknownOption as error:
            # Libraries that try keywords look for Python's own words.
            raise UnknownOption(f"unexpected keyword argument {quoted(error.name)}: {error}") from None
    if not isinstance(rules, GameRules):
        raise OptionError(f"rules must be made by make_rules, not {quoted(rules)}")
    if only_game not in (None, rules.name):
        raise OptionError(f"this environment plays {only_game}, and the rules are those of {rules.name}")
    if (
        board is not None
        or options
        or players not in (DEFAULT_PLAYERS, rules.players)
        or game not in (DEFAULT_GAME, rules.name)
    ):
        raise OptionError("give either rules, or game, players, board and options, not both")
    return rules


__all__ = ["DEFAULT_GAME", "GAMES", "GROUP", "GameRules", "chosen_rules", "make_rules", "registered_games"]
