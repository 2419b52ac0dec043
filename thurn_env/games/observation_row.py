"""Writing observations, and what players of every card game here see alike: whose turn it is, cards, hands.

It goes in two steps, which is what makes it fast: whole numbers go into a small `row` that stays in the processor's
cache, then one loop scales them all into the float32 vector. The pieces have the names that are declared in the game's
`observation.py`; the rules record says where they start, see `ObservationTable.fields`.
"""

import numpy as np

from thurn_env.kernels import Float32Array, Int8Array, Int16Array, RulesRecord, State, inlined_rule, loop_rule


@inlined_rule
def put(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Write one number. Unsigned indices spare the check for negative ones."""
    row[at + np.uint64(index)] = value


@inlined_rule
def add(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Add to one number."""
    row[at + np.uint64(index)] += value


@loop_rule
def put_counts(row: Int16Array, at: np.uint64, counts: Int8Array) -> None:
    """A row of counts."""
    for index in range(counts.shape[0]):
        put(row, at, index, counts[index])


@inlined_rule
def put_turn(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """`phase`, `to_move`, `start_player` and `round`."""
    players = state.hand.shape[0]
    put(row, rules.at_phase, state.phase, 1)
    put(row, rules.at_to_move, (state.seat - seat) % players, 1)
    put(row, rules.at_start_player, (state.start_player - seat) % players, 1)
    put(row, rules.at_round, 0, min(state.rounds, rules.round_bound))


@loop_rule
def put_open_cards(state: State, rules: RulesRecord, row: Int16Array) -> None:
    """`deck_size`, `display` and `discard`."""
    put(row, rules.at_deck_size, 0, state.deck_size)
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            add(row, rules.at_display, state.display[slot], 1)
    put_counts(row, rules.at_discard, state.discard)


@loop_rule
def put_hands(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """`hand`, `known` and `unknown`; `unseen` as if all cards lay in hands, on the display, or on deck and discards."""
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
    for step in range(1, players):
        other = (seat + step) % players
        put_counts(row, rules.at_known + np.uint64((step - 1) * kinds), state.known[other])
        put(row, rules.at_unknown, step - 1, state.hand_size[other] - state.known_size[other])


@loop_rule
def scale_row(rules: RulesRecord, row: Int16Array, out: Float32Array) -> None:
    """The second step: the whole numbers, scaled, into the vector."""
    for index in range(rules.scale.shape[0]):
        out[index] = np.float32(row[index]) * rules.scale[index]
