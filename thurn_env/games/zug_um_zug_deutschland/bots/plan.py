"""Ways for a player's tickets, see `thurn_env.engine.way_rules`."""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import (
    JIT_DISABLED,
    RulesRecord,
    State,
    allocating_rule,
    inlined_rule,
    int64,
    new_records,
    rule,
)
from thurn_env.engine.way_rules import FAR, PLAN_FIELDS, claims_of_way, find_way, take_way, trains_of_way
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, has

MOST_TICKETS, MOST_KINDS = 128, 24

PLAN = np.dtype(
    [
        *PLAN_FIELDS,
        ("tickets", np.int16, (MOST_TICKETS,)),  # those to be planned for, the most valuable first
        ("tickets_size", np.int64),
        ("horizon", np.float64),  # turns left after this one
        ("pull", np.float64, (MOST_KINDS,)),  # by kind: value that a card adds for wanted tracks
        ("unseen", np.int64, (MOST_KINDS,)),  # by kind: cards in the deck or drawn unseen by others
        ("passenger", np.float64, (MOST_KINDS,)),  # by colour: value of one more
    ],
    align=True,
)
Plan = Any
"""One record of `PLAN`."""

if JIT_DISABLED:

    def empty_plan() -> Any:
        """Return a new plan record, as an array of shape (1,)."""
        return new_records(1, PLAN)

else:

    @allocating_rule
    def empty_plan() -> Any:
        """Room for one plan, as an array of shape (1,). Hand that on: its record does not keep it alive."""
        return np.empty(1, PLAN)


@inlined_rule
def may_claim(state: State, rules: RulesRecord, claim: int) -> bool:
    """Return whether a claim is open to the mover and trains suffice for it."""
    return has(state.open[state.seat], claim) and rules.claim_length[claim] <= state.trains[state.seat]


@inlined_rule
def cards_for(state: State, rules: RulesRecord, claim: int) -> int:
    """Return the number of cards in the mover's hand, without locomotives, that could pay for a claim."""
    seat = state.seat
    kind = rules.claim_colour[claim]
    grey = state.hand.shape[1] - 1
    if kind < grey:
        return int64(state.hand[seat, kind])
    most = int64(0)
    for colour in range(grey):
        most = max(most, int64(state.hand[seat, colour]))
    return most


@inlined_rule
def missing_cards(state: State, rules: RulesRecord, claim: int) -> int:
    """Return the number of cards that the mover lacks for a claim."""
    grey = state.hand.shape[1] - 1
    had = cards_for(state, rules, claim) + int64(state.hand[state.seat, grey])
    return max(0, int64(rules.claim_length[claim]) - had)


@rule
def price_claims(
    state: State, rules: RulesRecord, plan: Plan, per_claim: float, per_point: float, per_card: float
) -> None:
    """Price every claim by its length and these weights, with nothing planned yet."""
    seat = state.seat
    for claim in range(rules.claim_length.shape[0]):
        plan.danger[claim] = 0.0
        plan.stake[claim] = 0.0
        plan.owned[claim] = 1 if has(state.claimed[seat], claim) else 0
        if plan.owned[claim]:
            plan.price[claim] = 0.0
        elif may_claim(state, rules, claim):
            length = int64(rules.claim_length[claim])
            price = length + per_claim - per_point * rules.track_points[length]
            price -= per_card * min(length, cards_for(state, rules, claim))
            plan.price[claim] = max(0.1, price)
        else:
            plan.price[claim] = FAR
    plan.trains = 0
    plan.claims = 0


@rule
def list_tickets(state: State, rules: RulesRecord, plan: Plan) -> None:
    """List the mover's incomplete tickets, the most valuable first."""
    seat = state.seat
    size = 0
    for word in range(state.held.shape[1]):
        missing = state.held[seat, word] & ~state.done[seat, word]
        while missing != 0:
            ticket = BITS * word + lowest(missing)
            missing &= missing - 1
            place = size
            while place > 0 and rules.ticket_points[plan.tickets[place - 1]] < rules.ticket_points[ticket]:
                plan.tickets[place] = plan.tickets[place - 1]
                place -= 1
            plan.tickets[place] = ticket
            size += 1
    plan.tickets_size = size


@rule
def plan_tickets(state: State, rules: RulesRecord, plan: Plan, slack: float) -> None:
    """Plan ways for the mover's tickets, the most valuable first; give up those that trains or time rule out.

    `slack` is the number of turns by which a way may exceed the expected end of the game.
    """
    list_tickets(state, rules, plan)
    trains = int64(state.trains[state.seat])
    cards = float(state.hand_size[state.seat])
    for position in range(plan.tickets_size):
        ticket = int64(plan.tickets[position])
        goal = find_way(rules, plan, ticket)
        if plan.distance[goal] >= FAR:
            continue
        needed = plan.trains + trains_of_way(rules, plan, goal)
        claims = plan.claims + claims_of_way(rules, plan, goal)
        turns = claims + max(0.0, needed - cards) / 2.0
        if needed <= trains and turns <= plan.horizon + 1.0 + slack:
            take_way(rules, plan, goal, 2.0 * rules.ticket_points[ticket])
