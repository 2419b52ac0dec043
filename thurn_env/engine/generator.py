"""A random generator whose state is one 64-bit integer, so that it fits into a game's record.

MWC64X, the multiply-with-carry generator of David B. Thomas (2011, published for graphics cards): the low half of the
state is multiplied by a constant, the high half is the carry, and the output is the xor of both halves. Period about
2^63. It never overflows 64 bits, so plain NumPy integers give the same numbers as compiled code.

Generators are uint64 arrays of shape (1,), changed in place.
"""

import numpy as np

from thurn_env.engine.kernels import Int8Array, UInt64Array, allocating_rule, inlined_rule, int64, rule

VIEW_STREAM = 1
"""Purpose of the random stream that re-deals views; see `seeded`."""
AGENT_STREAM = 2
"""Purpose of the seeds of agents, by seat; see `seeded`."""
RESET_STREAM = 3
"""Purpose of the seeds of later games after a reset without a seed, by number; see `seeded`."""
ACTION_STREAM = 4
"""Purpose of the random stream that replaces illegal actions; see `seeded`."""

_MULTIPLIER = np.uint64(4294883355)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@inlined_rule
def next_word(generator: UInt64Array) -> np.uint64:
    """Return the next 32 random bits, as uint64."""
    low = generator[0] & _LOW_HALF
    high = generator[0] >> _HALF
    generator[0] = _MULTIPLIER * low + high
    return low ^ high


@inlined_rule
def below(generator: UInt64Array, bound: int) -> int:
    """Return a random integer in `0 .. bound - 1` (bound at least 1). The bias is below bound / 2^32."""
    return int64((next_word(generator) * np.uint64(bound)) >> _HALF)


@rule
def shuffle(generator: UInt64Array, cards: Int8Array, count: int) -> None:
    """Shuffle the first `count` items of `cards` in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(generator, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


def seeded(seed: int | None, *purpose: int) -> UInt64Array:
    """Return a generator for one purpose of a seed.

    Args:
        seed: any integer from 0 up; None takes fresh entropy from the operating system.
        purpose: integers that name the stream; different purposes of one seed are independent.

    Returns:
        uint64 array of shape (1,).
    """
    words = np.random.SeedSequence(seed, spawn_key=purpose).generate_state(2, np.uint32)
    return np.array([generator_state(int(words[0]), int(words[1]))], np.uint64)


def generator_state(high: int, low: int) -> int:
    """Return a valid state from two 32-bit words: the carry is below the multiplier, the state not zero."""
    return (high % (int(_MULTIPLIER) - 1) << 32) | (low or 1)


def derived_seed(seed: int, *purpose: int) -> int:
    """Return a 64-bit seed for one purpose of another seed. Small seeds can be recovered from it by trying."""
    return int(np.random.SeedSequence(seed, spawn_key=purpose).generate_state(1, np.uint64)[0])


# The rest reimplements `numpy.random.SeedSequence` for kernels: lanes that begin new games by themselves
# use the seeds that single games would use. The algorithm is Melissa O'Neill's randutils::seed_seq_fe (2015).

_INIT_A, _MULTIPLIER_A = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_INIT_B, _MULTIPLIER_B = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_MIX_LEFT, _MIX_RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_SHIFT = np.uint64(16)
_ONE_MORE = np.uint64(0x100000000)


@inlined_rule
def _scrambled(word: np.uint64, constant: np.uint64, multiplier: np.uint64) -> np.uint64:
    word = ((word ^ constant) * ((constant * multiplier) & _LOW_HALF)) & _LOW_HALF
    return word ^ (word >> _SHIFT)


@inlined_rule
def _mixed(left: np.uint64, right: np.uint64) -> np.uint64:
    left = (left * _MIX_LEFT) & _LOW_HALF
    right = (right * _MIX_RIGHT) & _LOW_HALF
    word = (left + _ONE_MORE - right) & _LOW_HALF
    return word ^ (word >> _SHIFT)


@allocating_rule
def seed_words(seed: np.uint64, purpose: int, number: int) -> tuple[np.uint64, np.uint64]:
    """Return the first two 32-bit words of `SeedSequence(seed, spawn_key=(purpose, number))`; no key if negative."""
    pool = np.empty(4, np.uint64)
    constant = _INIT_A
    for index in range(4):
        word = np.uint64(0)
        if index == 0:
            word = seed & _LOW_HALF
        elif index == 1:
            word = seed >> _HALF
        pool[index] = _scrambled(word, constant, _MULTIPLIER_A)
        constant = (constant * _MULTIPLIER_A) & _LOW_HALF
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mixed(pool[target], _scrambled(pool[source], constant, _MULTIPLIER_A))
                constant = (constant * _MULTIPLIER_A) & _LOW_HALF
    if purpose >= 0:
        for key in (purpose, number):
            for target in range(4):
                pool[target] = _mixed(pool[target], _scrambled(np.uint64(key), constant, _MULTIPLIER_A))
                constant = (constant * _MULTIPLIER_A) & _LOW_HALF
    first = _scrambled(pool[0], _INIT_B, _MULTIPLIER_B)
    return first, _scrambled(pool[1], (_INIT_B * _MULTIPLIER_B) & _LOW_HALF, _MULTIPLIER_B)


@rule
def kernel_derived_seed(seed: np.uint64, purpose: int, number: int) -> np.uint64:
    """Return `derived_seed(seed, purpose, number)`, in kernels."""
    low, high = seed_words(seed, purpose, number)
    return low | (high << _HALF)


@rule
def kernel_seeded(seed: np.uint64) -> np.uint64:
    """Return the state of the generator `seeded(seed)`, in kernels."""
    high, low = seed_words(seed, -1, -1)
    high = high % (_MULTIPLIER - np.uint64(1))
    return (high << _HALF) | max(low, np.uint64(1))
