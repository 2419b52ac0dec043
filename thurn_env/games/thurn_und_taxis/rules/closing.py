"""The third step of a turn: closing the route (R15 - R26). Order: houses, tiles, carriage, discard."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, rule
from thurn_env.games.hands import remove_from_hand
from thurn_env.games.sets import count, lowest, only
from thurn_env.games.thurn_und_taxis.rules.cards import after_discarding
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import (
    ANY_CITY,
    ANY_PROVINCE,
    BY_PROVINCE,
    CARTWRIGHT,
    CITY_BY_CITY,
    DISCARD,
    FREE_CITY,
    HOUSE,
    HOUSES,
)
from thurn_env.games.thurn_und_taxis.rules.route import discard_route
from thurn_env.games.thurn_und_taxis.rules.turn import end_turn, take_game_end_tile, take_tile


@rule
def candidates(state: State) -> int:
    """R17: return the route cities without an own house."""
    return state.route_cities[state.seat] & ~state.houses[state.seat]


@rule
def close_route(state: State, rules: RulesRecord) -> None:
    """R15, R20: the player chooses an option only if there is a house to place."""
    state.routes[state.seat] += 1
    if candidates(state) == 0:
        after_placing(state, rules)
    else:
        state.phase = HOUSES


@rule
def provinces_of(rules: RulesRecord, cities: int) -> int:
    """Return the set of provinces of the given cities."""
    provinces = 0
    for province in range(rules.province_cities.shape[0]):
        if rules.province_cities[province] & cities != 0:
            provinces |= only(province)
    return provinces


@rule
def groups_of(rules: RulesRecord, cities: int) -> int:
    """Return the set of groups of the given cities: their provinces and, last, the free cities (N2)."""
    groups = 0
    for group in range(rules.group_cities.shape[0]):
        if rules.group_cities[group] & cities != 0:
            groups |= only(group)
    return groups


@rule
def choose_spread(state: State, rules: RulesRecord) -> None:
    """R16, R19, N2, F6: one house per province and one in a free city.

    They are decided in board order; over all of them when houses run short.
    """
    state.pending = candidates(state)
    enough = state.houses_left[state.seat] >= count(groups_of(rules, state.pending))
    state.asking = BY_PROVINCE if enough else ANY_PROVINCE
    state.phase = HOUSE


@rule
def choose_fill(state: State, rules: RulesRecord, province: int) -> None:
    """R16, R19, F7: all route cities of one province, placed at once when houses suffice, else by choice."""
    state.pending = candidates(state) & rules.province_cities[province]
    enough = state.houses_left[state.seat] >= count(state.pending)
    state.asking = CITY_BY_CITY if enough else ANY_CITY
    state.phase = HOUSE
    if enough and not rules.optional_houses:
        while state.pending != 0:
            city = lowest(state.pending)
            state.pending &= ~only(city)
            place_house(state, rules, city)
        after_filling(state, rules)


@rule
def free_candidates(state: State, rules: RulesRecord) -> int:
    """N2: return the free cities of the route without an own house."""
    free = rules.group_cities.shape[0] - 1
    if free < rules.province_cities.shape[0]:
        return 0
    return candidates(state) & rules.group_cities[free]


@rule
def after_filling(state: State, rules: RulesRecord) -> None:
    """F7, N2 (option): when the province is served and a house is left, one decision over the free cities."""
    if rules.free_city_with_fill and state.asking != FREE_CITY and state.houses_left[state.seat] > 0:
        state.pending = free_candidates(state, rules)
        if state.pending != 0:
            state.asking = FREE_CITY
            return
    after_placing(state, rules)


@rule
def cities_asked(state: State, rules: RulesRecord) -> int:
    """Return the cities among which the mover has to choose now (F6, F7)."""
    if state.asking == BY_PROVINCE:
        group = lowest(groups_of(rules, state.pending))
        return state.pending & rules.group_cities[group]
    if state.asking == CITY_BY_CITY:
        return only(lowest(state.pending))
    return state.pending


@rule
def place_house(state: State, rules: RulesRecord, city: int) -> None:
    """R17, R27, N3, F10: place a house, which takes the tile of a free city; the last house triggers the end."""
    seat = state.seat
    state.houses[seat] |= only(city)
    state.houses_left[seat] -= 1
    stack = rules.free_stack[city]
    if stack >= 0 and state.tiles_taken[stack] < rules.tiles_in_stack[stack]:
        take_tile(state, rules, stack)
    if state.houses_left[seat] == 0:
        take_game_end_tile(state, rules)


@rule
def choose_house(state: State, rules: RulesRecord, city: int) -> None:
    """R18, R19: the chosen city gets the house; its province (spread), itself (fill) or all free cities are served."""
    by_province = state.asking == BY_PROVINCE or state.asking == ANY_PROVINCE
    if by_province or state.asking == FREE_CITY:
        state.pending &= ~rules.group_cities[rules.group_of[city]]
    else:
        state.pending &= ~only(city)
    place_house(state, rules, city)
    if state.houses_left[state.seat] == 0:
        after_placing(state, rules)
    elif state.pending == 0:
        if by_province:
            after_placing(state, rules)
        else:
            after_filling(state, rules)


@rule
def leave_out(state: State, rules: RulesRecord) -> None:
    """F8: skip the pending placement; when houses run short this ends the placing."""
    if state.asking == BY_PROVINCE or state.asking == CITY_BY_CITY:
        state.pending &= ~cities_asked(state, rules)
        if state.pending != 0:
            return
        if state.asking == CITY_BY_CITY:
            after_filling(state, rules)
            return
    after_placing(state, rules)


@inlined_rule
def after_placing(state: State, rules: RulesRecord) -> None:
    """R21, R24, R25, H1, F10: tiles, then the carriage; the player decides on the cartwright only if he could help."""
    state.pending = 0
    take_tiles(state, rules)
    seat = state.seat
    following = state.carriage[seat]
    if not plays_with_horses(rules) and following < rules.carriage_length.shape[0]:
        missing = rules.carriage_length[following] - state.route_length[seat]
        if missing <= 0:
            take_carriage(state, rules)
        elif missing <= rules.cartwright_reach and not state.official_used:
            state.phase = CARTWRIGHT
            return
    after_carriage(state, rules)


@rule
def take_tiles(state: State, rules: RulesRecord) -> None:
    """R21 - R23: one tile for each condition met now: distance, then provinces, then all provinces."""
    seat = state.seat
    for stack in range(rules.distance_length.shape[0]):
        long_enough = state.route_length[seat] >= rules.distance_length[stack]
        if long_enough and state.tiles_taken[stack] < rules.tiles_in_stack[stack]:
            take_tile(state, rules, stack)
            break
    houses = state.houses[seat]
    for stack in range(rules.stack_cities.shape[0]):
        cities = rules.stack_cities[stack]
        if cities != 0 and houses & cities == cities:
            take_tile_once(state, rules, stack)
    if rules.all_provinces_stack >= 0:
        missing = rules.all_provinces & ~provinces_of(rules, houses)
        if missing == 0:
            take_tile_once(state, rules, rules.all_provinces_stack)


@rule
def take_tile_once(state: State, rules: RulesRecord, stack: int) -> None:
    """R23: at most one tile of this stack per player, and none when it is empty."""
    if state.tiles[state.seat, stack] == 0 and state.tiles_taken[stack] < rules.tiles_in_stack[stack]:
        take_tile(state, rules, stack)


@rule
def take_carriage(state: State, rules: RulesRecord) -> None:
    """R24, R27: take the next carriage; the last one triggers the end."""
    state.carriage[state.seat] += 1
    if state.carriage[state.seat] == rules.carriage_length.shape[0]:
        take_game_end_tile(state, rules)


@inlined_rule
def use_cartwright(state: State, rules: RulesRecord) -> None:
    """R25: take the next carriage although the route is too short for it."""
    state.official_used = 1
    take_carriage(state, rules)
    after_carriage(state, rules)


@inlined_rule
def after_carriage(state: State, rules: RulesRecord) -> None:
    """R26, H4: the route is discarded with its horses, then the hand is cut to the limit."""
    discard_route(state, rules, True)
    cut_hand(state, rules)


@inlined_rule
def cut_hand(state: State, rules: RulesRecord) -> None:
    """R26: the player has to discard while the hand is over the limit."""
    if state.hand_size[state.seat] > rules.hand_limit:
        state.phase = DISCARD
    else:
        end_turn(state, rules)


@inlined_rule
def discard_card(state: State, rules: RulesRecord, kind: int) -> None:
    """R26, F3, F12: discard one card from the hand, as a separate event."""
    remove_from_hand(state, state.seat, kind, 1)
    state.discard[kind] += 1
    after_discarding(state)
    cut_hand(state, rules)


@rule
def may_spread(state: State, rules: RulesRecord) -> bool:
    """F5: `spread` is left out when there is exactly one candidate city in all and it lies in a province."""
    return count(candidates(state)) > 1 or free_candidates(state, rules) != 0
