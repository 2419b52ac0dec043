"""A small random generator whose whole state is one 64-bit integer, so that it fits into a game's record.

MWC64X, the multiply-with-carry generator of David B. Thomas (2011, published for graphics cards): the low half of the
state is multiplied by a constant, the high half is carried, and the output is the two halves xor-ed. Period about
2^63. It never overflows 64 bits, so plain NumPy integers compute the same numbers as compiled code.

Generators are one-element uint64 arrays, changed in place.
"""

import numpy as np

from thurn_env.kernels import Int8Array, UInt64Array, inlined_rule, int64, rule

_MULTIPLIER = np.uint64(4294883355)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@inlined_rule
def next_word(generator: UInt64Array) -> np.uint64:
    """The next 32 random bits, as uint64."""
    low = generator[0] & _LOW_HALF
    high = generator[0] >> _HALF
    generator[0] = _MULTIPLIER * low + high
    return low ^ high


@inlined_rule
def below(generator: UInt64Array, bound: int) -> int:
    """A random integer in `0 .. bound - 1` (bound at least 1). The bias is below bound / 2^32."""
    return int64((next_word(generator) * np.uint64(bound)) >> _HALF)


@rule
def shuffle(generator: UInt64Array, cards: Int8Array, count: int) -> None:
    """Shuffle the first `count` items of `cards` in place (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(generator, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


def seeded(seed: int | None, *purpose: int) -> UInt64Array:
    """A generator for one purpose of one seed.

    Args:
        seed: any integer from 0 up; None takes fresh entropy from the operating system.
        purpose: integers that name the stream; different purposes of one seed are independent.

    Returns:
        uint64 array of shape (1,).
    """
    words = np.random.SeedSequence(seed, spawn_key=purpose).generate_state(2, np.uint32)
    return np.array([generator_state(int(words[0]), int(words[1]))], np.uint64)


def generator_state(high: int, low: int) -> int:
    """Two 32-bit words as a valid state: the carry must stay below the multiplier and the state off zero."""
    return (high % (int(_MULTIPLIER) - 1) << 32) | (low or 1)
