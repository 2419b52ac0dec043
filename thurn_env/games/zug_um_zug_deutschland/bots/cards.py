"""Values of train cards, and choices of cards to draw and to pay with."""

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, int64, rule
from thurn_env.engine.way_rules import FAR
from thurn_env.games.zug_um_zug_deutschland.bots.plan import Plan, may_claim, missing_cards
from thurn_env.games.zug_um_zug_deutschland.bots.weights import Weights


@rule
def count_unseen(state: State, rules: RulesRecord, plan: Plan) -> None:
    """Count the cards that the mover has not seen: in the deck or drawn unseen by others."""
    seat = state.seat
    for kind in range(state.hand.shape[1]):
        unseen = int64(rules.copies[kind]) - state.discard[kind] - state.hand[seat, kind]
        for other in range(state.hand.shape[0]):
            if other != seat:
                unseen -= state.known[other, kind]
        for slot in range(state.display.shape[0]):
            unseen -= state.display[slot] == kind
        plan.unseen[kind] = unseen


@rule
def worth_of_any_card(state: State, weights: Weights, plan: Plan) -> float:
    """Return the value of one more card of any kind: less when the game is nearly over or the hand is large enough."""
    seat = state.seat
    room = min(float(state.trains[seat]), weights.length * plan.horizon) - state.hand_size[seat]
    return weights.card * max(0.0, min(1.0, room / weights.room))


@rule
def appraise_cards(state: State, rules: RulesRecord, weights: Weights, plan: Plan) -> None:
    """Write the value that a card of each kind adds by helping to claim tracks.

    The value for a track grows with the track's value per card and falls with the number of missing cards. A grey track
    counts for the colour that the hand has most of.
    """
    grey = state.hand.shape[1] - 1
    for kind in range(grey + 1):
        plan.pull[kind] = 0.0
    for claim in range(rules.claim_length.shape[0]):
        if not may_claim(state, rules, claim):
            continue
        missing = missing_cards(state, rules, claim)
        if missing == 0:
            continue
        length = int64(rules.claim_length[claim])
        worth = weights.pull * rules.track_points[length] + weights.pull_stake * plan.stake[claim]
        worth /= length * (1.0 + weights.far * (missing - 1))
        colour = int64(rules.claim_colour[claim])
        if colour == grey:
            colour = most_held(state)
        plan.pull[colour] = max(plan.pull[colour], worth)
        plan.pull[grey] = max(plan.pull[grey], worth)


@rule
def most_held(state: State) -> int:
    """Return the colour that the mover holds most cards of."""
    found = 0
    for kind in range(state.hand.shape[1] - 1):
        if state.hand[state.seat, kind] > state.hand[state.seat, found]:
            found = kind
    return found


@rule
def worth_unseen(state: State, rules: RulesRecord, weights: Weights, plan: Plan) -> float:
    """Return the value that the deck's top card adds beyond being a card: the mean over all unseen cards."""
    total, worth = 0, 0.0
    last = state.hand.shape[1] - 1
    for kind in range(last + 1):
        total += plan.unseen[kind]
        worth += plan.unseen[kind] * (plan.pull[kind] + (weights.locomotive if kind == last else 0.0))
    return worth / max(1, total)


@rule
def best_draw(
    state: State, rules: RulesRecord, weights: Weights, plan: Plan, actions: Int16Array, size: int
) -> tuple[int, float]:
    """Return the card to draw and the value of the whole draw; the action is -1 if no card can be drawn."""
    card = worth_of_any_card(state, weights, plan)
    last = state.hand.shape[1] - 1
    unseen = card + worth_unseen(state, rules, weights, plan)
    first_draw = state.drawn == 0
    found, best, second, alone, alone_worth = -1, -FAR, unseen, -1, -FAR
    for position in range(size):
        action = int64(actions[position])
        if action > rules.first_draw:
            continue
        kind = action - rules.first_take
        if kind == last:
            alone = action
            alone_worth = card + weights.locomotive + plan.pull[last]
            continue
        worth = unseen if action == rules.first_draw else card + plan.pull[kind]
        if worth > best:
            if found >= 0:
                second = max(second, best)
            best = worth
            found = action
        else:
            second = max(second, worth)
    if first_draw:
        best += weights.second * second
    if alone >= 0 and alone_worth > best:
        return alone, alone_worth
    return found, best


@rule
def price_of_paying(state: State, rules: RulesRecord, weights: Weights, plan: Plan, claim: int, kind: int) -> float:
    """Return the value of the cards that pay for a claim with this kind and few locomotives; FAR if they cannot."""
    seat = state.seat
    last = state.hand.shape[1] - 1
    length = int64(rules.claim_length[claim])
    own = min(length, int64(state.hand[seat, kind])) if kind < last else int64(0)
    locomotives = length - own
    if locomotives > state.hand[seat, last]:
        return FAR
    card = worth_of_any_card(state, weights, plan)
    price = own * (card + plan.pull[kind]) if own > 0 else 0.0
    return price + locomotives * (card + weights.locomotive + plan.pull[last])


@rule
def cheapest_payment(state: State, rules: RulesRecord, weights: Weights, plan: Plan, claim: int) -> tuple[int, float]:
    """Return the kind of card to pay a claim with, and the price."""
    grey = state.hand.shape[1] - 1
    colour = int64(rules.claim_colour[claim])
    if colour < grey:
        return colour, price_of_paying(state, rules, weights, plan, claim, colour)
    found, best = grey, price_of_paying(state, rules, weights, plan, claim, grey)
    for kind in range(grey):
        if state.hand[state.seat, kind] > 0:
            price = price_of_paying(state, rules, weights, plan, claim, kind)
            if price < best:
                best = price
                found = kind
    return found, best
