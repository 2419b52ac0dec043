"""Plans: the routes that a hand can become, their value when closed, and the turns they take.

The value of a plan is the points of its closing minus a price for every turn until then. It lays `k` cards, of which
`h` are in the hand; every turn lays one card, draws one, and has an official for one more of either. So a plan takes
at least `k / 2` and at least `(2 k - h) / 3` turns.

Hands and routes are sets of cities here; second copies in a hand do not matter for one route, but with horses they are
spare cards. With horses a plan also needs cards to harness, until there are as many horses as cities.
"""

from typing import NamedTuple

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import contains, count, lowest, only
from thurn_env.games.thurn_und_taxis.bots.ending import worth_of_closing
from thurn_env.games.thurn_und_taxis.bots.plan_memory import (
    IMPOSSIBLE,
    LONGEST,
    MOST_STEPS,
    NO_ROUTE,
    PLACES,
    Appraisal,
    scattered,
)
from thurn_env.games.thurn_und_taxis.bots.values import houses_value
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses, room_on_carriage


class Holding(NamedTuple):
    """A route and a hand, as sets of cities.

    Attributes:
        cities: cities of the route.
        left: its left end; 0 without a route.
        right: its right end.
        length: its length.
        hand: cities in the hand.
        spare: number of other cards in the hand, which fit nowhere.
        horses: horses on the carriage; 0 in a game without horses.
    """

    cities: int
    left: int
    right: int
    length: int
    hand: int
    spare: int
    horses: int


@inlined_rule
def laid_right(holding: Holding, city: int) -> Holding:
    """Return the holding after laying a city of the hand at the right end."""
    hand = holding.hand & ~only(city)
    return Holding(
        holding.cities | only(city), holding.left, city, holding.length + 1, hand, holding.spare, holding.horses
    )


@inlined_rule
def laid_left(holding: Holding, city: int) -> Holding:
    """Return the holding after laying a city of the hand at the left end."""
    hand = holding.hand & ~only(city)
    return Holding(
        holding.cities | only(city), city, holding.right, holding.length + 1, hand, holding.spare, holding.horses
    )


@inlined_rule
def started(holding: Holding, city: int) -> Holding:
    """Return the holding after starting a new route with a city of the hand."""
    return Holding(only(city), city, city, 1, holding.hand & ~only(city), holding.spare, holding.horses)


@inlined_rule
def with_card(holding: Holding, city: int) -> Holding:
    """Return the holding with one more card in the hand."""
    hand = holding.hand | only(city)
    return Holding(holding.cities, holding.left, holding.right, holding.length, hand, holding.spare, holding.horses)


@inlined_rule
def with_lone_card(holding: Holding) -> Holding:
    """Return the holding with one more card far from the route and all other cards, which starts no route."""
    return Holding(
        holding.cities, holding.left, holding.right, holding.length, holding.hand, holding.spare + 1, holding.horses
    )


@inlined_rule
def neighbourhood(rules: RulesRecord, holding: Holding) -> int:
    """Return the cities of the hand and all next to them or to an end of the route. Other cards are lone ones."""
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
    """Return the cities of the hand that fit at the left end. A route of one card is extended at the right only."""
    if holding.length < 2:
        return 0
    return rules.adjacent[holding.left] & ~holding.cities & holding.hand


@inlined_rule
def fits_right(rules: RulesRecord, holding: Holding) -> int:
    """Return the cities of the hand that fit at the right end."""
    if holding.length < 1:
        return 0
    return rules.adjacent[holding.right] & ~holding.cities & holding.hand


@rule
def best_target(
    rules: RulesRecord, appraisal: Appraisal, start: int, length: int, open_end: bool, horses: int, spare: int
) -> float:
    """Return the value of the best closing length for a route of length `start` that the hand extends to `length`.

    With horses, closing needs as many horses as cities: on the carriage, on spare cards and on unknown cards.
    """
    best = IMPOSSIBLE
    for target in range(length, appraisal.lengths.shape[0]):
        lays = float(target - start)
        missing = float(target - length)
        unknown = missing
        at_hand = 0.0
        if plays_with_horses(rules):
            to_harness = max(0.0, float(target - horses)) / appraisal.horses_per_card
            at_hand = min(to_harness, float(spare))
            lays += to_harness
            unknown += to_harness - at_hand
        turns = max(0.5 * lays, (lays + unknown) / 3)
        if lays > 0:
            turns = max(1.0, turns)
        worth = appraisal.lengths[target] - turns * appraisal.turn
        worth += missing * (appraisal.unknown_city - appraisal.missing)
        if plays_with_horses(rules):
            worth -= (unknown - missing) * appraisal.missing + at_hand * appraisal.spare_card
        if turns > appraisal.horizon:
            worth -= (turns - appraisal.horizon) * appraisal.too_late
        if target > length and not open_end:
            worth -= appraisal.dead_end
        best = max(best, worth)
    return best


