"""The random generator: the published recurrence, even distributions, streams that do not touch."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from thurn_env import Game
from thurn_env.engine.generator import (
    below,
    derived_seed,
    generator_state,
    kernel_derived_seed,
    kernel_seeded,
    next_word,
    seeded,
    shuffle,
)
from thurn_env.engine.kernels import kernel

MULTIPLIER = 4294883355
"""The constant of MWC64X."""

LEVEL = 1e-4
"""Fixed seeds: a fair generator fails such a test once in ten thousand choices of the seed, and then always."""


@kernel
def fill_words(generator, words):
    for index in range(words.shape[0]):
        words[index] = next_word(generator)


@kernel
def fill_below(generator, bound, numbers):
    for index in range(numbers.shape[0]):
        numbers[index] = below(generator, bound)


@kernel
def shuffle_rows(generator, rows, count):
    for index in range(rows.shape[0]):
        shuffle(generator, rows[index], count)


class PlainGenerator:
    """MWC64X in Python's own integers, which never overflow."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next_word(self) -> int:
        low, high = self.state % 2**32, self.state // 2**32
        self.state = MULTIPLIER * low + high
        return low ^ high

    def below(self, bound: int) -> int:
        return self.next_word() * bound // 2**32

    def shuffle(self, cards: list[int]) -> None:
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def words_of(generator: np.ndarray, count: int) -> np.ndarray:
    words = np.empty(count, np.uint64)
    fill_words(generator, words)
    return words


def numbers_below(generator: np.ndarray, bound: int, count: int) -> np.ndarray:
    numbers = np.empty(count, np.int64)
    fill_below(generator, bound, numbers)
    return numbers


EXTREME_STATES = (1, 2**32 - 1, 2**32, (MULTIPLIER - 2) << 32 | 0xFFFFFFFF, (MULTIPLIER - 2) << 32 | 1)


@pytest.mark.parametrize("state", [*(int(seeded(seed)[0]) for seed in range(5)), *EXTREME_STATES])
def test_the_words_are_those_of_the_recurrence(state: int) -> None:
    """Compiled 64-bit arithmetic and unlimited integers give the same words and states, also at the edges."""
    generator = np.array([state], np.uint64)
    plain = PlainGenerator(state)
    assert words_of(generator, 2000).tolist() == [plain.next_word() for _ in range(2000)]
    assert int(generator[0]) == plain.state
    assert plain.state < 2**64


def test_below_and_shuffle_are_made_from_the_words() -> None:
    generator, plain = seeded(11), PlainGenerator(int(seeded(11)[0]))
    for bound in (1, 2, 3, 6, 66, 2**20):
        numbers = numbers_below(generator, bound, 200).tolist()
        assert numbers == [plain.below(bound) for _ in range(200)]
        assert 0 <= min(numbers) <= max(numbers) < bound
    rows = np.tile(np.arange(10, dtype=np.int8), (50, 1))
    shuffle_rows(generator, rows, 10)
    for row in rows.tolist():
        cards = list(range(10))
        plain.shuffle(cards)
        assert row == cards


def test_shuffle_leaves_the_rest_alone() -> None:
    rows = np.tile(np.arange(10, dtype=np.int8), (200, 1))
    shuffle_rows(seeded(3), rows, 4)
    assert (rows[:, 4:] == np.arange(4, 10)).all()
    assert (np.sort(rows[:, :4]) == np.arange(4)).all()
    before = rows.copy()
    for count in (0, 1):
        shuffle_rows(seeded(3), rows, count)
        assert (rows == before).all()


@pytest.mark.parametrize("bound", [2, 3, 6, 22, 66])
@pytest.mark.parametrize("seed", [0, 1])
def test_below_is_uniform(bound: int, seed: int) -> None:
    numbers = numbers_below(seeded(seed), bound, 20_000 * bound)
    assert stats.chisquare(np.bincount(numbers, minlength=bound)).pvalue > LEVEL


def test_neighbouring_numbers_are_independent() -> None:
    numbers = numbers_below(seeded(5), 6, 400_000).reshape(-1, 2)
    pairs = np.bincount(numbers[:, 0] * 6 + numbers[:, 1], minlength=36)
    assert stats.chisquare(pairs).pvalue > LEVEL


