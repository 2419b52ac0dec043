"""Re-dealing of hidden information (R31, H7)."""

import numpy as np

from thurn_env.engine.generator import next_word, shuffle
from thurn_env.engine.kernels import Int8Array, RulesRecord, State, UInt64Array, rule
from thurn_env.games.hands import redeal_hands
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses

_HALF = np.uint64(32)


@rule
def pool_unseen(state: State, seat: int, pool: Int8Array) -> int:
    """Write the cards of the deck and those that the others drew unseen, in the order of kinds; return their number.

    The fixed order removes all information about the true deal.
    """
    pool[:] = 0
    size = 0
    for kind in range(state.hand.shape[1]):
        number = 0
        for index in range(state.deck_size):
            if state.deck[index] == kind:
                number += 1
        for other in range(state.hand.shape[0]):
            if other != seat:
                number += state.hand[other, kind] - state.known[other, kind]
        for _ in range(number):
            pool[size] = kind
            size += 1
    return size


@rule
def take_with_horses(rules: RulesRecord, pool: Int8Array, size: int, horses: int) -> int:
    """Take the first card with `horses` horses out of a shuffled pool, which keeps its order; return its kind."""
    position = 0
    while rules.horses_on[pool[position]] != horses:
        position += 1
    kind = pool[position]
    for index in range(position, size - 1):
        pool[index] = pool[index + 1]
    return kind


@rule
def redeal_hands_by_backs(state: State, rules: RulesRecord, seat: int, pool: Int8Array, size: int) -> int:
    """H7: replace every unseen card in other hands by one with as many horses; return the number of cards left."""
    for other in range(state.hand.shape[0]):
        if other == seat:
            continue
        for horses in range(1, rules.horses_on_best_card + 1):
            number = 0
            for kind in range(state.hand.shape[1]):
                if rules.horses_on[kind] == horses:
                    number += state.hand[other, kind] - state.known[other, kind]
                    state.hand[other, kind] = state.known[other, kind]
            for _ in range(number):
                state.hand[other, take_with_horses(rules, pool, size, horses)] += 1
                size -= 1
    return size


@rule
def redeal(state: State, rules: RulesRecord, seat: int, generator: UInt64Array) -> None:
    """Replace everything that `seat` cannot know by random values drawn from `generator`.

    Hidden from a seat are the order of the deck, the other players' cards drawn unseen, and the generator of later
    shuffles; with open backs (H7) the horses of those cards and of the deck's top card are known and stay. Two states
    that look alike to the seat become equal for equal generators. Numbers of cards are public and stay as they are.

    Information from counting cards through a reshuffle is treated as unknown.
    """
    pool = state.next_deck
    size = pool_unseen(state, seat, pool)
    shuffle(generator, pool, size)
    if plays_with_horses(rules) and rules.open_backs:
        top = -1
        if state.deck_size > 0:
            horses = rules.horses_on[state.deck[state.deck_size - 1]]
            top = take_with_horses(rules, pool, size, horses)
            size -= 1
        size = redeal_hands_by_backs(state, rules, seat, pool, size)
        # Taking cards out by their backs has left an order that contains information about them.
        shuffle(generator, pool, size)
        if top >= 0:
            pool[size] = top
            size += 1
    else:
        size = redeal_hands(state, seat, pool, size)
    for index in range(state.deck.shape[0]):
        state.deck[index] = pool[index] if index < size else -1
    pool[:] = 0
    state.next_deck_size = 0
    state.generator[0] = (next_word(generator) << _HALF) >> np.uint64(1) | next_word(generator)
