"""The game of a board, for errors about boards."""

from __future__ import annotations

import re
from contextlib import suppress

from thurn_env.errors import ThurnError
from thurn_env.games import DEFAULT_PLAYERS, make_rules, registered_games

UNKNOWN = re.compile(r'no board is called "([^"]+)"')
"""How the error about an unknown board begins."""


def with_remedy(error: ThurnError) -> ThurnError:
    """Return an error about an unknown board with the name of the only game that has this board; others unchanged."""
    unknown = UNKNOWN.match(str(error))
    games = games_with(unknown[1]) if unknown else []
    if unknown is None or len(games) != 1:
        return error
    return ThurnError(f"{error}; {unknown[1]} is a board of another game: add --game {games[0]}")


def games_with(board: str) -> list[str]:
    """Return the games that have a board of this name."""
    found = []
    for game in registered_games():
        with suppress(ThurnError, ImportError, AttributeError):  # games of other packages may be broken
            if board in make_rules(game, DEFAULT_PLAYERS).boards:
                found.append(game)
    return found
