"""Explanations of legal and illegal actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.show.reasons import NOTHING_TO_PLAY, explanation
from thurn_env.games.show.words import State
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.phases import (
    ANY_CITY,
    ANY_PROVINCE,
    CARTWRIGHT,
    DISCARD,
    DRAW,
    END,
    FREE_CITY,
    HOUSE,
    HOUSES,
    OVER,
    PHASE_MEANINGS,
    PLAY,
    SECOND_DRAW,
)
from thurn_env.games.thurn_und_taxis.show.words import city_names, horses_in_words, route, route_city_names


def explain(rules: BoundRules, state: State, mask: np.ndarray[Any, Any]) -> str:
    """Explain what the mover may do, and why other plausible actions are not legal."""
    if state["phase"] == OVER:
        return NOTHING_TO_PLAY
    why_not = {action: why_illegal(rules, state, action) for action in thinkable(rules, state) if not mask[action]}
    return explanation(rules.action_texts, mask, state["seat"], PHASE_MEANINGS[state["phase"]], why_not)


def thinkable(rules: BoundRules, state: State) -> list[int]:
    """Return the actions that a player could have in mind: with cards that are there, and those without a card."""
    blocks = rules.actions.blocks
    hand = [int(kind) for kind in np.flatnonzero(state["hand"][state["seat"]])]
    display = sorted({int(kind) for kind in state["display"] if kind >= 0})
    actions = [blocks["take"].start + kind for kind in display]
    actions += [blocks["draw"].start, blocks["administrator"].start]
    for family in ("left", "right", "start", *(["harness"] if rules.variant.horses else [])):
        actions += [blocks[family].start + kind for kind in hand]
    actions += [blocks["end"].start, blocks["close"].start]
    if state["phase"] in (HOUSES, HOUSE):
        actions += [blocks["spread"].start, *blocks["fill"]]
        own = rules.board.cities
        on_route = int(state["route_cities"][state["seat"]])
        actions += [blocks["house"].start + city for city in range(len(own)) if on_route >> city & 1]
        actions += [blocks["leave"].start]
    if state["phase"] == CARTWRIGHT:
        actions += [blocks["cartwright"].start, blocks["decline"].start]
    return actions


def why_illegal(rules: BoundRules, state: State, action: int) -> str:
    """Return why an action is not legal, as a clause without a full stop. For legal actions the text is meaningless."""
    phase = int(state["phase"])
    if phase == OVER:
        return "the game is over"
    family, _, operand = rules.action_texts[action].partition(" ")
    if family in ("take", "draw", "administrator"):
        return _why_no_draw(state, family, operand, phase)
    if family in ("left", "right", "start", "harness"):
        return _why_no_card(rules, state, family, operand, phase)
    if family in ("end", "close"):
        return _why_no_end(rules, state, family, phase)
    if family in ("spread", "fill", "house", "leave"):
        return _why_no_house(rules, state, family, operand, phase)
    if family == "discard":
        if phase != DISCARD:
            return "cards are discarded from the hand only after closing a route, down to the hand limit"
        return f"there is no {operand} in the hand"
    return _why_no_cartwright(rules, state)


def _why_no_draw(state: State, family: str, operand: str, phase: int) -> str:
    if phase not in (DRAW, SECOND_DRAW, PLAY):
        return "cards are drawn before a card is played"
    if family == "administrator":
        if state["drawn"] > 0:
            return "the administrator helps only before the first card is drawn"
        if state["forced_postmaster"]:
            return "with an empty hand at the start of the turn only the postmaster helps"
        if state["official_used"]:
            return "only one official helps per turn"
        return "there is no face-up card to replace"
    if phase == PLAY and state["official_used"]:
        return "a second card needs the postmaster, and only one official helps per turn"
    if phase == PLAY and state["drawn"] == 0:
        return "there was nothing to draw when the turn began"
    if family == "draw":
        return "the deck is empty"
    return f"there is no {operand} in the display"


def _why_no_card(rules: BoundRules, state: State, family: str, operand: str, phase: int) -> str:
    if phase in (DRAW, SECOND_DRAW):
        return "draw a card before playing one"
    if phase not in (PLAY, END):
        return "no card is played after closing the route"
    kind = rules.kind_indices[operand]
    seat = int(state["seat"])
    if state["hand"][seat][kind] == 0:
        return f"there is no {operand} in the hand"
    if phase == END:
        if family == "start":
            carriage_too = " or go onto the carriage" if rules.variant.horses else ""
            return f"the second card of a turn must extend the route{carriage_too}"
        if state["official_used"]:
            return "a second card needs the postal carrier, and only one official helps per turn"
    if family == "harness":
        return f"the carriage holds {state['harnessed_size'][seat]} cards and has no room for more"
    cards = route(rules, state, seat)
    if not cards:
        started = "only the first card of a turn starts a route" if phase == END else "start one with this card"
        return f"there is no route yet: {started}"
    city = rules.board.cities[rules.variant.kinds[kind].city].name
    if city in route_city_names(rules, state, seat):
        return f"{city} is in the route already"
    if family == "left" and len(cards) == 1:
        return "a route of one card is extended with right"
    end = rules.variant.kinds[rules.kind_indices[cards[0] if family == "left" else cards[-1]]].city
    return f"no road joins {city} and {rules.board.cities[end].name}"


def _why_no_end(rules: BoundRules, state: State, family: str, phase: int) -> str:
    if phase in (DRAW, SECOND_DRAW, PLAY):
        return "draw a card and play a card first"
    if phase != END:
        return "the route is being closed"
    length = int(state["route_length"][state["seat"]])
    if length >= rules.board.minimum_route:
        horses = horses_in_words(int(state["horses"][state["seat"]]))
        return f"closing a route of {length} cities takes {length} horses; the carriage has {horses}"
    return f"a route needs {rules.board.minimum_route} cities to be closed; this one has {length}"


def _why_no_house(rules: BoundRules, state: State, family: str, operand: str, phase: int) -> str:
    if phase not in (HOUSES, HOUSE):
        return "houses are placed only when a route is closed"
    seat = int(state["seat"])
    if family in ("spread", "fill") and phase == HOUSE:
        return "one house per province or one full province has already been chosen"
    if family in ("house", "leave") and phase == HOUSES:
        return "choose between one house per province and one full province first"
    if family == "spread":
        return "only one city can get a house: fill its province"
    if family == "leave":
        return "every possible house must be placed (the option optional_houses is off)"
    if family == "fill":
        return f"{operand} has no route city without a house of the player"
    if operand not in route_city_names(rules, state, seat):
        return f"{operand} is not in the route"
    if operand in city_names(rules, state["houses"][seat]):
        return f"the player already has a house in {operand}"
    if state["asking"] in (ANY_PROVINCE, ANY_CITY, FREE_CITY):
        return f"{operand} cannot get a house in this closing any more"
    return f"{operand} is not in the province to decide now"


def _why_no_cartwright(rules: BoundRules, state: State) -> str:
    seat = int(state["seat"])
    taken = int(state["carriage"][seat])
    if taken == len(rules.board.carriages):
        return "there is no higher carriage"
    if state["phase"] != END and state["phase"] < HOUSES:
        return "carriages are taken only when a route is closed"
    if state["official_used"]:
        return "only one official helps per turn"
    return "the cartwright helps only while closing, when the route is one or two cities short"
