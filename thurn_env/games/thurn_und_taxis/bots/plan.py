"""Plans: what route can become of a hand, what closing it will bring, and how many turns that takes.

A plan is worth the points of its closing minus a price for every turn until then. It takes laying `k` cards, of which
`h` are in the hand; every turn lays one card, draws one, and has an official for one more of either. So a plan takes
at least `k / 2` and at least `(2 k - h) / 3` turns.

Hands and routes are sets of cities here; second copies in a hand do not matter for one route.
"""

from typing import NamedTuple

import numpy as np

from thurn_env.games.thurn_und_taxis.bots.appraisal import (
    HOUSE_PLACES,
    IMPOSSIBLE,
    LONGEST,
    MOST_STEPS,
    NO_ROUTE,
    PLAN_PLACES,
    Appraisal,
)
from thurn_env.games.thurn_und_taxis.bots.appraise import (
    carriage_value,
    distance_value,
    houses_value,
    lead,
)
from thurn_env.games.thurn_und_taxis.sets import contains, count, lowest, only
from thurn_env.kernels import RulesRecord, State, inlined_rule, rule


class Holding(NamedTuple):
    """A route and a hand, as sets of cities.

    Attributes:
        cities: the cities of the route.
        left: its left end; 0 without a route.
        right: its right end.
        length: its length.
        hand: the cities in the hand.
        spare: cards in the hand besides these, which fit nowhere.
    """

    cities: int
    left: int
    right: int
    length: int
    hand: int
    spare: int


@inlined_rule
def laid_right(holding: Holding, city: int) -> Holding:
    """The holding after laying a city of the hand at the right end."""
    hand = holding.hand & ~only(city)
    return Holding(holding.cities | only(city), holding.left, city, holding.length + 1, hand, holding.spare)


@inlined_rule
def laid_left(holding: Holding, city: int) -> Holding:
    """The holding after laying a city of the hand at the left end."""
    hand = holding.hand & ~only(city)
    return Holding(holding.cities | only(city), city, holding.right, holding.length + 1, hand, holding.spare)


@inlined_rule
def started(holding: Holding, city: int) -> Holding:
    """The holding after starting a new route with a city of the hand."""
    return Holding(only(city), city, city, 1, holding.hand & ~only(city), holding.spare)


@inlined_rule
def with_card(holding: Holding, city: int) -> Holding:
    """The holding with one more card in the hand."""
    hand = holding.hand | only(city)
    return Holding(holding.cities, holding.left, holding.right, holding.length, hand, holding.spare)


@inlined_rule
def with_lone_card(holding: Holding) -> Holding:
    """The holding with one more card in the hand, far from the route and from all others, that starts no route."""
    return Holding(holding.cities, holding.left, holding.right, holding.length, holding.hand, holding.spare + 1)


@inlined_rule
def neighbourhood(rules: RulesRecord, holding: Holding) -> int:
    """The cities of the hand, and all next to them or to an end of the route. Cards of others are lone ones."""
    cities = holding.hand
    if holding.length > 0:
        cities |= rules.adjacent[holding.left] | rules.adjacent[holding.right]
    hand = holding.hand
    while hand != 0:
        cities |= rules.adjacent[lowest(hand)]
        hand &= hand - 1
    return cities


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


@rule
def best_target(appraisal: Appraisal, start: int, length: int, open_end: bool) -> float:
    """The best length to close at, for a route that is `start` long and can be brought to `length` with the hand."""
    best = IMPOSSIBLE
    for target in range(length, appraisal.lengths.shape[0]):
        lays = target - start
        missing = target - length
        turns = max(0.5 * lays, (lays + missing) / 3)
        if lays > 0:
            turns = max(1.0, turns)
        worth = appraisal.lengths[target] - turns * appraisal.turn
        worth += missing * (appraisal.unknown_city - appraisal.missing)
        if turns > appraisal.horizon:
            worth -= (turns - appraisal.horizon) * appraisal.too_late
        if missing > 0 and not open_end:
            worth -= appraisal.dead_end
        best = max(best, worth)
    return best


