"""The rules as compiled functions, with their ids."""

import numpy as np

from thurn_env.engine.generator import below, next_word, shuffle
from thurn_env.engine.kernels import Int8Array, Int16Array, RulesRecord, State, UInt64Array, inlined_rule, int64, rule
from thurn_env.engine.observation_row import put, put_counts
from thurn_env.games.example.phases import OVER, TURN
from thurn_env.games.ranking import ranking_of

_HALF = np.uint64(32)


@inlined_rule
def draw(state: State, seat: int) -> None:
    """Take the deck's top card into a hand, if there is one."""
    if state.deck_size > 0:
        state.deck_size -= 1
        state.hand[seat, state.deck[state.deck_size]] += 1
        state.hand_size[seat] += 1


@rule
def lay_out_deck(state: State, rules: RulesRecord) -> None:
    """All cards in the deck, in the order of weights."""
    size = 0
    for kind in range(rules.weight.shape[0]):
        for _ in range(rules.copies):
            state.deck[size] = kind
            size += 1
    state.deck_size = size


@rule
def begin_with_deck(state: State, rules: RulesRecord, start_player: int) -> None:
    """E1: with the deck as it lies, every player draws a hand."""
    state.rounds = 0
    state.load[:] = 0
    state.departed[:] = 0
    state.hand_size[:] = 0
    state.hand[:] = 0
    state.loaded[:] = 0
    state.truncated = 0
    state.phase = TURN
    state.start_player = start_player
    state.seat = start_player
    for _ in range(rules.dealt):
        for seat in range(state.load.shape[0]):
            draw(state, seat)


@rule
def begin_game(state: State, rules: RulesRecord, generator: int, start_player: int) -> None:
    """E1: shuffle, choose who begins unless that is given, deal."""
    state.generator[0] = generator
    lay_out_deck(state, rules)
    shuffle(state.generator, state.deck, int64(state.deck_size))
    first = int64(start_player)
    if first < 0:
        first = below(state.generator, state.load.shape[0])
    begin_with_deck(state, rules, first)


@inlined_rule
def legal_actions(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """E2: load a card of the hand, or depart. Returns the number of actions, 0 when the game is over."""
    if state.phase == OVER:
        return 0
    size = 0
    for kind in range(state.hand.shape[1]):
        actions[size] = rules.first_load + kind
        size += state.hand[state.seat, kind] > 0
    actions[size] = rules.first_depart
    return size + 1


@inlined_rule
def end_turn(state: State) -> None:
    """E4, E5: the next coach that has not departed; without one the game is over."""
    players = state.load.shape[0]
    for _ in range(players):
        state.seat = (state.seat + 1) % players
        state.rounds += state.seat == state.start_player
        if state.departed[state.seat] == 0:
            return
    state.phase = OVER


@inlined_rule
def apply(state: State, rules: RulesRecord, action: int) -> None:
    """E2, E3, E4: play a legal action."""
    seat = int64(state.seat)
    if action == rules.first_depart:
        state.departed[seat] = 1
    else:
        kind = action - rules.first_load
        state.hand[seat, kind] -= 1
        state.hand_size[seat] -= 1
        state.loaded[seat, kind] += 1
        state.load[seat] += rules.weight[kind]
        if rules.refill:
            draw(state, seat)
        state.departed[seat] = state.load[seat] > rules.capacity or state.hand_size[seat] == 0
    end_turn(state)


@inlined_rule
def over(state: State) -> bool:
    """Whether the game is over."""
    return state.phase == OVER


@rule
def score(state: State, rules: RulesRecord, seat: int) -> int:
    """E6: the load of the coach; nothing if it is overloaded."""
    load = int64(state.load[seat])
    return load if load <= rules.capacity else 0


@rule
def leads(state: State, rules: RulesRecord, seat: int, other: int) -> bool:
    """E6: the higher score ranks first; equal scores share the rank."""
    return score(state, rules, seat) > score(state, rules, other)


@inlined_rule
def point_scale(rules: RulesRecord) -> float:
    """What scores are divided by in rewards."""
    return float(rules.capacity)


rank, margin, potential, final_reward = ranking_of(score, leads, point_scale, OVER)


@inlined_rule
def write_row(state: State, rules: RulesRecord, seat: int, row: Int16Array) -> None:
    """Write what a seat may know: the table, from its own seat on, and its hand."""
    players = state.load.shape[0]
    kinds = state.hand.shape[1]
    row[:] = 0
    put(row, rules.at_phase, state.phase, 1)
    put(row, rules.at_to_move, (state.seat - seat) % players, 1)
    put(row, rules.at_start_player, (state.start_player - seat) % players, 1)
    put(row, rules.at_round, 0, min(state.rounds, rules.round_bound))
    put(row, rules.at_deck_size, 0, state.deck_size)
    put_counts(row, rules.at_hand, state.hand[seat])
    for place in range(players):
        player = (seat + place) % players
        put(row, rules.at_hand_size, place, state.hand_size[player])
        put_counts(row, rules.at_loaded + np.uint64(place * kinds), state.loaded[player])
        put(row, rules.at_load, place, state.load[player])
        put(row, rules.at_departed, place, state.departed[player])


@rule
def unseen_cards(state: State, rules: RulesRecord, seat: int, pool: Int8Array) -> int:
    """Write all cards that a seat has not seen, in the order of weights; return their number."""
    size = 0
    for kind in range(state.hand.shape[1]):
        number = rules.copies - state.hand[seat, kind]
        for player in range(state.loaded.shape[0]):
            number -= state.loaded[player, kind]
        for _ in range(number):
            pool[size] = kind
            size += 1
    return size


@rule
def redeal(state: State, rules: RulesRecord, seat: int, generator: UInt64Array) -> None:
    """Deal everything again that a seat cannot know: the hands of others, the deck, the generator."""
    size = unseen_cards(state, rules, seat, state.deck)
    shuffle(generator, state.deck, size)
    for other in range(state.hand.shape[0]):
        if other != seat:
            state.hand[other, :] = 0
            for _ in range(state.hand_size[other]):
                size -= 1
                state.hand[other, state.deck[size]] += 1
    for position in range(size, state.deck.shape[0]):
        state.deck[position] = 0
    state.generator[0] = (next_word(generator) << _HALF) >> np.uint64(1) | next_word(generator)
