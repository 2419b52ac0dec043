"""A planning bot: ways for its tickets, and a value in points for every use of a turn."""

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, States, allocating_rule, int64, rule
from thurn_env.engine.way_rules import FAR, claims_of_way, find_way, trains_of_way
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.bots.cards import (
    appraise_cards,
    best_draw,
    cheapest_payment,
    count_unseen,
)
from thurn_env.games.zug_um_zug_deutschland.bots.passengers import appraise_passengers, best_passenger, worth_at_ends
from thurn_env.games.zug_um_zug_deutschland.bots.plan import (
    Plan,
    empty_plan,
    plan_tickets,
    price_claims,
)
from thurn_env.games.zug_um_zug_deutschland.bots.weights import Weights
from thurn_env.games.zug_um_zug_deutschland.rules.phases import COLOUR, LOCOMOTIVES, MIX, PASSENGER, SECOND_CARD, TICKET
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS


@rule
def turns_left(state: State, rules: RulesRecord, weights: Weights) -> float:
    """Estimate the number of turns that the mover will have after this one; exact once the end has begun."""
    if state.ending:
        return 0.0
    fewest = FAR
    for seat in range(state.hand.shape[0]):
        trains = max(0.0, float(state.trains[seat] - rules.last_trains))
        draws = max(0.0, trains - state.hand_size[seat]) / 2.0
        fewest = min(fewest, draws + trains / weights.length)
    return 1.0 + fewest


@rule
def begin_plan(state: State, rules: RulesRecord, weights: Weights, plan: Plan) -> None:
    """Plan the ways for the mover's tickets."""
    plan.horizon = turns_left(state, rules, weights)
    price_claims(state, rules, plan, weights.way_claim, weights.way_points, weights.way_card)
    plan_tickets(state, rules, plan, weights.way_time)


@rule
def gain_of_ticket(state: State, rules: RulesRecord, weights: Weights, plan: Plan, ticket: int) -> float:
    """Return the gain of keeping a ticket given the planned ways; its loss if trains or time do not suffice."""
    points = float(rules.ticket_points[ticket])
    goal = find_way(rules, plan, ticket)
    needed = plan.trains + trains_of_way(rules, plan, goal)
    claims = plan.claims + claims_of_way(rules, plan, goal)
    turns = claims + max(0.0, float(needed - state.hand_size[state.seat])) / 2.0
    if plan.distance[goal] >= FAR or needed > state.trains[state.seat] or turns > plan.horizon + 1.0 + weights.way_time:
        return -points
    return points - weights.keep_price * plan.distance[goal]


@rule
def choose_ticket(
    state: State, rules: RulesRecord, weights: Weights, plan: Plan, actions: Int16Array, size: int
) -> int:
    """Keep the pending ticket if it gains enough, or if it is among the best of those that must be kept."""
    least = rules.least_kept_first if state.setting_up else rules.least_kept
    wanted = min(int64(least), int64(state.drawn_count)) - int64(state.kept)
    own = gain_of_ticket(state, rules, weights, plan, int64(state.drawn_tickets[state.decided]))
    better = 0
    for position in range(state.decided + 1, state.drawn_count):
        other = gain_of_ticket(state, rules, weights, plan, int64(state.drawn_tickets[position]))
        better += other > own
    return int64(actions[0] if own > weights.keep or better < wanted else actions[size - 1])


@rule
def completes(state: State, rules: RulesRecord, claim: int) -> float:
    """Return the points that the mover gains by tickets that a track completes at once."""
    seat = state.seat
    first = state.network[seat, rules.claim_nodes[claim, 0]]
    second = state.network[seat, rules.claim_nodes[claim, 1]]
    gain = 0.0
    for word in range(state.held.shape[1]):
        missing = state.held[seat, word] & ~state.done[seat, word]
        while missing != 0:
            ticket = BITS * word + lowest(missing)
            missing &= missing - 1
            if joins(state, rules, ticket, int64(first), int64(second)):
                gain += 2.0 * rules.ticket_points[ticket]
    return gain


@rule
def joins(state: State, rules: RulesRecord, ticket: int, first: int, second: int) -> bool:
    """Return whether joining two parts of the mover's network joins the ends of a ticket."""
    return (touches(state, rules, ticket, 0, first) and touches(state, rules, ticket, 1, second)) or (
        touches(state, rules, ticket, 0, second) and touches(state, rules, ticket, 1, first)
    )


