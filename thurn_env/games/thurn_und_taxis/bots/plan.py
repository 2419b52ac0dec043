"""Plans: what route can become of a hand, what closing it will bring, and how many turns that takes.

A plan is worth the points of its closing minus a price for every turn until then. It takes laying `k` cards, of which
`h` are in the hand; every turn lays one card, draws one, and has an official for one more of either. So a plan takes
at least `k / 2` and at least `(2 k - h) / 3` turns.

Hands and routes are sets of cities here; second copies in a hand do not matter for one route.
"""

from typing import NamedTuple

from thurn_env.games.thurn_und_taxis.bots.appraise import (
    carriage_value,
    distance_value,
    houses_value,
    lead,
)
from thurn_env.games.thurn_und_taxis.bots.weights import Weights
from thurn_env.games.thurn_und_taxis.sets import contains, count, lowest, only
from thurn_env.kernels import Float64Array, Int64Array, RulesRecord, State, inlined_rule, rule

LONGEST = 12
"""Lengths above this are not planned for."""
MOST_STEPS = 40
"""Positions looked at for one plan."""
IMPOSSIBLE = -1000.0


class Appraisal(NamedTuple):
    """What the mover holds things to be worth at one decision.

    Attributes:
        weights: the bot's parameters.
        values: float64 by city: what a house there is worth.
        lengths: float64 by length: what closing brings besides houses, with the cartwright at a later turn.
        available: the set of cities of which cards can still be had.
        horizon: turns that the game is expected to last after this one; 0 in the mover's last turn.
        stack: working space of `plan_value`, int64 of shape (n, 5).
    """

    weights: Weights
    values: Float64Array
    lengths: Float64Array
    available: int
    horizon: float
    stack: Int64Array


class Holding(NamedTuple):
    """A route and a hand: the set of its cities, its ends (0 without a route), its length, the cities in the hand."""

    cities: int
    left: int
    right: int
    length: int
    hand: int


@rule
def appraise_lengths(state: State, rules: RulesRecord, weights: Weights, lengths: Float64Array) -> None:
    """Write what closing at every length brings besides houses, with the cartwright's help at a later turn."""
    ahead = lead(state, rules)
    for length in range(lengths.shape[0]):
        if length < rules.minimum_route:
            lengths[length] = IMPOSSIBLE
        else:
            lengths[length] = carriage_value(state, rules, weights, length, True, ahead)
            lengths[length] += distance_value(state, rules, length)


@inlined_rule
def laid_right(holding: Holding, city: int) -> Holding:
    """The holding after laying a city of the hand at the right end."""
    return Holding(holding.cities | only(city), holding.left, city, holding.length + 1, holding.hand & ~only(city))


@inlined_rule
def laid_left(holding: Holding, city: int) -> Holding:
    """The holding after laying a city of the hand at the left end."""
    return Holding(holding.cities | only(city), city, holding.right, holding.length + 1, holding.hand & ~only(city))


@inlined_rule
def started(holding: Holding, city: int) -> Holding:
    """The holding after starting a new route with a city of the hand."""
    return Holding(only(city), city, city, 1, holding.hand & ~only(city))


@inlined_rule
def fits_left(rules: RulesRecord, holding: Holding) -> int:
    """The cities of the hand that fit at the left end. A route of one card is extended at the right only."""
    if holding.length < 2:
        return 0
    return rules.adjacent[holding.left] & ~holding.cities & holding.hand


@inlined_rule
def fits_right(rules: RulesRecord, holding: Holding) -> int:
    """The cities of the hand that fit at the right end."""
    if holding.length < 1:
        return 0
    return rules.adjacent[holding.right] & ~holding.cities & holding.hand


@inlined_rule
def target_value(appraisal: Appraisal, start: int, length: int, open_end: bool) -> float:
    """The best target for a route that is `start` long and can be brought to `length` with the hand."""
    weights = appraisal.weights
    best = IMPOSSIBLE
    for target in range(length, appraisal.lengths.shape[0]):
        lays = target - start
        missing = target - length
        turns = max(0.5 * lays, (lays + missing) / 3)
        if lays > 0:
            turns = max(1.0, turns)
        worth = appraisal.lengths[target] - turns * weights.turn
        worth += missing * (weights.unknown_city - weights.missing)
        if turns > appraisal.horizon:
            worth -= (turns - appraisal.horizon) * weights.too_late
        if missing > 0 and not open_end:
            worth -= weights.dead_end
        best = max(best, worth)
    return best


