"""Kernel that writes the observation vector; the pieces and their order are declared in `observation`."""

import numpy as np

from thurn_env.engine.kernels import Int16Array, Int64Array, RulesRecord, State, inlined_rule, int64, loop_rule
from thurn_env.engine.observation_row import put, put_counts
from thurn_env.games.open_cards import put_hands, put_open_cards, put_turn
from thurn_env.games.zug_um_zug_deutschland.rules.phases import COLOUR, LOCOMOTIVES, PASSENGER, TICKET
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS
from thurn_env.games.zug_um_zug_deutschland.rules.scoring import passenger_points


@loop_rule
def put_set(row: Int16Array, at: np.uint64, members: Int64Array, size: int) -> None:
    """Write 1 for every member of a set."""
    for word in range(members.shape[0]):
        first = BITS * word
        for bit in range(min(size - first, BITS)):
            put(row, at, first + bit, (members[word] >> bit) & 1)


@inlined_rule
def observe_table(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write public information about the table, apart from the players' areas."""
    put_turn(state, rules, seat, row)
    put(row, rules.at_setting_up, 0, state.setting_up)
    put(row, rules.at_ending, 0, state.ending)
    put(row, rules.at_last_turns, 0, state.last_turns)
    put_open_cards(state, rules, row)
    put_counts(row, rules.at_waiting, state.waiting.reshape(state.waiting.size))
    put_counts(row, rules.at_pile_size, state.pile_size)


@inlined_rule
def observe_player(state: State, rules: RulesRecord, player: int, place: int, row: Int16Array) -> None:
    """Write public information about one player. `place` counts clockwise from the observing seat."""
    claims = rules.claim_length.shape[0]
    colours = state.passengers.shape[1]
    put(row, rules.at_hand_size, place, state.hand_size[player])
    put(row, rules.at_trains, place, state.trains[player])
    put(row, rules.at_points, place, state.points[player])
    put(row, rules.at_passenger_points, place, passenger_points(state, rules, player))
    put_counts(row, rules.at_passengers + np.uint64(place * colours), state.passengers[player])
    put_set(row, rules.at_claimed + np.uint64(place * claims), state.claimed[player], claims)
    put_counts(row, rules.at_ticket_count + np.uint64(2 * place), state.ticket_count[player])


@inlined_rule
def observe_tickets(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write the own tickets, and those among which the seat is choosing."""
    tickets = rules.ticket_points.shape[0]
    for word in range(state.held.shape[1]):
        first, held, done = BITS * word, state.held[seat, word], state.done[seat, word]
        for bit in range(min(tickets - first, BITS)):
            put(row, rules.at_tickets, first + bit, 2 * ((done >> bit) & 1) - ((held >> bit) & 1))
    put_set(row, rules.at_returned, state.returned[seat], tickets)
    if state.phase == TICKET:
        put(row, rules.at_kept, 0, state.kept)
        if state.seat == seat:
            for position in range(state.decided, state.drawn_count):
                put(row, rules.at_offered, state.drawn_tickets[position], 1 + (position == state.decided))


@inlined_rule
def observe_claim(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write the open claims, the claim being paid for, and the place whose passengers the player chooses from."""
    claims = rules.claim_length.shape[0]
    put_set(row, rules.at_open, state.open[seat], claims)
    if state.phase == COLOUR or state.phase == LOCOMOTIVES or state.phase == PASSENGER:
        put(row, rules.at_claim, state.claim, 1)
        if state.paying >= 0:
            put(row, rules.at_paying, state.paying, 1)
        if state.phase == PASSENGER:
            put(row, rules.at_asked, rules.claim_places[state.claim, int64(state.end)], 1)


@inlined_rule
def write_row(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write the observation of `seat` into `row`, int16 (observation size,)."""
    players = state.hand.shape[0]
    row[:] = 0
    observe_table(state, rules, seat, row)
    put_hands(state, rules, seat, row)
    for place in range(players):
        observe_player(state, rules, (seat + place) % players, place, row)
    observe_claim(state, rules, seat, row)
    observe_tickets(state, rules, seat, row)