@pytest.mark.parametrize("seed", [0, 1])
def test_every_order_is_equally_likely(seed: int) -> None:
    rows = np.tile(np.arange(4, dtype=np.int8), (48_000, 1))
    shuffle_rows(seeded(seed), rows, 4)
    seen = Counter(map(tuple, rows.tolist()))
    assert set(seen) == set(permutations(range(4)))
    assert stats.chisquare(list(seen.values())).pvalue > LEVEL


def test_every_card_is_equally_likely_at_every_place() -> None:
    """A deck of 66, as on the south board."""
    rows = np.tile(np.arange(66, dtype=np.int8), (20_000, 1))
    shuffle_rows(seeded(9), rows, 66)
    for place in (0, 1, 33, 64, 65):
        assert stats.chisquare(np.bincount(rows[:, place], minlength=66)).pvalue > LEVEL


def test_a_seed_names_one_stream() -> None:
    assert seeded(7).shape == (1,)
    assert seeded(7).dtype == np.uint64
    assert seeded(7)[0] == seeded(7)[0]
    assert seeded(7, 1, 2)[0] == seeded(7, 1, 2)[0]
    assert seeded(None)[0] != seeded(None)[0]
    assert seeded(2**200)[0] != seeded(2**200 + 1)[0]


def test_seeds_and_purposes_give_different_streams() -> None:
    purposes = [(), (1,), (2,), (1, 0), (1, 0, 0), (2, 0), (2, 1), (0, 1)]
    states = [int(seeded(seed, *purpose)[0]) for seed in range(200) for purpose in purposes]
    assert len(set(states)) == len(states)


@pytest.mark.parametrize("purposes", [[(), ()], [(), (1,)], [(2, 0), (2, 1)]])
def test_streams_are_independent(purposes: list[tuple[int, ...]]) -> None:
    """The first numbers of neighbouring seeds, or of two purposes of one seed, do not go together."""
    shift = 1 if purposes[0] == purposes[1] else 0
    pairs = np.zeros((6, 6), np.int64)
    for seed in range(20_000):
        first = PlainGenerator(int(seeded(seed, *purposes[0])[0])).below(6)
        second = PlainGenerator(int(seeded(seed + shift, *purposes[1])[0])).below(6)
        pairs[first, second] += 1
    assert stats.chisquare(pairs.ravel()).pvalue > LEVEL


def test_states_made_from_words_are_valid() -> None:
    """Neither zero nor a carry of the multiplier's size, from which the sequence would never move."""
    for high in (0, 1, MULTIPLIER - 2, MULTIPLIER - 1, MULTIPLIER, 2**32 - 1):
        for low in (0, 1, 2**32 - 1):
            state = generator_state(high, low)
            assert 0 < state < 2**64
            assert state >> 32 < MULTIPLIER - 1
            plain = PlainGenerator(state)
            plain.next_word()
            assert plain.state != state


def test_start_players_and_first_cards_are_even() -> None:
    """M1, M2: over many seeds every seat begins equally often and every city lies equally often in the display."""
    starts: Counter[int] = Counter()
    first_cards: Counter[str] = Counter()
    for seed in range(3_000):
        game = Game(players=4, board="tiny", seed=seed)
        starts[game.start_player] += 1
        first_cards[game.public()["display"][0]] += 1
    assert sorted(starts) == [0, 1, 2, 3]
    assert len(first_cards) == 6
    assert stats.chisquare(list(starts.values())).pvalue > LEVEL
    assert stats.chisquare(list(first_cards.values())).pvalue > LEVEL


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**40 + 5, 2**63, 2**64 - 1])
def test_kernels_derive_the_seeds_that_numpy_derives(seed: int) -> None:
    assert kernel_seeded(np.uint64(seed)) == seeded(seed)[0]
    for purpose, number in ((1, 0), (2, 3), (3, 1), (3, 2**31), (4, 2**32 - 1)):
        expected = np.random.SeedSequence(seed, spawn_key=(purpose, number)).generate_state(1, np.uint64)[0]
        assert derived_seed(seed, purpose, number) == expected
        assert kernel_derived_seed(np.uint64(seed), purpose, number) == expected
