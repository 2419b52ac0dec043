"""Prompts: a game and a position in words."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from thurn_env.games.contract import GameRules
from thurn_env.games.show.talk import talk_of
from thurn_env.table.game import View

__all__ = ["ANSWER_FORM", "briefing", "legal_list", "position", "prompt"]

ANSWER_FORM = "Answer with one action (`{example}`) or its number; if you explain, end with a line `Action: ...`."
"""How to answer, with a legal action as the example."""


@lru_cache(maxsize=64)
def briefing(rules: GameRules) -> str:
    """Return the rules in brief and the constant facts of the board, the same for the whole game."""
    return talk_of(rules).briefing(rules)


def position(view: View) -> str:
    """Return what the seat of a view sees, without the legal actions."""
    game = view.game
    return talk_of(game.rules).position(game.rules, game.states, 0, view.seat)


def legal_list(view: View) -> str:
    """Return the legal actions of the player to move, numbered from 1 and grouped: `take: 1 Ulm, 2 Linz; 3 draw`."""
    groups: list[str] = []
    for verb, actions in groupby(enumerate(view.legal, start=1), key=lambda numbered: numbered[1].partition(" ")[0]):
        named = [(number, action.partition(" ")[2]) for number, action in actions]
        if len(named) == 1:
            number, operand = named[0]
            groups.append(f"{number} {verb} {operand}".rstrip())
        else:
            groups.append(f"{verb}: {', '.join(f'{number} {operand}' for number, operand in named)}")
    return "; ".join(groups)


def prompt(view: View, *, rules: bool = True) -> str:
    """Return the prompt for a decision of the seat of a view.

    Args:
        view: the view of the seat to move.
        rules: whether the prompt begins with the rules in brief; False if they were sent before.
    """
    parts = [briefing(view.game.rules)] if rules else []
    parts += [position(view), f"Legal: {legal_list(view)}", ANSWER_FORM.format(example=view.legal[0])]
    return "\n".join(parts)
