"""The heuristic's treatment of the end of the game: exact points of closing now, and the value of triggering the end.

Nothing follows the last turn, so there a house is worth the points that it scores at once, not its share in a tile
that would have to be completed later.
"""

from typing import NamedTuple

import numpy as np

from thurn_env.engine.kernels import Float64Array, Int16Array, RulesRecord, State, allocating_rule, int64, rule
from thurn_env.games.sets import count, lowest, only
from thurn_env.games.thurn_und_taxis.bots.plan_memory import IMPOSSIBLE, LONGEST, UNKNOWN, Appraisal
from thurn_env.games.thurn_und_taxis.bots.values import (
    appraise_cities,
    brings_carriage,
    carriage_points,
    distance_value,
    has_free_cities,
    missing_for_carriage,
    next_is_last,
    top_value,
)
from thurn_env.games.thurn_und_taxis.rules.scoring import score


class Placing(NamedTuple):
    """Houses placed by closing a route.

    Attributes:
        points: points that they score at once, including completed tiles.
        houses: number of houses.
    """

    points: float
    houses: int


@rule
def placed(state: State, rules: RulesRecord, seat: int, cities: int) -> Placing:
    """Return the result of placing houses of a seat in these cities, as far as it has houses left."""
    before = state.houses[seat]
    after = before | cities
    houses = min(count(cities & ~before), int64(state.houses_left[seat]))
    points = float(houses)
    for stack in range(rules.stack_cities.shape[0]):
        wanted = rules.stack_cities[stack]
        if wanted != 0 and state.tiles[seat, stack] == 0 and after & wanted == wanted:
            points += top_value(state, rules, stack)
    stack = rules.all_provinces_stack
    if stack >= 0 and state.tiles[seat, stack] == 0:
        complete = True
        for province in range(rules.province_cities.shape[0]):
            if (rules.all_provinces >> province) & 1 and after & rules.province_cities[province] == 0:
                complete = False
        if complete:
            points += top_value(state, rules, stack)
    if has_free_cities(rules):
        free = cities & ~before
        while free != 0:
            stack = rules.free_stack[lowest(free)]
            free &= free - 1
            if stack >= 0:
                points += top_value(state, rules, stack)
    return Placing(points, houses)


@rule
def best_city(values: Float64Array, cities: int) -> int:
    """Return the city of highest value, as a set of one; an empty set if there is none."""
    best = -1.0
    best_one = 0
    while cities != 0:
        city = lowest(cities)
        cities &= cities - 1
        if values[city] > best:
            best = values[city]
            best_one = only(city)
    return best_one


@rule
def spread_cities(rules: RulesRecord, values: Float64Array, cities: int) -> int:
    """Return the cities that get a house with `spread`: the one of highest value in every group."""
    chosen = 0
    for group in range(rules.group_cities.shape[0]):
        chosen |= best_city(values, cities & rules.group_cities[group])
    return chosen


@rule
def fill_cities(rules: RulesRecord, values: Float64Array, cities: int, province: int) -> int:
    """Return the cities that get a house with `fill` in this province."""
    chosen = cities & rules.province_cities[province]
    if chosen != 0 and has_free_cities(rules) and rules.free_city_with_fill:
        chosen |= best_city(values, cities & rules.group_cities[rules.group_cities.shape[0] - 1])
    return int64(chosen)


@rule
def best_placing(state: State, rules: RulesRecord, seat: int, values: Float64Array, cities: int) -> Placing:
    """Return the house option of a route of these cities that scores most at once."""
    free = cities & ~state.houses[seat]
    best = placed(state, rules, seat, spread_cities(rules, values, free))
    for province in range(rules.province_cities.shape[0]):
        filled = fill_cities(rules, values, free, province)
        if filled != 0:
            placing = placed(state, rules, seat, filled)
            if placing.points > best.points:
                best = placing
    return best


@allocating_rule
def threat(state: State, rules: RulesRecord, appraisal: Appraisal, seat: int) -> float:
    """Estimate the points of another seat's last turn: closing its route with one more city."""
    points = appraisal.last_turn
    length = int64(state.route_length[seat]) + 1
    if length >= rules.minimum_route:
        values = np.empty(rules.adjacent.shape[0])
        appraise_cities(state, rules, seat, appraisal, values)
        points += best_placing(state, rules, seat, values, int64(state.route_cities[seat])).points
        points += distance_value(state, rules, length)
        if brings_carriage(state, rules, seat, length, True):
            points += carriage_points(state, rules, seat)
    return float(points)


