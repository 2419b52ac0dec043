"""Kernel that writes the observation vector; the pieces and their order are declared in `observation`."""

import numpy as np

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, inlined_rule, loop_rule
from thurn_env.engine.observation_row import add, put, put_counts
from thurn_env.games.open_cards import put_hands, put_open_cards, put_turn
from thurn_env.games.thurn_und_taxis.rules.closing import cities_asked
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import HOUSE
from thurn_env.games.thurn_und_taxis.rules.scoring import score


@loop_rule
def put_set(row: Int16Array, at: np.uint64, members: int, size: int) -> None:
    """Write 1 for every member of a set."""
    for member in range(size):
        put(row, at, member, (members >> member) & 1)


@inlined_rule
def observe_table(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write public information about the table, apart from the players' areas."""
    players = state.hand.shape[0]
    put_turn(state, rules, seat, row)
    put(row, rules.at_turns_left, 0, (state.start_player - state.seat - 1) % players + 1)
    put(row, rules.at_final_round, 0, state.holder >= 0)
    put(row, rules.at_drawn, 0, state.drawn)
    put(row, rules.at_official_used, 0, state.official_used)
    put(row, rules.at_forced_postmaster, 0, state.forced_postmaster)
    put_open_cards(state, rules, row)
    for stack in range(state.tiles_taken.shape[0]):
        taken = state.tiles_taken[stack]
        left = rules.tiles_in_stack[stack] - taken
        put(row, rules.at_stack_size, stack, left)
        if left > 0:
            put(row, rules.at_stack_value, stack, rules.tile_value[stack, taken])
    if state.phase == HOUSE:
        cities = rules.adjacent.shape[0]
        put_set(row, rules.at_pending, state.pending, cities)
        put_set(row, rules.at_asked, cities_asked(state, rules), cities)


@inlined_rule
def observe_cards(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write the own hand, the known cards of the others, and the unseen cards."""
    put_hands(state, rules, seat, row)
    for player in range(state.hand.shape[0]):
        for index in range(state.route_length[player]):
            add(row, rules.at_unseen, state.route[player, index], -1)
        if plays_with_horses(rules):
            for kind in range(state.hand.shape[1]):
                add(row, rules.at_unseen, kind, -state.harnessed[player, kind])


@inlined_rule
def observe_backs(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """H7: write the horses on the backs of the deck's top card and of cards that others drew unseen."""
    players = state.hand.shape[0]
    if state.deck_size > 0:
        put(row, rules.at_top_horses, rules.horses_on[state.deck[state.deck_size - 1]] - 1, 1)
    for step in range(1, players):
        other = (seat + step) % players
        at = rules.at_unseen_horses + np.uint64((step - 1) * rules.horses_on_best_card)
        for kind in range(state.hand.shape[1]):
            add(row, at, rules.horses_on[kind] - 1, state.hand[other, kind] - state.known[other, kind])


@inlined_rule
def observe_player(state: State, rules: RulesRecord, player: int, place: int, row: Int16Array) -> None:
    """Write one player's area: route, houses, carriage, tiles. `place` counts clockwise from the observing seat."""
    cities = rules.adjacent.shape[0]
    stacks = state.tiles_taken.shape[0]
    length = state.route_length[player]
    put(row, rules.at_hand_size, place, state.hand_size[player])
    for index in range(length):
        put(row, rules.at_route, place * cities + rules.city_of[state.route[player, index]], 1)
    if length > 0:
        put(row, rules.at_route_ends, place * cities + rules.city_of[state.route[player, 0]], -1)
        put(row, rules.at_route_ends, place * cities + rules.city_of[state.route[player, length - 1]], 1)
    put(row, rules.at_route_length, place, length)
    put_set(row, rules.at_houses + np.uint64(place * cities), state.houses[player], cities)
    put(row, rules.at_houses_left, place, state.houses_left[player])
    if plays_with_horses(rules):
        kinds = state.hand.shape[1]
        put(row, rules.at_horses, place, state.horses[player])
        put_counts(row, rules.at_harnessed + np.uint64(place * kinds), state.harnessed[player])
    else:
        put(row, rules.at_carriage, place, state.carriage[player])
    put_counts(row, rules.at_tiles + np.uint64(place * stacks), state.tiles[player])
    put(row, rules.at_score, place, score(state, rules, player))


@inlined_rule
def write_row(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write the observation of `seat` into `row`, int16 (observation size,)."""
    players = state.hand.shape[0]
    row[:] = 0
    observe_table(state, rules, seat, row)
    observe_cards(state, rules, seat, row)
    if plays_with_horses(rules) and rules.open_backs:
        observe_backs(state, rules, seat, row)
    for place in range(players):
        observe_player(state, rules, (seat + place) % players, place, row)
