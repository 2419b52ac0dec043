"""A planning bot: it values every choice by the best plan that remains after it (see `plan`)."""

import numpy as np

from thurn_env.engine.kernels import (
    Float64Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    allocating_rule,
    int64,
    rule,
)
from thurn_env.games.sets import contains, count, only
from thurn_env.games.thurn_und_taxis.bots.ending import appraise_lengths, carriage_worth, exact_option
from thurn_env.games.thurn_und_taxis.bots.plan import (
    Holding,
    fits_left,
    fits_right,
    harnessed,
    laid_left,
    laid_right,
    neighbourhood,
    plan_value,
    route_value,
    start_value,
    started,
    unharnessed,
    value_after_laying,
    value_of_closing,
    value_of_going_on,
    value_of_laying_one,
    with_card,
    with_lone_card,
)
from thurn_env.games.thurn_und_taxis.bots.plan_memory import (
    IMPOSSIBLE,
    Appraisal,
    begin_appraisal,
    empty_appraisal,
)
from thurn_env.games.thurn_und_taxis.bots.unseen import cities_to_be_had, count_unseen
from thurn_env.games.thurn_und_taxis.bots.values import (
    appraise_cities,
    best_house,
    better_option,
    hand_cities,
)
from thurn_env.games.thurn_und_taxis.bots.weights import Weights
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import (
    CARTWRIGHT,
    DISCARD,
    DRAW,
    HOUSE,
    HOUSES,
    PLAY,
    SECOND_DRAW,
)


@rule
def turns_left(state: State, rules: RulesRecord, weights: Weights) -> float:
    """Estimate the number of turns that the mover will have after this one."""
    if state.holder >= 0:
        return 0.0
    most = 30.0
    last = rules.carriage_length.shape[0] - 1
    for player in range(state.hand.shape[0]):
        if player == state.seat:
            continue
        guess = state.houses_left[player] * weights.turns_per_house
        if plays_with_horses(rules):
            most = min(most, max(1.0, guess))
            continue
        if state.carriage[player] == last:
            needed = rules.carriage_length[last] - rules.cartwright_reach - state.route_length[player]
            guess = min(guess, max(1.0, needed * weights.turns_per_city))
        elif state.carriage[player] == last - 1:
            guess = min(guess, weights.turns_to_last)
        most = min(most, max(1.0, guess))
    return most


@rule
def mover_holds(state: State, rules: RulesRecord) -> Holding:
    """Return the mover's route and hand."""
    seat = state.seat
    length = int64(state.route_length[seat])
    left = int64(rules.city_of[state.route[seat, 0]]) if length > 0 else int64(0)
    right = int64(rules.city_of[state.route[seat, length - 1]]) if length > 0 else int64(0)
    hand = hand_cities(state, rules)
    spare = int64(state.hand_size[seat]) - count(hand) if plays_with_horses(rules) else int64(0)
    return Holding(state.route_cities[seat], left, right, length, hand, spare, int64(state.horses[seat]))


@rule
def cards_of(state: State, rules: RulesRecord, kind: int) -> int:
    """Return the number of the mover's cards of this kind's city; without horses each city has one kind."""
    if not plays_with_horses(rules):
        return int64(state.hand[state.seat, kind])
    cards = int64(0)
    for other in range(state.hand.shape[1]):
        if rules.city_of[other] == rules.city_of[kind]:
            cards += int64(state.hand[state.seat, other])
    return cards


@rule
def note_horses_in_hand(state: State, rules: RulesRecord, appraisal: Appraisal) -> None:
    """Write, by city, the maximum number of horses on a card of the hand."""
    appraisal.horses_in_hand[:] = 0
    for kind in range(state.hand.shape[1]):
        if state.hand[state.seat, kind] > 0:
            city = rules.city_of[kind]
            appraisal.horses_in_hand[city] = max(appraisal.horses_in_hand[city], int64(rules.horses_on[kind]))


@rule
def value_of_holding(rules: RulesRecord, appraisal: Appraisal, holding: Holding) -> float:
    """Return the value of the position before a card must be laid."""
    if fits_left(rules, holding) | fits_right(rules, holding) != 0:
        return route_value(rules, appraisal, holding)
    return start_value(rules, appraisal, holding)


@rule
def wanted_by_others(state: State, rules: RulesRecord) -> int:
    """Return the cities that fit a route of another player."""
    wanted = 0
    for player in range(state.hand.shape[0]):
        length = state.route_length[player]
        if player != state.seat and length > 0:
            left = rules.adjacent[rules.city_of[state.route[player, 0]]]
            right = rules.adjacent[rules.city_of[state.route[player, length - 1]]]
            wanted |= (left | right) & ~state.route_cities[player]
    return int64(wanted)


