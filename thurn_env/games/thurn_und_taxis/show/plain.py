"""The game as plain values for programs: see `thurn_env.games.show.plain`."""

from __future__ import annotations

from typing import Any

from thurn_env.games.contract import Records
from thurn_env.games.thurn_und_taxis.board.file import board_document
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.show.words import counts


def facts(rules: BoundRules) -> dict[str, Any]:
    """Return the contents of the board's file."""
    return board_document(rules.board)


def secrets(rules: BoundRules, states: Records, index: int, seat: int) -> dict[str, Any]:
    """Return the hand, by kind of card."""
    return {"hand": counts(rules, states[index]["hand"][seat])}


def hidden(rules: BoundRules, states: Records, index: int) -> dict[str, Any]:
    """Return the deck, the top card first."""
    state = states[index]
    return {"deck": [rules.kinds[kind] for kind in state["deck"][: state["deck_size"]][::-1].tolist()]}
