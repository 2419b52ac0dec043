"""Games in words for language models: the rules in brief, and a compact position.

A game may have a module `show/talk.py` with the functions of `Talk`. Other games are described by what every game
offers: the description of the board, the meaning of the actions, and the table as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from thurn_env.games.contract import GameRules, Records
from thurn_env.games.show.beside import shown_beside


class Talk(Protocol):
    """What a game says to a language model."""

    def briefing(self, rules: Any) -> str:
        """Return the rules in brief and all constant facts of the board, such as roads and points."""

    def position(self, rules: Any, states: Records, index: int, seat: int) -> str:
        """Return what a seat sees, without the legal actions; the texts of players begin with `player N` or `you`."""

    def spellings(self, rules: Any) -> Mapping[str, str]:
        """Return other spellings of names in action texts: spelling to name."""


class PlainTalk:
    """The words for games without words of their own."""

    def briefing(self, rules: GameRules) -> str:
        """Return the description of the board and the meanings of the actions."""
        actions = rules.tables()["actions"]
        meanings = (f"{row[1]}: {row[-1]}" for row in actions.rows)
        return "\n".join([rules.about(), "Actions:", *meanings])

    def position(self, rules: GameRules, states: Records, index: int, seat: int) -> str:
        """Return the table as text."""
        return rules.text(states, index, seat)

    def spellings(self, rules: GameRules) -> Mapping[str, str]:
        """Return no other spellings."""
        return {}


def talk_of(rules: GameRules) -> Talk:
    """Return the words of a game, or the plain words for a game without a module `show/talk.py`."""
    return cast(Talk, shown_beside(rules, "talk") or PlainTalk())