@allocating_rule
def choose_draw(state: State, rules: RulesRecord, appraisal: Appraisal, actions: Int16Array, size: int) -> int:
    """Return the card with which the best plan is best, or the administrator; -1 if there is no draw."""
    holding = mover_holds(state, rules)
    near = neighbourhood(rules, holding)
    lone = value_of_holding(rules, appraisal, with_lone_card(holding))
    worths = np.empty(state.hand.shape[1])
    total = 0
    unseen_worth = 0.0
    for kind in range(worths.shape[0]):
        city = int64(rules.city_of[kind])
        if not contains(appraisal.available, city):
            worths[kind] = IMPOSSIBLE
            continue
        if plays_with_horses(rules) and contains(holding.hand, city):
            worth = lone
        elif contains(near, city):
            worth = value_of_holding(rules, appraisal, with_card(holding, city))
        else:
            anew = started(with_card(holding, city), city)
            worth = max(lone, plan_value(rules, appraisal, anew) - 0.5 * appraisal.turn)
        worths[kind] = worth + appraisal.spare_value * appraisal.values[city]
        if plays_with_horses(rules):
            worths[kind] += appraisal.horse * rules.horses_on[kind]
        number = appraisal.unseen[kind]
        total += number
        unseen_worth += number * worths[kind]
    unseen_worth = unseen_worth / total - appraisal.unseen_card if total > 0 else IMPOSSIBLE
    wanted = wanted_by_others(state, rules)
    best_action = -1
    best = 10 * IMPOSSIBLE
    administrator = False
    for position in range(size):
        action = int64(actions[position])
        if action <= rules.first_draw:
            worth = unseen_worth
            if action < rules.first_draw:
                kind = action - rules.first_take
                worth = worths[kind] + (appraisal.denial if contains(wanted, int64(rules.city_of[kind])) else 0.0)
            if worth > best:
                best = worth
                best_action = action
        elif action == rules.first_administrator:
            administrator = True
    if administrator and total > 0:
        fresh = best_fifth(appraisal.unseen, worths, total)
        if fresh > best + appraisal.administrator:
            best_action = int64(rules.first_administrator)
    return best_action