@inlined_rule
def target_value(
    rules: RulesRecord, appraisal: Appraisal, start: int, length: int, open_end: bool, horses: int, spare: int
) -> float:
    """Return `best_target`, cached."""
    if length > LONGEST:
        return IMPOSSIBLE
    place = 1 if open_end else 0
    tag = min(horses, 63) * 8 + spare if plays_with_horses(rules) else 0
    if appraisal.target_tags[start, length, place] != tag:
        appraisal.target_tags[start, length, place] = tag
        appraisal.targets[start, length, place] = best_target(rules, appraisal, start, length, open_end, horses, spare)
    return appraisal.targets[start, length, place]


@inlined_rule
def most_spare(rules: RulesRecord) -> int:
    """Return the maximum number of spare cards that count. With horses more of them are useful."""
    return 7 if plays_with_horses(rules) else 3


@inlined_rule
def harnessed(holding: Holding, city: int, horses: int, is_last: bool) -> Holding:
    """Return the holding after harnessing a card of this city. `is_last`: the only one in the hand."""
    hand = holding.hand & ~only(city) if is_last else holding.hand
    spare = holding.spare if is_last else holding.spare - 1
    return Holding(holding.cities, holding.left, holding.right, holding.length, hand, spare, holding.horses + horses)


@inlined_rule
def unharnessed(rules: RulesRecord, holding: Holding) -> Holding:
    """Return the holding with only the carriage's own horses."""
    own = int64(rules.own_horses)
    return Holding(holding.cities, holding.left, holding.right, holding.length, holding.hand, holding.spare, own)


@inlined_rule
def horses_of_card(appraisal: Appraisal, city: int) -> int:
    """Return the number of horses on a card of this city: known for the hand, otherwise the expected number."""
    known = appraisal.horses_in_hand[city]
    return known if known > 0 else int64(appraisal.horses_per_card)


@inlined_rule
def may_be_closed(rules: RulesRecord, holding: Holding) -> bool:
    """R3, H4: return whether the route may be closed."""
    if plays_with_horses(rules) and holding.horses < holding.length:
        return False
    return holding.length >= rules.minimum_route


@inlined_rule
def worth_of_houses(rules: RulesRecord, appraisal: Appraisal, cities: int) -> float:
    """Return `houses_value`, cached."""
    place = scattered(cities)
    if appraisal.house_cities[place] != cities:
        appraisal.house_cities[place] = cities
        appraisal.house_values[place] = houses_value(rules, appraisal.values, cities)
    return appraisal.house_values[place]


@inlined_rule
def plan_place(first: int, second: int, third: int) -> int:
    """Return the cache index of a plan."""
    return (scattered(first) + 3 * scattered(second) + scattered(third)) & (PLACES - 1)


@inlined_rule
def within_reach(rules: RulesRecord, holding: Holding) -> int:
    """Return the cities of the hand that could be laid: joined to an end of the route through others of the hand."""
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


@inlined_rule
def value_of_stopping(rules: RulesRecord, appraisal: Appraisal, start: int, holding: Holding) -> float:
    """Return the value of a plan that lays no more cards of the hand. `start`: initial length of the route."""
    around = (rules.adjacent[holding.left] | rules.adjacent[holding.right]) & ~holding.cities
    worth = worth_of_houses(rules, appraisal, holding.cities)
    spare = min(most_spare(rules), count(holding.hand) + holding.spare)
    open_end = around & appraisal.available != 0
    worth += target_value(rules, appraisal, start, holding.length, open_end, holding.horses, spare)
    return worth + spare * appraisal.spare_card


