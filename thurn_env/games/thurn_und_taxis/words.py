"""The game in words: what lies open, the table as text, and why an action is legal or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thurn_env.games.thurn_und_taxis.phases import (
    ANY_CITY,
    ANY_PROVINCE,
    CARTWRIGHT,
    DISCARD,
    DRAW,
    END,
    HOUSE,
    HOUSES,
    OVER,
    PHASE_MEANINGS,
    PLAY,
    SECOND_DRAW,
)
from thurn_env.games.thurn_und_taxis.stacks import ordered_stacks

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.rules import ThurnUndTaxis

State = Any
"""One state record."""


def counts(rules: ThurnUndTaxis, cards: np.ndarray[Any, Any]) -> dict[str, int]:
    """Cards by kind as a dict without zeros."""
    return {rules.kinds[kind]: int(cards[kind]) for kind in np.flatnonzero(cards)}


def city_names(rules: ThurnUndTaxis, cities: int) -> list[str]:
    """The members of a set of cities, in board order."""
    return [city.name for index, city in enumerate(rules.board.cities) if int(cities) >> index & 1]


def route(rules: ThurnUndTaxis, state: State, seat: int) -> list[str]:
    """A player's route from left to right."""
    return [rules.kinds[kind] for kind in state["route"][seat][: state["route_length"][seat]]]


def tiles(rules: ThurnUndTaxis, state: State, seat: int) -> list[dict[str, Any]]:
    """A player's tiles, by stack."""
    return [
        {"stack": stack.name, "value": value}
        for owners, stack in zip(state["tile_owner"], ordered_stacks(rules.board), strict=True)
        for owner, value in zip(owners, stack.values, strict=False)
        if owner == seat
    ]


def carriage(rules: ThurnUndTaxis, state: State, seat: int) -> int:
    """The length of a player's highest carriage; 0 without one."""
    taken = state["carriage"][seat]
    return rules.board.carriages[taken - 1].length if taken else 0


def public(rules: ThurnUndTaxis, state: State) -> dict[str, Any]:
    """Everything that lies open (R31)."""
    stacks = ordered_stacks(rules.board)
    return {
        "display": [rules.kinds[kind] if kind >= 0 else None for kind in state["display"]],
        "deck_size": int(state["deck_size"]),
        "discard": counts(rules, state["discard"]),
        "stacks": {
            stack.name: list(stack.values[int(taken) :])
            for stack, taken in zip(stacks, state["tiles_taken"], strict=True)
        },
        "start_player": int(state["start_player"]),
        "seat": int(state["seat"]),
        "round": int(state["rounds"]),
        "final_round": bool(state["holder"] >= 0),
        "official_used": bool(state["official_used"]),
        "players": [
            {
                "hand_size": int(state["hand_size"][seat]),
                "known_cards": counts(rules, state["known"][seat]),
                "route": route(rules, state, seat),
                "houses": city_names(rules, state["houses"][seat]),
                "houses_left": int(state["houses_left"][seat]),
                "carriage": carriage(rules, state, seat),
                "tiles": tiles(rules, state, seat),
            }
            for seat in range(rules.players)
        ],
    }


def breakdown(rules: ThurnUndTaxis, state: State) -> list[dict[str, int]]:
    """Every seat's score by source (R29): carriage, each stack, houses not placed."""
    rows = []
    for seat in range(rules.players):
        taken = state["carriage"][seat]
        row = {"carriage": rules.board.carriages[taken - 1].points if taken else 0}
        row |= {stack.name: 0 for stack in ordered_stacks(rules.board)}
        for tile in tiles(rules, state, seat):
            row[tile["stack"]] += tile["value"]
        row["houses not placed"] = -int(state["houses_left"][seat])
        rows.append(row)
    return rows


def card_list(cards: dict[str, int]) -> str:
    """Cards as `Basel, 2 Ulm`; a dash when there are none."""
    return ", ".join(f"{number} {name}" if number > 1 else name for name, number in cards.items()) or "-"


def table(rules: ThurnUndTaxis, state: State, scores: list[int], viewer: int | None) -> str:
    """The table as text, with the hand of `viewer`, or with all hands when None."""
    open_cards = public(rules, state)
    display = "  ".join(name or "(empty)" for name in open_cards["display"])
    stacks = "  ".join(f"{name} {'/'.join(map(str, left))}" for name, left in open_cards["stacks"].items() if left)
    lines = [
        f"{rules.title}, {rules.board.name} board, {_round_in_words(state)}",
        f"display  {display}",
        f"deck     {open_cards['deck_size']} cards, {sum(open_cards['discard'].values())} discarded",
        f"tiles    {stacks}",
    ]
    for seat, player in enumerate(open_cards["players"]):
        to_move = state["phase"] != OVER and seat == open_cards["seat"]
        taken = ", ".join(f"{tile['stack']} {tile['value']}" for tile in player["tiles"]) or "-"
        start = ", start player" if seat == open_cards["start_player"] else ""
        lines += [
            f"{'>' if to_move else ' '} player {seat}{start}: {scores[seat]} points, "
            f"carriage {player['carriage'] or '-'}, {player['houses_left']} houses left",
            f"    route  {' - '.join(player['route']) or '-'}",
            f"    houses {', '.join(player['houses']) or '-'}",
            f"    tiles  {taken}",
        ]
        if viewer is None or viewer == seat:
            lines.append(f"    hand   {card_list(counts(rules, state['hand'][seat]))}")
        else:
            unknown = player["hand_size"] - sum(player["known_cards"].values())
            known = card_list(player["known_cards"])
            lines.append(f"    hand   {player['hand_size']} cards: {known}; {unknown} unseen")
    if state["phase"] == OVER:
        lines.append("the game is over" + (" (cut off)" if state["truncated"] else ""))
    else:
        lines.append(f"to decide: {PHASE_MEANINGS[state['phase']]}")
    return "\n".join(lines)