@inlined_rule
def target_value(appraisal: Appraisal, start: int, length: int, open_end: bool) -> float:
    """`best_target`, remembered."""
    if length > LONGEST:
        return IMPOSSIBLE
    place = 1 if open_end else 0
    if np.isnan(appraisal.targets[start, length, place]):
        appraisal.targets[start, length, place] = best_target(appraisal, start, length, open_end)
    return appraisal.targets[start, length, place]


@inlined_rule
def worth_of_houses(rules: RulesRecord, appraisal: Appraisal, cities: int) -> float:
    """`houses_value`, remembered."""
    place = cities % 1021 & (HOUSE_PLACES - 1)
    if appraisal.house_cities[place] != cities:
        appraisal.house_cities[place] = cities
        appraisal.house_values[place] = houses_value(rules, appraisal.values, cities)
    return appraisal.house_values[place]


@inlined_rule
def plan_place(first: int, second: int, third: int) -> int:
    """Where a plan is remembered."""
    return (first % 1021 + second % 509 * 3 + third * 5) & (PLAN_PLACES - 1)


@inlined_rule
def within_reach(rules: RulesRecord, holding: Holding) -> int:
    """The cities of the hand that could come to be laid: joined to an end of the route through others of the hand."""
    free = holding.hand & ~holding.cities
    fresh = (rules.adjacent[holding.left] | rules.adjacent[holding.right]) & free
    reached = 0
    while fresh != 0:
        reached |= fresh
        around = 0
        while fresh != 0:
            around |= rules.adjacent[lowest(fresh)]
            fresh &= fresh - 1
        fresh = around & free & ~reached
    return reached


@rule
def plan_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best plan that goes on with the route, remembered. Cards out of reach count only by their number."""
    hand = within_reach(rules, holding)
    spare = min(3, holding.spare + count(holding.hand) - count(hand))
    ends = (holding.left * 64 + holding.right) * 4 + spare
    place = plan_place(holding.cities, hand, ends)
    known = appraisal.plan_cities[place] == holding.cities and appraisal.plan_hands[place] == hand
    if not known or appraisal.plan_ends[place] != ends:
        appraisal.plan_cities[place] = holding.cities
        appraisal.plan_hands[place] = hand
        appraisal.plan_ends[place] = ends
        within = Holding(holding.cities, holding.left, holding.right, holding.length, hand, spare)
        appraisal.plan_values[place] = best_plan(rules, appraisal, within)
    return appraisal.plan_values[place]


@rule
def best_plan(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """The best of all ways to lay cards of the hand, searched depth first."""
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
        here = Holding(
            stack[waiting, 0],
            stack[waiting, 1],
            stack[waiting, 2],
            stack[waiting, 3],
            stack[waiting, 4],
            holding.spare,
        )
        around = (rules.adjacent[here.left] | rules.adjacent[here.right]) & ~here.cities
        worth = worth_of_houses(rules, appraisal, here.cities)
        worth += target_value(appraisal, holding.length, here.length, around & appraisal.available != 0)
        worth += min(3, count(here.hand) + here.spare) * appraisal.spare_card
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
    """The best plan that starts a new route next turn, with a card of the hand or one still to be drawn; remembered."""
    hand = holding.hand
    spare = min(3, holding.spare)
    place = plan_place(0, hand, spare)
    known = appraisal.plan_cities[place] == NO_ROUTE and appraisal.plan_hands[place] == hand
    if known and appraisal.plan_ends[place] == spare:
        return appraisal.plan_values[place]
    best = target_value(appraisal, 0, 0, True)
    while hand != 0:
        city = lowest(hand)
        hand &= hand - 1
        # Laying the first card takes its share of a turn.
        worth = plan_value(rules, appraisal, started(holding, city)) - 0.5 * appraisal.turn
        best = max(best, worth)
    appraisal.plan_cities[place] = NO_ROUTE
    appraisal.plan_hands[place] = holding.hand
    appraisal.plan_ends[place] = spare
    appraisal.plan_values[place] = best
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
    worth = worth_of_houses(rules, appraisal, holding.cities)
    if holding.length <= LONGEST:
        worth += appraisal.distances[holding.length]
        worth += appraisal.carriages[holding.length, 1 if official else 0]
    else:
        worth += distance_value(state, rules, holding.length)
        worth += carriage_value(state, rules, appraisal, holding.length, official, lead(state, rules))
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