@rule
def plan_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the value of the best plan that continues the route, cached. Cards out of reach count only by number."""
    hand = within_reach(rules, holding)
    if hand == 0:
        return max(IMPOSSIBLE, value_of_stopping(rules, appraisal, holding.length, holding))
    spare = min(most_spare(rules), holding.spare + count(holding.hand) - count(hand))
    ends = ((holding.left * 64 + holding.right) * 8 + spare) * 64 + holding.horses
    place = plan_place(holding.cities, hand, ends)
    known = appraisal.plan_cities[place] == holding.cities and appraisal.plan_hands[place] == hand
    if not known or appraisal.plan_ends[place] != ends:
        appraisal.plan_cities[place] = holding.cities
        appraisal.plan_hands[place] = hand
        appraisal.plan_ends[place] = ends
        within = Holding(holding.cities, holding.left, holding.right, holding.length, hand, spare, holding.horses)
        appraisal.plan_values[place] = best_plan(rules, appraisal, within)
    return appraisal.plan_values[place]


@rule
def best_plan(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the value of the best way to lay cards of the hand, by depth-first search."""
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
            holding.horses,
        )
        best = max(best, value_of_stopping(rules, appraisal, holding.length, here))
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
    """Return the value of the best plan that starts a route next turn, with a card in hand or to be drawn; cached."""
    hand = holding.hand
    spare = min(most_spare(rules), holding.spare)
    ends = spare * 64 + holding.horses
    place = plan_place(0, hand, ends)
    known = appraisal.plan_cities[place] == NO_ROUTE and appraisal.plan_hands[place] == hand
    if known and appraisal.plan_ends[place] == ends:
        return appraisal.plan_values[place]
    at_hand = min(most_spare(rules), holding.spare + count(hand))
    best = target_value(rules, appraisal, 0, 0, True, holding.horses, at_hand)
    while hand != 0:
        city = lowest(hand)
        hand &= hand - 1
        # Laying the first card takes its share of a turn.
        worth = plan_value(rules, appraisal, started(holding, city)) - 0.5 * appraisal.turn
        best = max(best, worth)
    appraisal.plan_cities[place] = NO_ROUTE
    appraisal.plan_hands[place] = holding.hand
    appraisal.plan_ends[place] = ends
    appraisal.plan_values[place] = best
    return best


@rule
def route_value(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the value of the best plan at a turn's end: continue the route or start a new one."""
    kept = not plays_with_horses(rules) or rules.horses_kept or holding.length == 0
    fresh = start_value(rules, appraisal, holding if kept else unharnessed(rules, holding))
    if holding.length == 0:
        return fresh
    return max(fresh, plan_value(rules, appraisal, holding))


@rule
def value_of_closing(state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool) -> float:
    """Return the value of closing now and of the plans after it. `official`: whether one can still be used."""
    houses = worth_of_houses(rules, appraisal, holding.cities)
    worth = worth_of_closing(state, rules, appraisal, holding.cities, holding.length, official, houses)
    if appraisal.horizon > 0.0:
        worth += start_value(rules, appraisal, unharnessed(rules, holding))
    return worth


@rule
def value_of_going_on(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the value of ending the turn without closing."""
    if appraisal.horizon == 0.0:
        return 0.0
    return route_value(rules, appraisal, holding)


@rule
def end_of_turn_value(
    state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool
) -> float:
    """Return the value after the last card of a turn: the better of closing and continuing next turn."""
    worth = value_of_going_on(rules, appraisal, holding)
    if may_be_closed(rules, holding):
        worth = max(worth, value_of_closing(state, rules, appraisal, holding, official))
    return worth


@rule
def value_after_laying(
    state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding, official: bool
) -> float:
    """Return the value after a first card; if an official can be used, the postal carrier may lay another one."""
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
    if plays_with_horses(rules) and room_on_carriage(state, rules):
        best = max(best, value_of_harnessing_one(state, rules, appraisal, holding))
    return best


@rule
def card_to_harness(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> int:
    """Return the city of the hand whose card has most horses, preferring one that does not fit the route."""
    cities = holding.hand & ~(fits_left(rules, holding) | fits_right(rules, holding))
    if cities == 0:
        cities = holding.hand
    best = lowest(cities)
    while cities != 0:
        city = lowest(cities)
        cities &= cities - 1
        if horses_of_card(appraisal, city) > horses_of_card(appraisal, best):
            best = city
    return best


@rule
def value_of_harnessing_one(state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the best value of the turn that harnesses the best card for it."""
    if holding.hand == 0:
        return IMPOSSIBLE
    city = card_to_harness(rules, appraisal, holding)
    following = harnessed(holding, city, horses_of_card(appraisal, city), True)
    return end_of_turn_value(state, rules, appraisal, following, False)


@rule
def value_of_laying_one(state: State, rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the best value of the turn that lays one card of the hand without an official."""
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
        kept = not plays_with_horses(rules) or rules.horses_kept or holding.length == 0
        anew = started(holding if kept else unharnessed(rules, holding), city)
        worth = end_of_turn_value(state, rules, appraisal, anew, False)
        best = max(best, worth)
    if plays_with_horses(rules) and room_on_carriage(state, rules):
        best = max(best, value_of_harnessing_one(state, rules, appraisal, holding))
    return best