@rule
def best_fifth(unseen: Int64Array, worths: Float64Array, total: int) -> float:
    """Return the mean value of the best fifth of the unseen cards, an estimate of the best of six new cards."""
    wanted = max(1, total // 5)
    taken = 0
    worth = 0.0
    ceiling = -10 * IMPOSSIBLE
    while taken < wanted:
        best = 10 * IMPOSSIBLE
        for kind in range(worths.shape[0]):
            if best < worths[kind] and worths[kind] < ceiling and unseen[kind] > 0:
                best = worths[kind]
        number = 0
        for kind in range(worths.shape[0]):
            if worths[kind] == best:
                number += unseen[kind]
        if number == 0:
            break
        number = min(number, wanted - taken)
        worth += number * best
        taken += number
        ceiling = best
    return worth / max(1, taken)


@rule
def best_discard(state: State, rules: RulesRecord, appraisal: Appraisal, actions: Int16Array, size: int) -> int:
    """Return the card whose loss costs the plans of the hand least."""
    best = 10 * IMPOSSIBLE
    best_action = int64(actions[0])
    holding = mover_holds(state, rules)
    for position in range(size):
        kind = actions[position] - rules.first_discard
        city = int64(rules.city_of[kind])
        worth = 0.0
        hand, spare = holding.hand, holding.spare - 1
        if cards_of(state, rules, kind) == 1:
            hand &= ~only(city)
            spare += 1
            worth -= appraisal.spare_value * appraisal.values[city]
        if plays_with_horses(rules):
            worth -= appraisal.horse * rules.horses_on[kind]
        left_over = Holding(
            holding.cities, holding.left, holding.right, holding.length, hand, max(0, spare), holding.horses
        )
        worth += start_value(rules, appraisal, left_over)
        if worth > best:
            best = worth
            best_action = int64(actions[position])
    return best_action


@rule
def value_of_action(state: State, rules: RulesRecord, appraisal: Appraisal, action: int, official: bool) -> float:
    """Return the value of laying a card, closing or ending the turn."""
    holding = mover_holds(state, rules)
    if action == rules.first_close:
        return value_of_closing(state, rules, appraisal, holding, official)
    if action == rules.first_end:
        return value_of_going_on(rules, appraisal, holding)
    if action < rules.first_right:
        kind = action - rules.first_left
        laid = laid_left(holding, int64(rules.city_of[kind]))
    elif action < rules.first_start:
        kind = action - rules.first_right
        laid = laid_right(holding, int64(rules.city_of[kind]))
    elif plays_with_horses(rules) and action >= rules.first_harness:
        kind = action - rules.first_harness
        only_card = cards_of(state, rules, kind) == 1
        laid = harnessed(holding, int64(rules.city_of[kind]), int64(rules.horses_on[kind]), only_card)
    else:
        kind = action - rules.first_start
        kept = not plays_with_horses(rules) or rules.horses_kept or holding.length == 0
        laid = started(holding if kept else unharnessed(rules, holding), int64(rules.city_of[kind]))
    if not plays_with_horses(rules) and state.hand[state.seat, kind] > 1:
        laid = with_card(laid, int64(rules.city_of[kind]))
    # A card laid after the first one used the postal carrier: no other official can be used.
    worth = value_after_laying(state, rules, appraisal, laid, official and state.phase == PLAY)
    if plays_with_horses(rules):
        worth -= appraisal.horse * rules.horses_on[kind]
    return worth


@rule
def value_of_postmaster(state: State, rules: RulesRecord, appraisal: Appraisal, action: int) -> float:
    """Return the value of a second card now: then one card is laid and no other official can be used."""
    holding = mover_holds(state, rules)
    if action < rules.first_draw:
        city = int64(rules.city_of[action - rules.first_take])
        return value_of_laying_one(state, rules, appraisal, with_card(holding, city))
    total = 0
    worth = 0.0
    for kind in range(state.hand.shape[1]):
        number = appraisal.unseen[kind]
        if number > 0:
            total += number
            more = with_card(holding, int64(rules.city_of[kind]))
            worth += number * value_of_laying_one(state, rules, appraisal, more)
    return worth / max(1, total)


@rule
def choose_play(state: State, rules: RulesRecord, appraisal: Appraisal, actions: Int16Array, size: int) -> int:
    """Lay a card, end the turn or close the route; or take a second card first."""
    official = state.official_used == 0
    best_action = -1
    best = 10 * IMPOSSIBLE
    for position in range(size):
        action = int64(actions[position])
        if action >= rules.first_left:
            worth = value_of_action(state, rules, appraisal, action, official)
            if worth > best:
                best = worth
                best_action = action
    if state.phase == PLAY and state.drawn == 1 and official and appraisal.horizon > 0.0:
        action = choose_draw(state, rules, appraisal, actions, size)
        if action >= 0 and value_of_postmaster(state, rules, appraisal, action) > best:
            return action
    return best_action


@allocating_rule
def choose_heuristic(state: State, rules: RulesRecord, weights: Weights, actions: Int16Array, size: int) -> int:
    """Return the action of the best plan; deterministic."""
    return choose_by_plan(state, rules, weights, empty_appraisal(), actions, size)


@rule
def choose_by_plan(
    state: State, rules: RulesRecord, weights: Weights, appraisals: States, actions: Int16Array, size: int
) -> int:
    """Like `choose_heuristic`, with a buffer for one appraisal."""
    phase = state.phase
    appraisal = appraisals[0]
    begin_appraisal(appraisal, weights)
    if phase == CARTWRIGHT:
        length = int64(state.route_length[state.seat])
        helps = carriage_worth(state, rules, appraisal, length, True, 0.0) > 0
        return int64(rules.first_cartwright if helps else rules.first_decline)
    appraise_cities(state, rules, state.seat, appraisal, appraisal.values)
    if phase == HOUSES:
        if state.holder >= 0:
            return exact_option(state, rules, appraisal, actions, size)
        return better_option(state, rules, appraisal.values, actions, size)
    if phase == HOUSE:
        return best_house(rules, appraisal.values, actions, size)
    appraise_lengths(state, rules, appraisal)
    count_unseen(state, rules, appraisal.unseen)
    appraisal.available = cities_to_be_had(state, rules, appraisal.unseen)
    appraisal.horizon = turns_left(state, rules, weights)
    if plays_with_horses(rules):
        note_horses_in_hand(state, rules, appraisal)
    if phase == DISCARD:
        return best_discard(state, rules, appraisal, actions, size)
    if phase == DRAW or phase == SECOND_DRAW:
        return choose_draw(state, rules, appraisal, actions, size)
    return choose_play(state, rules, appraisal, actions, size)