@rule
def plan_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best plan that goes on with the route: the ways to lay cards of the hand are searched depth first."""
    stack = appraisal.stack
    best = IMPOSSIBLE
    stack[0, 0] = holding.cities
    stack[0, 1] = holding.left
    stack[0, 2] = holding.right
    stack[0, 3] = holding.length
    stack[0, 4] = holding.hand
    waiting = 1
    steps = 0
    while waiting > 0:
        waiting -= 1
        steps += 1
        here = Holding(stack[waiting, 0], stack[waiting, 1], stack[waiting, 2], stack[waiting, 3], stack[waiting, 4])
        around = (rules.adjacent[here.left] | rules.adjacent[here.right]) & ~here.cities
        worth = houses_value(rules, appraisal.values, here.cities)
        worth += target_value(appraisal, holding.length, here.length, around & appraisal.available != 0)
        worth += min(3, count(here.hand)) * appraisal.weights.spare_card
        best = max(best, worth)
        if steps >= MOST_STEPS or here.length >= LONGEST:
            continue
        to_right = fits_right(rules, here)
        to_left = fits_left(rules, here)
        while to_right | to_left != 0 and waiting < stack.shape[0]:
            at_right = to_right != 0
            if at_right:
                city = lowest(to_right)
                to_right &= to_right - 1
            else:
                city = lowest(to_left)
                to_left &= to_left - 1
            stack[waiting, 0] = here.cities | only(city)
            stack[waiting, 1] = here.left if at_right else city
            stack[waiting, 2] = city if at_right else here.right
            stack[waiting, 3] = here.length + 1
            stack[waiting, 4] = here.hand & ~only(city)
            waiting += 1
    return best


@rule
def start_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best plan that starts a new route next turn, with a card of the hand or one still to be drawn."""
    best = target_value(appraisal, 0, 0, True)
    hand = holding.hand
    while hand != 0:
        city = lowest(hand)
        hand &= hand - 1
        # Laying the first card takes its share of a turn.
        worth = plan_value(rules, appraisal, started(holding, city)) - 0.5 * appraisal.weights.turn
        best = max(best, worth)
    return best


@rule
def route_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best plan at a turn's end: go on with the route, or start anew."""
    fresh = start_value(rules, appraisal, holding)
    if holding.length == 0:
        return fresh
    return max(fresh, plan_value(rules, appraisal, holding))


@rule
def value_of_closing(state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool) -> float:
    """What closing now brings, and the plans of the hand after it. `official`: whether one may still help."""
    worth = houses_value(rules, appraisal.values, holding.cities)
    worth += distance_value(state, rules, holding.length)
    worth += carriage_value(state, rules, appraisal.weights, holding.length, official, lead(state, rules))
    if appraisal.horizon > 0.0:
        worth += start_value(rules, appraisal, holding)
    return worth


@rule
def value_of_going_on(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """What ending the turn without closing is worth."""
    if appraisal.horizon == 0.0:
        return 0.0
    return route_value(rules, appraisal, holding)


@rule
def end_of_turn_value(
    state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool
) -> float:
    """After the last card of a turn: the better of closing and going on next turn."""
    worth = value_of_going_on(rules, appraisal, holding)
    if holding.length >= rules.minimum_route:
        worth = max(worth, value_of_closing(state, rules, appraisal, holding, official))
    return worth


@rule
def value_after_laying(
    state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool
) -> float:
    """After a first card was laid; if an official may help, the postal carrier may lay another one."""
    best = end_of_turn_value(state, rules, appraisal, holding, official)
    if not official:
        return best
    to_right = fits_right(rules, holding)
    to_left = fits_left(rules, holding)
    while to_right | to_left != 0:
        if to_right != 0:
            following = laid_right(holding, lowest(to_right))
            to_right &= to_right - 1
        else:
            following = laid_left(holding, lowest(to_left))
            to_left &= to_left - 1
        best = max(best, end_of_turn_value(state, rules, appraisal, following, False))
    return best


@rule
def value_of_laying_one(state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best that laying one card of the hand can make of the turn when no official may help."""
    best = IMPOSSIBLE
    hand = holding.hand
    while hand != 0:
        city = lowest(hand)
        hand &= hand - 1
        if contains(fits_right(rules, holding), city):
            worth = end_of_turn_value(state, rules, appraisal, laid_right(holding, city), False)
            best = max(best, worth)
        if contains(fits_left(rules, holding), city):
            worth = end_of_turn_value(state, rules, appraisal, laid_left(holding, city), False)
            best = max(best, worth)
        worth = end_of_turn_value(state, rules, appraisal, started(holding, city), False)
        best = max(best, worth)
    return best
