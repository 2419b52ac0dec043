"""The kernel that writes the observation vector; the pieces and their order are declared in `observation`.

It works in two steps, which is what makes it fast: whole numbers go into a small `row` that stays in the processor's
cache, then one loop scales them all into the float32 vector.
"""

import numpy as np

from thurn_env.games.zug_um_zug_deutschland.phases import COLOUR, LOCOMOTIVES, PASSENGER, TICKET
from thurn_env.games.zug_um_zug_deutschland.rows import BITS
from thurn_env.games.zug_um_zug_deutschland.scoring import passenger_points
from thurn_env.kernels import Float32Array, Int8Array, Int16Array, Int64Array, RulesRecord, State, inlined_rule, int64


@inlined_rule
def put(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Write one number. Unsigned indices spare the check for negative ones."""
    row[at + np.uint64(index)] = value


@inlined_rule
def put_counts(row: Int16Array, at: np.uint64, counts: Int8Array) -> None:
    """A row of counts."""
    for index in range(counts.shape[0]):
        put(row, at, index, counts[index])


@inlined_rule
def put_set(row: Int16Array, at: np.uint64, members: Int64Array, size: int) -> None:
    """1 for every member of a set."""
    for word in range(members.shape[0]):
        bits = members[word]
        for member in range(BITS * word, min(size, BITS * word + BITS)):
            put(row, at, member, bits & 1)
            bits >>= 1


@inlined_rule
def observe_table(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """What lies open on the table, apart from the players' own areas."""
    players = state.hand.shape[0]
    put(row, rules.at_phase, state.phase, 1)
    put(row, rules.at_setting_up, 0, state.setting_up)
    put(row, rules.at_to_move, (state.seat - seat) % players, 1)
    put(row, rules.at_start_player, (state.start_player - seat) % players, 1)
    put(row, rules.at_round, 0, min(state.rounds, rules.round_bound))
    put(row, rules.at_ending, 0, state.ending)
    put(row, rules.at_last_turns, 0, state.last_turns)
    put(row, rules.at_deck_size, 0, state.deck_size)
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            row[rules.at_display + np.uint64(state.display[slot])] += 1
    put_counts(row, rules.at_discard, state.discard)
    colours = state.waiting.shape[1]
    for place in range(state.waiting.shape[0]):
        put_counts(row, rules.at_waiting + np.uint64(place * colours), state.waiting[place])
    put_counts(row, rules.at_pile_size, state.pile_size)


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
            row[rules.at_unseen + np.uint64(state.display[slot])] -= 1
    for step in range(1, players):
        other = (seat + step) % players
        put_counts(row, rules.at_known + np.uint64((step - 1) * kinds), state.known[other])
        put(row, rules.at_unknown, step - 1, state.hand_size[other] - state.known_size[other])


@inlined_rule
def observe_player(state: State, rules: RulesRecord, player: int, place: int, row: Int16Array) -> None:
    """What lies open of one player. `place` counts clockwise from the observing seat."""
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
    """The own tickets, and those between which the seat is choosing."""
    tickets = rules.ticket_points.shape[0]
    for word in range(state.held.shape[1]):
        held, done = state.held[seat, word], state.done[seat, word]
        for ticket in range(BITS * word, min(tickets, BITS * word + BITS)):
            put(row, rules.at_tickets, ticket, 2 * (done & 1) - (held & 1))
            held >>= 1
            done >>= 1
    put_set(row, rules.at_returned, state.returned[seat], tickets)
    if state.phase == TICKET:
        put(row, rules.at_kept, 0, state.kept)
        if state.seat == seat:
            for position in range(state.decided, state.drawn_count):
                put(row, rules.at_offered, state.drawn_tickets[position], 1 + (position == state.decided))


@inlined_rule
def observe_claim(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """What may be claimed, what is being paid for, and where passengers are asked for."""
    claims = rules.claim_length.shape[0]
    put_set(row, rules.at_open, state.open[seat], claims)
    if state.phase == COLOUR or state.phase == LOCOMOTIVES or state.phase == PASSENGER:
        put(row, rules.at_claim, state.claim, 1)
        if state.paying >= 0:
            put(row, rules.at_paying, state.paying, 1)
        if state.phase == PASSENGER:
            put(row, rules.at_asked, rules.claim_places[state.claim, int64(state.end)], 1)


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
    for place in range(players):
        observe_player(state, rules, (seat + place) % players, place, row)
    observe_claim(state, rules, seat, row)
    observe_tickets(state, rules, seat, row)
    for index in range(rules.scale.shape[0]):
        out[index] = np.float32(row[index]) * rules.scale[index]