@rule
def score_to_beat(state: State, rules: RulesRecord, appraisal: Appraisal) -> float:
    """Estimate the best final score of the other seats if the mover triggers the end now; cached."""
    if appraisal.to_beat == UNKNOWN:
        players = state.hand.shape[0]
        appraisal.to_beat = IMPOSSIBLE
        for step in range(1, players):
            other = (state.seat + step) % players
            points = float(score(state, rules, other))
            # R28: the round is completed, so the seats before the start player still have a turn.
            if (other - state.start_player) % players > (state.seat - state.start_player) % players:
                points += threat(state, rules, appraisal, other)
            appraisal.to_beat = max(appraisal.to_beat, points)
    return float(appraisal.to_beat)


@rule
def end_worth(state: State, rules: RulesRecord, appraisal: Appraisal, gain: float) -> float:
    """Return the value of triggering the end if closing scores `gain` points; 0 if it is triggered already."""
    if state.holder >= 0:
        return 0.0
    tile = top_value(state, rules, state.tiles_taken.shape[0] - 1)
    # R30: the holder of the game-end tile wins ties.
    ahead = score(state, rules, state.seat) + gain + tile + 0.5 - score_to_beat(state, rules, appraisal)
    return float(min(max(appraisal.end_slope * ahead, appraisal.end_behind), appraisal.end_ahead))


@rule
def carriage_worth(
    state: State, rules: RulesRecord, appraisal: Appraisal, length: int, cartwright: bool, gain: float
) -> float:
    """Return the value of the next carriage if a route of this length earns it and scores `gain` otherwise."""
    if not brings_carriage(state, rules, state.seat, length, cartwright):
        return 0.0
    worth = carriage_points(state, rules, state.seat)
    if next_is_last(state, rules, state.seat):
        worth += end_worth(state, rules, appraisal, gain + worth)
    else:
        worth += appraisal.carriage
    if missing_for_carriage(state, rules, state.seat, length) > 0:
        worth -= appraisal.cartwright
    return worth


@rule
def appraise_lengths(state: State, rules: RulesRecord, appraisal: Appraisal) -> None:
    """Write the value of closing at every length without houses, as far as it can be planned."""
    for length in range(LONGEST + 1):
        appraisal.lengths[length] = IMPOSSIBLE
        if length >= rules.minimum_route:
            distance = distance_value(state, rules, length)
            gain = distance + appraisal.end_city * length
            appraisal.lengths[length] = distance + carriage_worth(state, rules, appraisal, length, True, gain)


@rule
def worth_of_closing(
    state: State, rules: RulesRecord, appraisal: Appraisal, cities: int, length: int, official: bool, houses: float
) -> float:
    """Return the value of closing a route now.

    `houses` is the value of its houses while the game continues; at its end exact points count.
    `official`: whether an official can still be used.
    """
    seat = state.seat
    distance = distance_value(state, rules, length)
    last_carriage = next_is_last(state, rules, seat) and brings_carriage(state, rules, seat, length, official)
    if state.holder < 0 and not last_carriage and count(cities & ~state.houses[seat]) < state.houses_left[seat]:
        return houses + distance + carriage_worth(state, rules, appraisal, length, official, 0.0)
    placing = best_placing(state, rules, seat, appraisal.values, cities)
    points = placing.points + distance
    if state.holder >= 0:
        return points + carriage_worth(state, rules, appraisal, length, official, 0.0)
    if last_carriage:
        return points + carriage_worth(state, rules, appraisal, length, official, points)
    worth = points if placing.houses >= state.houses_left[seat] else houses + distance
    worth += carriage_worth(state, rules, appraisal, length, official, 0.0)
    if placing.houses >= state.houses_left[seat]:
        worth += end_worth(state, rules, appraisal, worth)
    return worth


@rule
def exact_option(state: State, rules: RulesRecord, appraisal: Appraisal, actions: Int16Array, size: int) -> int:
    """Return the one of `spread` and the listed `fill` actions that scores most now."""
    best_action = actions[0]
    best = -1000.0
    cities = state.route_cities[state.seat] & ~state.houses[state.seat]
    for position in range(size):
        action = actions[position]
        if action == rules.first_spread:
            chosen = spread_cities(rules, appraisal.values, cities)
        else:
            chosen = fill_cities(rules, appraisal.values, cities, int64(action - rules.first_fill))
        worth = placed(state, rules, state.seat, chosen).points
        if worth > best:
            best = worth
            best_action = action
    return int64(best_action)
