"""Hidden information: what a seat cannot know, dealt anew (R31)."""

import numpy as np

from thurn_env.generator import next_word, shuffle
from thurn_env.kernels import State, UInt64Array, rule

_HALF = np.uint64(32)


@rule
def redeal(state: State, seat: int, generator: UInt64Array) -> None:
    """Give everything that `seat` cannot know a new random value, drawn from `generator`.

    Hidden from a seat are the order of the deck, the other players' cards drawn unseen, and the generator of later
    shuffles. The unseen cards are pooled in kind order, so that nothing of the true deal can shine through: two states
    that look alike to the seat become equal for equal generators. Numbers of cards are open and stay as they are.

    What a player could work out by counting cards through a reshuffle is treated as unknown.
    """
    unseen = state.next_deck
    unseen[:] = 0
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
            unseen[size] = kind
            size += 1
    shuffle(generator, unseen, size)
    for other in range(state.hand.shape[0]):
        if other != seat:
            state.hand[other] = state.known[other]
            for _ in range(state.hand_size[other] - state.known_size[other]):
                size -= 1
                state.hand[other, unseen[size]] += 1
    for index in range(state.deck.shape[0]):
        state.deck[index] = unseen[index] if index < size else -1
    unseen[:] = 0
    state.next_deck_size = 0
    state.generator[0] = (next_word(generator) << _HALF) >> np.uint64(1) | next_word(generator)
