"""Prompts: a game and a position in words."""

from __future__ import annotations

from functools import lru_cache

from thurn_env.errors import OptionError
from thurn_env.games.contract import GameRules
from thurn_env.games.show.talk import talk_of
from thurn_env.table.game import View
from thurn_env.talk.listing import are_numbered, listed_actions

__all__ = ["briefing", "legal_list", "position", "prompt"]


@lru_cache(maxsize=64)
def briefing(rules: GameRules) -> str:
    """Return the rules in brief and the constant facts of the board, the same for the whole game."""
    return talk_of(rules).briefing(rules)


def position(view: View) -> str:
    """Return what the seat of a view sees, without the legal actions."""
    game = view.game
    return talk_of(game.rules).position(game.rules, game.states, 0, view.seat)


def legal_list(view: View) -> str:
    """Return the legal actions of the player to move, see `listed_actions`."""
    return listed_actions(list(view.legal))


def prompt(view: View, *, rules: bool = True) -> str:
    """Return the prompt for a decision of the seat of a view.

    Args:
        view: the view of the seat to move.
        rules: whether the prompt begins with the rules in brief; False if they were sent before.

    Raises:
        OptionError: the game is over, so that there is nothing to decide.
    """
    legal = list(view.legal)
    if not legal:
        raise OptionError("the game is over; there is nothing to decide")
    or_number = " or its number" if are_numbered(legal) else ""
    form = f"Answer with one action (`{legal[0]}`){or_number}; if you explain, end with a line `Action: ...`."
    parts = [briefing(view.game.rules)] if rules else []
    return "\n".join([*parts, position(view), f"Legal: {listed_actions(legal)}", form])
