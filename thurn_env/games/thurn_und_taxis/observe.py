"""The kernel that writes the observation vector; the pieces and their order are declared in `observation`.

It works in two steps, which is what makes it fast: whole numbers go into a small `row` that stays in the processor's
cache, then one loop scales them all into the float32 vector.
"""

import numpy as np

from thurn_env.games.thurn_und_taxis.closing import cities_asked
from thurn_env.games.thurn_und_taxis.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.phases import HOUSE
from thurn_env.games.thurn_und_taxis.scoring import score
from thurn_env.kernels import Float32Array, Int8Array, Int16Array, RulesRecord, State, inlined_rule


@inlined_rule
def put(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Write one number. Unsigned indices spare the check for negative ones."""
    row[at + np.uint64(index)] = value


@inlined_rule
def add(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Add to one number."""
    row[at + np.uint64(index)] += value


@inlined_rule
def put_set(row: Int16Array, at: np.uint64, members: int, size: int) -> None:
    """1 for every member of a set."""
    for member in range(size):
        put(row, at, member, (members >> member) & 1)


@inlined_rule
def put_counts(row: Int16Array, at: np.uint64, counts: Int8Array) -> None:
    """A row of counts."""
    for index in range(counts.shape[0]):
        put(row, at, index, counts[index])


@inlined_rule
def observe_table(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """What lies open on the table, apart from the players' own areas."""
    players = state.hand.shape[0]
    put(row, rules.at_phase, state.phase, 1)
    put(row, rules.at_to_move, (state.seat - seat) % players, 1)
    put(row, rules.at_start_player, (state.start_player - seat) % players, 1)
    put(row, rules.at_round, 0, min(state.rounds, rules.round_bound))
    put(row, rules.at_turns_left, 0, (state.start_player - state.seat - 1) % players + 1)
    put(row, rules.at_final_round, 0, state.holder >= 0)
    put(row, rules.at_drawn, 0, state.drawn)
    put(row, rules.at_official_used, 0, state.official_used)
    put(row, rules.at_forced_postmaster, 0, state.forced_postmaster)
    put(row, rules.at_deck_size, 0, state.deck_size)
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            add(row, rules.at_display, state.display[slot], 1)
    put_counts(row, rules.at_discard, state.discard)
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
    """The own hand, what is known of the others', and the cards that nobody has shown."""
    kinds = state.hand.shape[1]
    players = state.hand.shape[0]
    put_counts(row, rules.at_hand, state.hand[seat])
    for kind in range(kinds):
        unseen = rules.copies[kind] - state.discard[kind] - state.hand[seat, kind]
        for step in range(1, players):
            unseen -= state.known[(seat + step) % players, kind]
        put(row, rules.at_unseen, kind, unseen)
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            add(row, rules.at_unseen, state.display[slot], -1)
    for player in range(players):
        for index in range(state.route_length[player]):
            add(row, rules.at_unseen, state.route[player, index], -1)
        if plays_with_horses(rules):
            for kind in range(kinds):
                add(row, rules.at_unseen, kind, -state.harnessed[player, kind])
    for step in range(1, players):
        other = (seat + step) % players
        put_counts(row, rules.at_known + np.uint64((step - 1) * kinds), state.known[other])
        put(row, rules.at_unknown, step - 1, state.hand_size[other] - state.known_size[other])


@inlined_rule
def observe_backs(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """H7: the horses on the backs of the deck's top card and of cards that others drew unseen."""
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
    """One player's area: route, houses, carriage, tiles. `place` counts clockwise from the observing seat."""
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
def observe(state: State, rules: RulesRecord, seat: int, row: Int16Array, out: Float32Array) -> None:
    """Write what `seat` may know.

    Args:
        seat: the observing seat.
        row: working space, int16, as long as the observation.
        out: float32, the length of the observation table.
    """
    players = state.hand.shape[0]
    row[:] = 0
    observe_table(state, rules, seat, row)
    observe_cards(state, rules, seat, row)
    if plays_with_horses(rules) and rules.open_backs:
        observe_backs(state, rules, seat, row)
    for place in range(players):
        observe_player(state, rules, (seat + place) % players, place, row)
    for index in range(rules.scale.shape[0]):
        out[index] = np.float32(row[index]) * rules.scale[index]
