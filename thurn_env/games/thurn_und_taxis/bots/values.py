"""Values of cities, lengths and routes for the player to move, in points. Shared by the planning bots.

Only information of the player to move is read.
"""

from thurn_env.engine.kernels import Float64Array, Int16Array, RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import count, lowest, only
from thurn_env.games.thurn_und_taxis.bots.weights import TileShares
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses


@inlined_rule
def top_value(state: State, rules: RulesRecord, stack: int) -> float:
    """Return the value of a stack's top tile; 0 when it is empty."""
    taken = state.tiles_taken[stack]
    if taken < rules.tiles_in_stack[stack]:
        return float(rules.tile_value[stack, taken])
    return 0.0


@inlined_rule
def has_free_cities(rules: RulesRecord) -> bool:
    """Return whether the board has free cities, a constant for the compiler."""
    return rules.group_cities.shape[0] > rules.province_cities.shape[0]


@inlined_rule
def add_to_all(values: Float64Array, cities: int, share: float) -> None:
    """Add the same to the value of all these cities."""
    while cities != 0:
        values[lowest(cities)] += share
        cities &= cities - 1


@rule
def appraise_cities(state: State, rules: RulesRecord, seat: int, shares: TileShares, values: Float64Array) -> None:
    """Write the value of a house of this seat in every city: its point, and its share in tiles still available."""
    houses = state.houses[seat]
    cities = rules.adjacent.shape[0]
    for city in range(cities):
        values[city] = 0.0 if (houses >> city) & 1 else 1.0
        if has_free_cities(rules) and rules.free_stack[city] >= 0 and values[city] > 0.0:
            values[city] += top_value(state, rules, rules.free_stack[city])
    for stack in range(rules.stack_cities.shape[0]):
        wanted = rules.stack_cities[stack]
        if wanted == 0 or state.tiles[seat, stack] > 0:
            continue
        missing = count(wanted & ~houses)
        if missing == 0:
            continue
        share = top_value(state, rules, stack) / missing * (1.0 if missing == 1 else shares.on_the_way)
        add_to_all(values, wanted & ~houses, share)
    stack = rules.all_provinces_stack
    if stack >= 0 and state.tiles[seat, stack] == 0:
        missing = 0
        for province in range(rules.province_cities.shape[0]):
            if (rules.all_provinces >> province) & 1 and houses & rules.province_cities[province] == 0:
                missing += 1
        if missing > 0:
            share = top_value(state, rules, stack) / missing
            share *= 1.0 if missing == 1 else shares.provinces_on_the_way
            for province in range(rules.province_cities.shape[0]):
                members = rules.province_cities[province]
                if (rules.all_provinces >> province) & 1 and houses & members == 0:
                    add_to_all(values, members, share)


@rule
def distance_value(state: State, rules: RulesRecord, length: int) -> float:
    """Return the value of the distance tile that a route of this length would take (R22)."""
    for stack in range(rules.distance_length.shape[0]):
        if length >= rules.distance_length[stack] and state.tiles_taken[stack] < rules.tiles_in_stack[stack]:
            return float(rules.tile_value[stack, state.tiles_taken[stack]])
    return 0.0


@inlined_rule
def missing_for_carriage(state: State, rules: RulesRecord, seat: int, length: int) -> int:
    """Return the number of cities that a route of this length lacks for the next carriage; large if there is none."""
    following = state.carriage[seat]
    if plays_with_horses(rules) or following >= rules.carriage_length.shape[0]:
        return 100
    return int64(rules.carriage_length[following] - length)


@rule
def brings_carriage(state: State, rules: RulesRecord, seat: int, length: int, cartwright: bool) -> bool:
    """Return whether a route of this length earns the seat's next carriage. `cartwright`: whether he may help."""
    return missing_for_carriage(state, rules, seat, length) <= (rules.cartwright_reach if cartwright else 0)


@inlined_rule
def next_is_last(state: State, rules: RulesRecord, seat: int) -> bool:
    """Return whether the seat's next carriage is the last one, which triggers the end."""
    return not plays_with_horses(rules) and state.carriage[seat] == rules.carriage_length.shape[0] - 1


@rule
def carriage_points(state: State, rules: RulesRecord, seat: int) -> float:
    """Return the points that the seat's next carriage adds to its score; there must be one."""
    following = state.carriage[seat]
    before = rules.carriage_points[following - 1] if following > 0 else 0
    return float(rules.carriage_points[following] - before)


@inlined_rule
def best_and_total(values: Float64Array, cities: int) -> tuple[float, float]:
    """Return the highest value among these cities, and the sum of their values."""
    best = 0.0
    total = 0.0
    while cities != 0:
        value = values[lowest(cities)]
        total += value
        best = max(best, value)
        cities &= cities - 1
    return best, total


@inlined_rule
def houses_value(rules: RulesRecord, values: Float64Array, cities: int) -> float:
    """Return the value of the better house option for a route of these cities; own cities have no value."""
    spread = 0.0
    fill = 0.0
    for province in range(rules.province_cities.shape[0]):
        members = cities & rules.province_cities[province]
        if members != 0:
            best, total = best_and_total(values, members)
            spread += best
            fill = max(fill, total)
    if has_free_cities(rules):
        free, _ = best_and_total(values, cities & rules.group_cities[rules.group_cities.shape[0] - 1])
        spread += free
        if rules.free_city_with_fill and fill > 0.0:
            fill += free
    return max(spread, fill)


@rule
def better_option(state: State, rules: RulesRecord, values: Float64Array, actions: Int16Array, size: int) -> int:
    """Return the most valuable of `spread` and the listed `fill` actions."""
    best_action = actions[0]
    best = -1.0
    open_cities = state.route_cities[state.seat] & ~state.houses[state.seat]
    for position in range(size):
        action = actions[position]
        worth = 0.0
        for province in range(rules.province_cities.shape[0]):
            top, total = best_and_total(values, open_cities & rules.province_cities[province])
            if action == rules.first_spread:
                worth += top
            elif action == rules.first_fill + province:
                worth = total
        if has_free_cities(rules) and (action == rules.first_spread or rules.free_city_with_fill):
            free, _ = best_and_total(values, open_cities & rules.group_cities[rules.group_cities.shape[0] - 1])
            worth += free
        if worth > best:
            best = worth
            best_action = action
    return int64(best_action)


@rule
def best_house(rules: RulesRecord, values: Float64Array, actions: Int16Array, size: int) -> int:
    """Return the listed `house` action of the most valuable city; never `leave`."""
    best_action = actions[0]
    best = -1.0
    for position in range(size):
        action = actions[position]
        if action != rules.first_leave and values[action - rules.first_house] > best:
            best = values[action - rules.first_house]
            best_action = action
    return int64(best_action)


@inlined_rule
def hand_cities(state: State, rules: RulesRecord) -> int:
    """Return the cities of the mover's hand as a set."""
    cities = 0
    for kind in range(state.hand.shape[1]):
        if state.hand[state.seat, kind] > 0:
            cities |= only(rules.city_of[kind])
    return cities
