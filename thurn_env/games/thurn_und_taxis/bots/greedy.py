"""A bot that looks one turn ahead at points and houses."""

from typing import Final

import numpy as np

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, UInt64Array, allocating_rule, int64, rule
from thurn_env.games.thurn_und_taxis.bots.values import (
    appraise_cities,
    best_house,
    better_option,
    brings_carriage,
    carriage_points,
    distance_value,
    houses_value,
    missing_for_carriage,
    next_is_last,
)
from thurn_env.games.thurn_und_taxis.bots.weights import TileShares
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import (
    CARTWRIGHT,
    DRAW,
    HOUSE,
    HOUSES,
    PLAY,
    SECOND_DRAW,
)
from thurn_env.games.thurn_und_taxis.rules.route import fitting_left, fitting_right
from thurn_env.games.thurn_und_taxis.rules.scoring import margin

SHARES: Final = TileShares(on_the_way=0.71, provinces_on_the_way=0.17)


@rule
def worth_of_carriage(state: State, rules: RulesRecord) -> float:
    """Return the value of the next carriage if closing the route earns it; the last one counts only when ahead."""
    seat = int64(state.seat)
    length = int64(state.route_length[seat])
    if not brings_carriage(state, rules, seat, length, not state.official_used):
        return 0.0
    worth = carriage_points(state, rules, seat)
    if not next_is_last(state, rules, seat):
        worth += 1.47
    elif state.holder < 0:
        worth += 11.1 if margin(state, rules, seat) + worth + 1.0 > 0.3 else -1.2
    return worth - (0.4 if missing_for_carriage(state, rules, seat, length) > 0 else 0.0)


@allocating_rule
def choose_greedy(state: State, rules: RulesRecord, actions: Int16Array, size: int, generator: UInt64Array) -> int:
    """Choose greedily.

    Take a card that fits, lay the fitting card whose city is worth most, close as soon as that gains a carriage or
    two houses, and use the carriage officials whenever they help. Ties are broken at random.
    """
    values = np.empty(rules.adjacent.shape[0])
    appraise_cities(state, rules, int64(state.seat), SHARES, values)
    phase = state.phase
    if phase == HOUSES:
        return better_option(state, rules, values, actions, size)
    if phase == HOUSE:
        return best_house(rules, values, actions, size)
    if phase == CARTWRIGHT:
        return int64(rules.first_cartwright)
    fitting = fitting_left(state, rules) | fitting_right(state, rules)
    best = -1000.0
    tied = 0
    best_action = int64(actions[0])
    for position in range(size):
        action = int64(actions[position])
        worth = 0.0
        if phase == DRAW or phase == SECOND_DRAW or (phase == PLAY and action < rules.first_left):
            if action < rules.first_draw:
                city = rules.city_of[action - rules.first_take]
                worth = 1.0 + values[city] if (fitting >> city) & 1 else 0.1 * values[city]
                if plays_with_horses(rules):
                    worth += 0.1 * rules.horses_on[action - rules.first_take]
                if phase == PLAY and not (fitting >> city) & 1:
                    worth = -10.0
                elif phase == PLAY:
                    worth = 0.5
            elif action == rules.first_draw:
                worth = 0.5 if phase != PLAY else -5.0
            else:
                worth = -20.0
        elif action < rules.first_start:
            kind = action - rules.first_left if action < rules.first_right else action - rules.first_right
            worth = 2.0 + values[rules.city_of[kind]]
        elif action < rules.first_harness:
            worth = 0.1 * values[rules.city_of[action - rules.first_start]]
            if plays_with_horses(rules) and state.route_length[state.seat] == 0:
                worth += 2.0
        elif plays_with_horses(rules) and action < rules.first_end:
            missing = state.route_length[state.seat] + 1 - state.horses[state.seat]
            worth = 0.3 * rules.horses_on[action - rules.first_harness] + (2.0 if missing > 0 else -1.5)
        elif action == rules.first_end:
            worth = 0.0
        elif action == rules.first_close:
            length = state.route_length[state.seat]
            houses = houses_value(rules, values, state.route_cities[state.seat] & ~state.houses[state.seat])
            worth = houses + worth_of_carriage(state, rules) + distance_value(state, rules, length) - 2.5
        else:
            worth = -values[rules.city_of[action - rules.first_discard]]
            if plays_with_horses(rules):
                worth -= 0.2 * rules.horses_on[action - rules.first_discard]
        if worth > best:
            best = worth
            best_action = action
            tied = 1
        elif worth == best:
            tied += 1
            if below(generator, tied) == 0:
                best_action = action
    return best_action
