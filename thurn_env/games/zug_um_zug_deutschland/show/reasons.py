"""Explanations of legal and illegal actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.show.reasons import NOTHING_TO_PLAY, explanation
from thurn_env.games.show.words import State
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.members import members
from thurn_env.games.zug_um_zug_deutschland.rules.names import GREY, LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.rules.phases import (
    COLOUR,
    LOCOMOTIVES,
    MIX,
    OVER,
    PASSENGER,
    SECOND_CARD,
    TICKET,
    TURN,
)
from thurn_env.games.zug_um_zug_deutschland.show.words import passenger_place, question


def explain(rules: BoundRules, state: State, mask: np.ndarray[Any, Any]) -> str:
    """Explain what the mover may do, and why other plausible actions are not legal."""
    if state["phase"] == OVER:
        return NOTHING_TO_PLAY
    why_not = {action: why_illegal(rules, state, action) for action in thinkable(rules, state) if not mask[action]}
    return explanation(rules.action_texts, mask, state["seat"], question(rules, state), why_not)


def thinkable(rules: BoundRules, state: State) -> list[int]:
    """Return the actions that a player could have in mind now."""
    blocks = rules.actions.blocks
    if state["phase"] in (TURN, SECOND_CARD):
        display = sorted({int(kind) for kind in state["display"] if kind >= 0})
        cards = [blocks["take"].start + kind for kind in display]
        return [*cards, *blocks["draw"], *blocks["tickets"], *blocks["claim"], *blocks["pass"]]
    by_phase = {
        MIX: ("long",),
        COLOUR: ("with",),
        LOCOMOTIVES: ("locomotives",),
        PASSENGER: ("passenger", "leave"),
    }
    if state["phase"] == TICKET:
        ticket = int(state["drawn_tickets"][state["decided"]])
        return [blocks["keep"].start + ticket, blocks["return"].start + ticket]
    return [action for family in by_phase[int(state["phase"])] for action in blocks[family]]


def why_illegal(rules: BoundRules, state: State, action: int) -> str:
    """Return why an action is not legal, as a clause without a full stop. For legal actions the text is meaningless."""
    phase = int(state["phase"])
    if phase == OVER:
        return "the game is over"
    family, _, operand = rules.action_texts[action].partition(" ")
    if family in ("take", "draw"):
        return _why_no_card(state, operand, phase)
    if family in ("tickets", "long", "keep", "return"):
        return _why_no_ticket(rules, state, family, operand, phase)
    if family == "claim":
        return _why_no_claim(rules, state, action - rules.actions.blocks["claim"].start, phase)
    if family in ("with", "locomotives"):
        return _why_no_payment(rules, state, family, operand, phase)
    if family == "pass":
        return "passing is legal only when there is no other action"
    if phase != PASSENGER:
        return "passengers are taken only after claiming a track"
    return f"no {operand} passenger waits in {passenger_place(rules, state)}"


def _why_no_card(state: State, operand: str, phase: int) -> str:
    if phase not in (TURN, SECOND_CARD):
        return "another decision comes first"
    if state["deck_size"] == 0:
        return "the deck and the discard pile are empty"
    if operand == LOCOMOTIVE and phase == SECOND_CARD:
        return "a face-up locomotive may be taken only as the first card"
    return f"there is no {operand} card face up"


def _why_no_ticket(rules: BoundRules, state: State, family: str, operand: str, phase: int) -> str:
    if family == "tickets":
        if phase == SECOND_CARD:
            return "the turn is spent on train cards"
        return "there are no tickets left" if phase == TURN else "another decision comes first"
    if family == "long":
        if phase != MIX:
            return "short and long tickets are chosen only when tickets are drawn"
        return f"the piles hold {state['pile_size'][0]} short and {state['pile_size'][1]} long tickets"
    if phase != TICKET:
        return "tickets are kept or returned only right after drawing them"
    current = rules.board.tickets[state["drawn_tickets"][state["decided"]]].name
    if operand != current:
        return f"the ticket to decide on now is {current}"
    return "a minimum number of tickets must be kept, and this one is needed for it"


def _why_no_claim(rules: BoundRules, state: State, number: int, phase: int) -> str:
    if phase != TURN:
        spent = phase == SECOND_CARD
        return "the turn is spent on train cards" if spent else "another decision comes first"
    seat = int(state["seat"])
    claim = rules.tracks.claims[number]
    pair = rules.board.pairs[claim.pair]
    if number not in members(state["open"][seat]):
        if any(rules.tracks.claims[own].pair == claim.pair for own in members(state["claimed"][seat])):
            return f"the player already has a track of {pair.name}"
        if rules.record[0]["one_track_only"]:
            return f"{pair.name} is taken"
        return f"every {claim.colour} track of {pair.name} is taken"
    if state["trains"][seat] < pair.length:
        return f"the track needs {pair.length} trains; {state['trains'][seat]} are left"
    locomotives = int(state["hand"][seat][-1])
    if claim.colour == GREY:
        return f"no colour has enough cards for {pair.length}, including {locomotives} locomotives"
    cards = int(state["hand"][seat][rules.kinds.index(claim.colour)])
    return f"the track needs {pair.length} {claim.colour} cards; there are {cards}, and {locomotives} locomotives"


def _why_no_payment(rules: BoundRules, state: State, family: str, operand: str, phase: int) -> str:
    if phase not in (COLOUR, LOCOMOTIVES):
        return "no track is being paid for"
    claim = rules.tracks.claims[state["claim"]]
    pair = rules.board.pairs[claim.pair]
    if family == "with":
        if phase != COLOUR:
            return "the colour has already been chosen"
        return f"the track needs {pair.length} {operand} cards, at least one of them not a locomotive"
    if phase != LOCOMOTIVES:
        return "choose the colour first"
    number, locomotives = int(operand), int(state["hand"][int(state["seat"])][-1])
    if number > pair.length:
        return f"the track needs {pair.length} cards"
    if number > locomotives:
        return f"there are {locomotives} locomotives in the hand"
    if claim.colour == GREY and number == pair.length:
        return "at least one card of the chosen colour pays for a grey track"
    return (
        f"{operand} locomotives and {rules.kinds[state['paying']]} cards in the hand are not enough for {pair.length}"
    )