def _round_in_words(state: State) -> str:
    if state["phase"] == OVER:
        return f"after {state['rounds']} rounds"
    return f"round {state['rounds'] + 1}" + (", the last" if state["holder"] >= 0 else "")


def explain(rules: ThurnUndTaxis, state: State, mask: np.ndarray[Any, Any]) -> str:
    """What the mover may do, and why the other actions that one could think of are not legal."""
    if state["phase"] == OVER:
        return "The game is over: nothing can be played."
    legal = ", ".join(rules.action_texts[action] for action in np.flatnonzero(mask))
    lines = [
        f"Player {state['seat']} is to {PHASE_MEANINGS[state['phase']]}.",
        f"Legal: {legal}.",
    ]
    reasons: dict[str, list[str]] = {}
    for action in thinkable(rules, state):
        if not mask[action]:
            reasons.setdefault(why_illegal(rules, state, action), []).append(rules.action_texts[action])
    lines += [f"Not {', '.join(texts)}: {reason}." for reason, texts in reasons.items()]
    return "\n".join(lines)


def thinkable(rules: ThurnUndTaxis, state: State) -> list[int]:
    """Actions that a player could have in mind: with cards that are there, and those without a card."""
    blocks = rules.actions.blocks
    hand = [int(kind) for kind in np.flatnonzero(state["hand"][state["seat"]])]
    display = sorted({int(kind) for kind in state["display"] if kind >= 0})
    actions = [blocks["take"].start + kind for kind in display]
    actions += [blocks["draw"].start, blocks["administrator"].start]
    for family in ("left", "right", "start"):
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


def why_illegal(rules: ThurnUndTaxis, state: State, action: int) -> str:
    """Why an action is not legal now; a clause without a full stop. For legal actions the text has no meaning."""
    phase = int(state["phase"])
    if phase == OVER:
        return "the game is over"
    family, _, operand = rules.action_texts[action].partition(" ")
    if family in ("take", "draw", "administrator"):
        return _why_no_draw(state, family, operand, phase)
    if family in ("left", "right", "start"):
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


def _why_no_card(rules: ThurnUndTaxis, state: State, family: str, operand: str, phase: int) -> str:
    if phase in (DRAW, SECOND_DRAW):
        return "a card is drawn before one is played"
    if phase not in (PLAY, END):
        return "no card is played after closing the route"
    kind = rules.kind_indices[operand]
    seat = int(state["seat"])
    if state["hand"][seat][kind] == 0:
        return f"there is no {operand} in the hand"
    if phase == END:
        if family == "start":
            return "the second card of a turn must extend the route"
        if state["official_used"]:
            return "a second card needs the postal carrier, and only one official helps per turn"
    cards = route(rules, state, seat)
    if not cards:
        return "there is no route yet: the card starts one"
    if operand in cards:
        return f"{operand} is in the route already"
    if family == "left" and len(cards) == 1:
        return "a route of one card is extended with right"
    end = cards[0] if family == "left" else cards[-1]
    return f"no road joins {operand} and {end}"


def _why_no_end(rules: ThurnUndTaxis, state: State, family: str, phase: int) -> str:
    if phase in (DRAW, SECOND_DRAW, PLAY):
        return "a card must be drawn and a card played first"
    if phase != END:
        return "the route is being closed"
    length = int(state["route_length"][state["seat"]])
    return f"a route needs {rules.board.minimum_route} cities to be closed and this one has {length}"


def _why_no_house(rules: ThurnUndTaxis, state: State, family: str, operand: str, phase: int) -> str:
    if phase not in (HOUSES, HOUSE):
        return "houses are placed only when a route is closed"
    seat = int(state["seat"])
    if family in ("spread", "fill") and phase == HOUSE:
        return "the choice between one house per province and one full province is made"
    if family in ("house", "leave") and phase == HOUSES:
        return "first comes the choice between one house per province and one full province"
    if family == "spread":
        return "only one city can get a house: fill its province"
    if family == "leave":
        return "every possible house must be placed (the option optional_houses is off)"
    if family == "fill":
        return f"{operand} has no route city without an own house"
    if operand not in route(rules, state, seat):
        return f"{operand} is not in the route"
    if operand in city_names(rules, state["houses"][seat]):
        return f"there is an own house in {operand} already"
    if state["asking"] in (ANY_PROVINCE, ANY_CITY):
        return f"{operand} cannot get a house in this closing any more"
    return f"{operand} is not what is asked for now"


def _why_no_cartwright(rules: ThurnUndTaxis, state: State) -> str:
    seat = int(state["seat"])
    taken = int(state["carriage"][seat])
    if taken == len(rules.board.carriages):
        return "there is no higher carriage"
    if state["phase"] != END and state["phase"] < HOUSES:
        return "carriages are taken only when a route is closed"
    if state["official_used"]:
        return "only one official helps per turn"
    return "the cartwright is asked for only while closing, when the route is one or two cities short"