@rule
def touches(state: State, rules: RulesRecord, ticket: int, end: int, part: int) -> bool:
    """Return whether a part of the mover's network has a node of this end of a ticket."""
    for number in range(rules.ticket_nodes.shape[2]):
        node = rules.ticket_nodes[ticket, end, number]
        if node >= 0 and state.network[state.seat, node] == part:
            return True
    return False


@rule
def worth_of_claim(state: State, rules: RulesRecord, weights: Weights, plan: Plan, claim: int) -> float:
    """Return the value of a claim: points, passengers and tickets minus cards and trains needed elsewhere."""
    length = int64(rules.claim_length[claim])
    worth = rules.track_points[length] + weights.passengers * worth_at_ends(state, rules, plan, claim)
    if plan.horizon <= 0.0:
        return worth + completes(state, rules, claim)
    worth += weights.stake * plan.stake[claim] + weights.danger * plan.danger[claim] - weights.train * length
    if plan.danger[claim] == 0.0:
        left = int64(state.trains[state.seat]) - plan.trains - length
        worth += weights.spare_train * min(0, left)
    return worth - cheapest_payment(state, rules, weights, plan, claim)[1]


@rule
def worth_of_tickets(state: State, weights: Weights, plan: Plan) -> float:
    """Return the value of drawing tickets, which grows with the trains that current tickets do not need."""
    if plan.horizon < 1.0:
        return -FAR
    spare = float(state.trains[state.seat]) - plan.trains
    return weights.tickets + weights.tickets_spare * spare - weights.tickets_busy * plan.trains


@rule
def choose_turn(state: State, rules: RulesRecord, weights: Weights, plan: Plan, actions: Int16Array, size: int) -> int:
    """Return the best use of the turn."""
    found, best = best_draw(state, rules, weights, plan, actions, size)
    for position in range(size):
        action = int64(actions[position])
        if action < rules.first_tickets:
            continue
        if action == rules.first_tickets:
            worth = worth_of_tickets(state, weights, plan)
        else:
            worth = worth_of_claim(state, rules, weights, plan, action - rules.first_claim)
        if worth > best or found < 0:
            best = worth
            found = action
    return found


@rule
def choose_mix(state: State, rules: RulesRecord, weights: Weights, actions: Int16Array, size: int) -> int:
    """Return the mix of tickets nearest to the one that the weights specify."""
    wanted = weights.long_first if state.setting_up else weights.long_later
    found = int64(actions[0])
    for position in range(1, size):
        action = int64(actions[position])
        if abs(action - rules.first_long - wanted) < abs(found - rules.first_long - wanted):
            found = action
    return found


@allocating_rule
def choose_heuristic(state: State, rules: RulesRecord, weights: Weights, actions: Int16Array, size: int) -> int:
    """Return the action of the best plan; deterministic."""
    return choose_by_plan(state, rules, weights, empty_plan(), actions, size)


@rule
def choose_by_plan(
    state: State, rules: RulesRecord, weights: Weights, plans: States, actions: Int16Array, size: int
) -> int:
    """Like `choose_heuristic`, with a buffer for one plan."""
    phase = state.phase
    if phase == MIX:
        return choose_mix(state, rules, weights, actions, size)
    if phase == LOCOMOTIVES:
        return int64(actions[0])
    plan = plans[0]
    appraise_passengers(state, rules, plan, weights.passenger_spread, weights.passenger_left)
    if phase == PASSENGER:
        place = int64(rules.claim_places[state.claim, int64(state.end)])
        return rules.first_passenger + best_passenger(state, plan, place)
    begin_plan(state, rules, weights, plan)
    if phase == TICKET:
        return choose_ticket(state, rules, weights, plan, actions, size)
    count_unseen(state, rules, plan)
    appraise_cards(state, rules, weights, plan)
    if phase == COLOUR:
        return rules.first_with + cheapest_payment(state, rules, weights, plan, int64(state.claim))[0]
    if phase == SECOND_CARD:
        return best_draw(state, rules, weights, plan, actions, size)[0]
    return choose_turn(state, rules, weights, plan, actions, size)
