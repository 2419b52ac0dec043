"""The game as plain values for programs: see `thurn_env.games.show.plain`."""

from __future__ import annotations

from typing import Any

from thurn_env.games.contract import Records
from thurn_env.games.show.words import State
from thurn_env.games.zug_um_zug_deutschland.board.file import board_document
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.chance import PILES
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER, TICKET
from thurn_env.games.zug_um_zug_deutschland.show.words import cards, ticket_names


def facts(rules: BoundRules) -> dict[str, Any]:
    """Return the contents of the board's file."""
    return board_document(rules.board)


def secrets(rules: BoundRules, states: Records, index: int, seat: int) -> dict[str, Any]:
    """Return the train cards and the tickets of a seat.

    `offered` are the tickets to choose from, `returned` those that it gave back, and `laid` those that lie where it put
    them under a pile, each with the number of tickets above it. At the end all players show their tickets (G14):
    `shown` has a list for every seat, and is empty before.
    """
    state = states[index]
    choosing = state["phase"] == TICKET and state["seat"] == seat
    drawn = state["drawn_tickets"].tolist() if choosing else []
    return {
        "hand": cards(rules, state["hand"][seat]),
        "tickets": ticket_names(rules, state["held"][seat]),
        "completed": ticket_names(rules, state["done"][seat]),
        "offered": [rules.board.tickets[ticket].name for ticket in drawn if ticket >= 0],
        "returned": ticket_names(rules, state["returned"][seat]),
        "laid": _laid(rules, state, seat),
        "shown": [ticket_names(rules, held) for held in state["held"]] if state["phase"] == OVER else [],
    }


def _laid(rules: BoundRules, state: State, seat: int) -> list[dict[str, Any]]:
    if not (state["laid_by"] == seat).any():
        return []
    return [
        {"pile": name, "ticket": rules.board.tickets[ticket].name, "above": size - 1 - position}
        for name, size, pile, owners in zip(
            PILES, state["pile_size"].tolist(), state["pile"].tolist(), state["laid_by"].tolist(), strict=True
        )
        for position, (ticket, owner) in enumerate(zip(pile[:size], owners, strict=False))
        if owner == seat
    ]


def hidden(rules: BoundRules, states: Records, index: int) -> dict[str, Any]:
    """Return the deck and the ticket piles, the top card first."""
    state = states[index]
    piles = {
        name: [rules.board.tickets[ticket].name for ticket in pile[:size][::-1]]
        for name, size, pile in zip(PILES, state["pile_size"].tolist(), state["pile"].tolist(), strict=True)
    }
    return {"deck": [rules.kinds[kind] for kind in state["deck"][: state["deck_size"]][::-1].tolist()], "piles": piles}
