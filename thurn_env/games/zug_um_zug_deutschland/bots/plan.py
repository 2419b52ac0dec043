"""Ways for tickets: the tracks that a player wants, and the points at stake on each."""

from typing import Any, Final

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
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.names import MOST_CLAIMS
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, has

FAR: Final = 1e6
"""Length of a way that does not exist, and price of a track that is not available."""
MOST_NODES, MOST_TICKETS, MOST_KINDS = 128, 128, 24

PLAN = np.dtype(
    [
        ("price", np.float64, (MOST_CLAIMS,)),  # by claim: 0 if it is owned or planned already
        ("danger", np.float64, (MOST_CLAIMS,)),  # by claim: the swing of the tickets whose planned ways lead over it
        ("stake", np.float64, (MOST_CLAIMS,)),  # by claim: its share of that swing by the trains that the ways lack
        ("distance", np.float64, (MOST_NODES,)),  # by node: from the start of the ticket looked at
        ("reached_by", np.int16, (MOST_NODES,)),  # by node: the claim that leads there; -1 at the start
        ("tickets", np.int16, (MOST_TICKETS,)),  # those to be planned for, the most valuable first
        ("tickets_size", np.int64),
        ("trains", np.int64),  # that the planned ways need
        ("claims", np.int64),  # tracks that they need
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
        if has(state.claimed[seat], claim):
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
def find_way(rules: RulesRecord, plan: Plan, ticket: int) -> int:
    """Find the cheapest way between the ends of a ticket; return its last node, from which it can be followed back.

    Its price is the distance of that node. Terminals of countries have one track only, so no way leads through them.
    """
    for node in range(rules.node_place.shape[0]):
        plan.distance[node] = FAR
        plan.reached_by[node] = -1
    for number in range(rules.ticket_nodes.shape[2]):
        node = rules.ticket_nodes[ticket, 0, number]
        if node >= 0:
            plan.distance[node] = 0.0
    changed = True
    while changed:
        changed = False
        for claim in range(rules.claim_length.shape[0]):
            price = plan.price[claim]
            first, second = rules.claim_nodes[claim, 0], rules.claim_nodes[claim, 1]
            if plan.distance[first] + price < plan.distance[second]:
                plan.distance[second] = plan.distance[first] + price
                plan.reached_by[second] = claim
                changed = True
            elif plan.distance[second] + price < plan.distance[first]:
                plan.distance[first] = plan.distance[second] + price
                plan.reached_by[first] = claim
                changed = True
    goal = int64(rules.ticket_nodes[ticket, 1, 0])
    for number in range(rules.ticket_nodes.shape[2]):
        node = int64(rules.ticket_nodes[ticket, 1, number])
        if node >= 0 and plan.distance[node] < plan.distance[goal]:
            goal = node
    return goal


@inlined_rule
def node_before(rules: RulesRecord, plan: Plan, node: int) -> int:
    """Return the node before this one on the way."""
    claim = plan.reached_by[node]
    first = int64(rules.claim_nodes[claim, 0])
    return int64(rules.claim_nodes[claim, 1]) if first == node else first


@rule
def trains_of_way(rules: RulesRecord, plan: Plan, goal: int) -> int:
    """Return the number of trains for the tracks of a way that are neither owned nor planned."""
    trains = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claim = plan.reached_by[node]
        if plan.price[claim] > 0.0:
            trains += int64(rules.claim_length[claim])
        node = node_before(rules, plan, node)
    return trains


@rule
def claims_of_way(rules: RulesRecord, plan: Plan, goal: int) -> int:
    """Return the number of tracks of a way that are neither owned nor planned."""
    claims = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claims += plan.price[plan.reached_by[node]] > 0.0
        node = node_before(rules, plan, node)
    return claims


@rule
def trains_to_place(state: State, rules: RulesRecord, plan: Plan, goal: int) -> int:
    """Return the number of trains for the tracks of a way that are not owned, including planned ones."""
    trains = 0
    node = goal
    while plan.reached_by[node] >= 0:
        claim = int64(plan.reached_by[node])
        if not has(state.claimed[state.seat], claim):
            trains += int64(rules.claim_length[claim])
        node = node_before(rules, plan, node)
    return trains


@rule
def take_way(state: State, rules: RulesRecord, plan: Plan, goal: int, swing: float) -> None:
    """Plan a way: its tracks are wanted, and cost other ways nothing from now on."""
    plan.trains += trains_of_way(rules, plan, goal)
    plan.claims += claims_of_way(rules, plan, goal)
    lacking = trains_to_place(state, rules, plan, goal)
    node = goal
    while plan.reached_by[node] >= 0:
        claim = int64(plan.reached_by[node])
        if not has(state.claimed[state.seat], claim):
            plan.danger[claim] += swing
            plan.stake[claim] += swing * rules.claim_length[claim] / lacking
        plan.price[claim] = 0.0
        node = node_before(rules, plan, node)


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
            take_way(state, rules, plan, goal, 2.0 * rules.ticket_points[ticket])
