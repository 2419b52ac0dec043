"""A bot that claims the cheapest track that brings a ticket closer to completion."""

from typing import Final

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, States, UInt64Array, allocating_rule, int64, rule
from thurn_env.engine.way_rules import FAR, find_way
from thurn_env.games.zug_um_zug_deutschland.bots.plan import (
    Plan,
    empty_plan,
    missing_cards,
    plan_tickets,
    price_claims,
)
from thurn_env.games.zug_um_zug_deutschland.rules.phases import COLOUR, LOCOMOTIVES, MIX, PASSENGER, TICKET

ANY_TIME: Final = 1000.0


@rule
def wants_colour(state: State, rules: RulesRecord, plan: Plan, kind: int) -> bool:
    """Return whether a card of this kind is missing for a planned track."""
    for claim in range(rules.claim_length.shape[0]):
        if plan.danger[claim] > 0.0 and missing_cards(state, rules, claim) > 0:
            if rules.claim_colour[claim] == kind or rules.claim_colour[claim] == state.hand.shape[1] - 1:
                return True
    return False


@rule
def worth(state: State, rules: RulesRecord, plan: Plan, action: int) -> float:
    """Return the preference for an action: planned tracks, cheapest first; cards for them; long tracks; any card."""
    if action < rules.first_draw:
        kind = action - rules.first_take
        if kind == state.hand.shape[1] - 1:
            return 2.5 if plan.trains > 0 else 0.5
        return 3.0 if wants_colour(state, rules, plan, kind) else 0.0
    if action == rules.first_draw:
        return 1.0
    if action == rules.first_tickets or action == rules.first_pass:
        return -10.0
    claim = action - rules.first_claim
    length = int64(rules.claim_length[claim])
    if plan.danger[claim] > 0.0:
        return 100.0 - length
    return float(length) if plan.trains == 0 and length > 2 else -1.0


@allocating_rule
def choose_greedy(state: State, rules: RulesRecord, actions: Int16Array, size: int, generator: UInt64Array) -> int:
    """Keep the minimum number of tickets, those with the shortest ways; then build those ways, then long tracks.

    Ties are broken at random. Passengers are taken in the order offered; the colour with most cards pays.
    """
    return choose_by_ways(state, rules, empty_plan(), actions, size, generator)


@rule
def choose_by_ways(
    state: State, rules: RulesRecord, plans: States, actions: Int16Array, size: int, generator: UInt64Array
) -> int:
    """Like `choose_greedy`, with a buffer for one plan."""
    phase = state.phase
    if phase == MIX or phase == PASSENGER or phase == LOCOMOTIVES:
        return int64(actions[0])
    plan = plans[0]
    plan.horizon = ANY_TIME
    price_claims(state, rules, plan, 0.0, 0.0, 0.0)
    plan_tickets(state, rules, plan, 0.0)
    if phase == TICKET:
        return cheapest_tickets(state, rules, plan, actions, size)
    best = -FAR
    tied = 0
    found = int64(actions[0])
    for position in range(size):
        action = int64(actions[position])
        wanted = 0.0
        if phase == COLOUR:
            wanted = float(state.hand[state.seat, action - rules.first_with])
            if action - rules.first_with == state.hand.shape[1] - 1:
                wanted = 0.0
        else:
            wanted = worth(state, rules, plan, action)
        if wanted > best:
            best = wanted
            found = action
            tied = 1
        elif wanted == best:
            tied += 1
            if below(generator, tied) == 0:
                found = action
    return found


@rule
def cheapest_tickets(state: State, rules: RulesRecord, plan: Plan, actions: Int16Array, size: int) -> int:
    """Keep the pending ticket only if it is among those with the shortest ways that must be kept."""
    least = rules.least_kept_first if state.setting_up else rules.least_kept
    wanted = min(int64(least), int64(state.drawn_count)) - int64(state.kept)
    own = plan.distance[find_way(rules, plan, int64(state.drawn_tickets[state.decided]))]
    shorter = 0
    for position in range(state.decided + 1, state.drawn_count):
        shorter += plan.distance[find_way(rules, plan, int64(state.drawn_tickets[position]))] < own
    return int64(actions[0] if shorter < wanted else actions[size - 1])
