"""Legal actions: one list, from which the mask is made.

The loops over cards write every candidate and advance only past the legal ones. No branch depends on the cards, which
processors cannot predict; this doubles the engine's speed.
"""

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import contains
from thurn_env.games.thurn_und_taxis.rules.cards import card_is_face_up
from thurn_env.games.thurn_und_taxis.rules.closing import candidates, cities_asked, may_spread
from thurn_env.games.thurn_und_taxis.rules.horses import enough_horses, plays_with_horses, room_on_carriage
from thurn_env.games.thurn_und_taxis.rules.phases import (
    CARTWRIGHT,
    DISCARD,
    DRAW,
    END,
    HOUSE,
    HOUSES,
    PLAY,
    SECOND_DRAW,
)
from thurn_env.games.thurn_und_taxis.rules.route import fitting_left, fitting_right


@inlined_rule
def list_draws(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """R1, F2: list the different cards of the display, and the deck."""
    for slot in range(state.display.shape[0]):
        kind = state.display[slot]
        new = kind >= 0
        for earlier in range(slot):
            new &= state.display[earlier] != kind
        actions[size] = rules.first_take + kind
        size += new
    if state.deck_size > 0:
        actions[size] = rules.first_draw
        size += 1
    return size


@inlined_rule
def list_extensions(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """R11: list the cards of the hand that fit at an end of the route."""
    left = fitting_left(state, rules)
    right = fitting_right(state, rules)
    if left | right == 0:
        return size
    seat = state.seat
    for kind in range(state.hand.shape[1]):
        held = int64(state.hand[seat, kind] > 0)
        city = rules.city_of[kind]
        actions[size] = rules.first_left + kind
        size += held & (left >> city)
        actions[size] = rules.first_right + kind
        size += held & (right >> city)
    return size


@inlined_rule
def list_hand(state: State, first: int, actions: Int16Array, size: int) -> int:
    """List one action for every kind of card in the mover's hand."""
    seat = state.seat
    for kind in range(state.hand.shape[1]):
        actions[size] = first + kind
        size += state.hand[seat, kind] > 0
    return size


@rule
def list_house_options(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """R16, F5: list `spread`, and `fill` for every province with a candidate city."""
    if may_spread(state, rules):
        actions[size] = rules.first_spread
        size += 1
    open_cities = candidates(state)
    for province in range(rules.province_cities.shape[0]):
        if open_cities & rules.province_cities[province] != 0:
            actions[size] = rules.first_fill + province
            size += 1
    return size


@rule
def list_houses(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """R18, R19, F6 - F8: list the cities of the pending decision."""
    asked = cities_asked(state, rules)
    for city in range(rules.adjacent.shape[0]):
        if contains(asked, city):
            actions[size] = rules.first_house + city
            size += 1
    if rules.optional_houses:
        actions[size] = rules.first_leave
        size += 1
    return size


@inlined_rule
def legal_actions(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """Write the indices of all legal actions into `actions`, int16 of at least the size of the action space.

    Returns:
        their number; 0 when the game is over.
    """
    phase = state.phase
    size = 0
    if phase == DRAW or phase == SECOND_DRAW:
        size = list_draws(state, rules, actions, size)
        # R7: an official who is used, also by an empty hand (R6), excludes the administrator.
        if phase == DRAW and not state.official_used and card_is_face_up(state):
            actions[size] = rules.first_administrator
            size += 1
    elif phase == PLAY:
        if state.drawn == 1 and not state.official_used:
            size = list_draws(state, rules, actions, size)
        size = list_extensions(state, rules, actions, size)
        if plays_with_horses(rules) and room_on_carriage(state, rules):
            size = list_hand(state, rules.first_harness, actions, size)
        size = list_hand(state, rules.first_start, actions, size)
    elif phase == END:
        if not state.official_used and state.hand_size[state.seat] > 0:
            size = list_extensions(state, rules, actions, size)
            if plays_with_horses(rules) and room_on_carriage(state, rules):
                size = list_hand(state, rules.first_harness, actions, size)
        actions[size] = rules.first_end
        size += 1
        if state.route_length[state.seat] >= rules.minimum_route and enough_horses(state, rules):
            actions[size] = rules.first_close
            size += 1
    elif phase == HOUSES:
        size = list_house_options(state, rules, actions, size)
    elif phase == HOUSE:
        size = list_houses(state, rules, actions, size)
    elif phase == CARTWRIGHT:
        actions[0] = rules.first_cartwright
        actions[1] = rules.first_decline
        size = 2
    elif phase == DISCARD:
        size = list_hand(state, rules.first_discard, actions, size)
    return size
