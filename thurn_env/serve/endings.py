"""The end of a game for the page: points by source, ranks, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from thurn_env.games.show.ending import endings_of
from thurn_env.table.game import Game


def end_for_page(games: Sequence[Game], names: Sequence[str]) -> dict[str, Any]:
    """Return the end of a game as JSON.

    Args:
        games: the game after every move, from the deal to the end.
        names: names of the players by seat.
    """
    game = games[-1]
    rows = game.rules.breakdown(game.states, 0)
    # Sources from which nobody got points would only make the table longer.
    sources = [source for source in rows[0] if any(row[source] for row in rows)]
    return {
        "sources": [[source, [row[source] for row in rows]] for source in sources],
        "scores": game.scores,
        "ranks": game.ranks,
        "how": _how(games, names),
    }


def _how(games: Sequence[Game], names: Sequence[str]) -> str:
    """Return in a sentence who triggered the end and how; empty if the game does not say it."""
    game = games[-1]
    if game.truncated:
        return f"The game reached the limit of {game.rounds} rounds."
    endings = endings_of(game.rules)
    for before, after in pairwise(games):
        ending = endings.ending(after.rules, after.states, 0)
        if ending is not None:
            return f"{names[ending.seat]} triggered the end in round {before.rounds + 1}: {ending.how}."
    return ""
