"""Observation pieces shared by all card games: turn, cards and hands.

The pieces have the names that are declared in the game's `observation.py`.
"""

import numpy as np

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, inlined_rule, loop_rule
from thurn_env.engine.observation_row import add, put, put_counts


@inlined_rule
def put_turn(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write `phase`, `to_move`, `start_player` and `round`."""
    players = state.hand.shape[0]
    put(row, rules.at_phase, state.phase, 1)
    put(row, rules.at_to_move, (state.seat - seat) % players, 1)
    put(row, rules.at_start_player, (state.start_player - seat) % players, 1)
    put(row, rules.at_round, 0, min(state.rounds, rules.round_bound))


@loop_rule
def put_open_cards(state: State, rules: RulesRecord, row: Int16Array) -> None:
    """Write `deck_size`, `display` and `discard`."""
    put(row, rules.at_deck_size, 0, state.deck_size)
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            add(row, rules.at_display, state.display[slot], 1)
    put_counts(row, rules.at_discard, state.discard)


@loop_rule
def put_hands(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write `hand`, `known`, `unknown` and `unseen`; callers subtract open cards elsewhere from `unseen`."""
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
