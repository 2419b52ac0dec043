"""Many games in one call: which game begins in which lane."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.batches import begun, everything
from tests.choices import Chooser
from thurn_env import Game, OptionError, ThurnError
from thurn_env.table.batch import Batch


def test_lanes_are_reset_by_index_or_mask() -> None:
    batch, chooser = begun()
    for lanes, seeds in (
        ([1, 4], 100),
        (np.array([False, True, False, False, True, False]), 100),
        ([1, 4], [101, 104]),
        ([4, 1], [104, 101]),
        ((np.int8(4), 1), (np.uint64(104), 101)),
        (np.array([4, 1]), np.array([104, 101])),
        ([1, 4, 4, 1], 100),
    ):
        before = [batch.game(lane) for lane in range(6)]
        batch.reset(seeds, lanes=lanes)
        for lane in range(6):
            if lane in (1, 4):
                assert batch.game(lane).to_bytes() == Game(3, "tiny", 100 + lane).to_bytes()
            else:
                assert batch.game(lane) == before[lane]
        batch.step(chooser(batch.masks))
    untouched = everything(batch)
    empty: tuple[Any, ...] = ([], np.zeros(6, np.bool_))
    for nothing in empty:
        batch.reset(7, lanes=nothing)
        batch.reset(lanes=nothing)
    assert everything(batch) == untouched


def test_later_games_of_a_lane_equal_fresh_ones() -> None:
    batch, _ = begun(steps=100)
    batch.reset(5)
    assert batch.game(0) == Game(3, "tiny", 5)


@pytest.mark.parametrize(
    ("lanes", "message"),
    [
        ([6], "lanes go from 0 to 5"),
        ([-1], "lanes go from 0 to 5"),
        ([0.0, 1.0], "lanes are indices from 0 to 5, or a mask of 6 Boolean values"),
        ([True, False], "a mask of 6 Boolean values"),
        (3, "lanes are indices"),
        ([[1]], "lanes are indices"),
        (["1"], "lanes are indices"),
    ],
    ids=str,
)
def test_lanes_that_do_not_exist(lanes: Any, message: str) -> None:
    batch, _ = begun()
    before = everything(batch)
    with pytest.raises(OptionError, match=message):
        batch.reset(lanes=lanes)
    assert everything(batch) == before


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "from 0 to 2\\^64 - 1, not -1"),
        (2**64, "not 18446744073709551616"),
        (2**64 - 5, "not 18446744073709551616"),  # lane 5 would get it
        (np.uint64(2**64 - 5), "not 18446744073709551616"),
        (True, "not True"),
        (1.5, "not 1.5"),
        ("12", "not '12'"),
        ([1, 2, 3, 4, 5, 2.0], "not 2.0"),
        ([1, 2, 3, 4, 5, True], "not True"),
        ([1, 2, 3, 4, 5, None], "not None"),
        (np.ones(6), "not 1.0"),
        ([1, 2], "2 seeds for 6 lanes"),
    ],
    ids=str,
)
def test_wrong_seeds(seed: Any, message: str) -> None:
    batch, _ = begun()
    before = everything(batch)
    with pytest.raises(OptionError, match=message):
        batch.reset(seed)
    assert everything(batch) == before


def test_all_kinds_of_seeds() -> None:
    """The seed of a lane is that of `Game`, however it is written down."""
    batch = Batch(3, 2, "tiny")
    for seed, expected in (
        (0, [0, 1, 2]),
        (2**64 - 3, [2**64 - 3, 2**64 - 2, 2**64 - 1]),
        (np.int8(126), [126, 127, 128]),
        (np.uint64(2**64 - 3), [2**64 - 3, 2**64 - 2, 2**64 - 1]),
        ([5, 2**64 - 1, 5], [5, 2**64 - 1, 5]),
        (np.array([9, 8, 7], np.uint64), [9, 8, 7]),
        (range(2, 5), [2, 3, 4]),
    ):
        batch.reset(seed)
        assert [batch.game(lane) == Game(2, "tiny", value) for lane, value in enumerate(expected)] == [True] * 3


def test_resets_without_a_seed() -> None:
    """The first time they bring fresh games, later the ones that follow; a seed begins the row anew."""
    fresh = [Batch(2, 2, "tiny") for _ in range(3)]
    for batch in fresh:
        batch.reset()
    assert len({batch.lanes.states.tobytes() for batch in fresh}) == 3

    def decks(batch: Batch, *seeds: int | None) -> list[bytes]:
        found = []
        for seed in seeds:
            batch.reset(seed)
            found.append(batch.lanes.states["deck"].tobytes())
        return found

    batch = Batch(2, 2, "tiny")
    first = decks(batch, 3, None, None, 4, None)
    assert len(set(first)) == 5
    assert decks(batch, 3, None, None, 4, None) == first


def test_the_first_reset_begins_all_games() -> None:
    """Else there would be lanes without a game."""
    for illegal in ("raise", "replace"):
        batch = Batch(3, 2, "tiny", illegal=illegal)
        for lanes in ([1], [False, True, True], []):
            with pytest.raises(ThurnError, match="the next reset must begin a game in every lane"):
                batch.reset(1, lanes=lanes)
            with pytest.raises(ThurnError, match=r"there are no games yet: call reset\(\)"):
                batch.step(np.zeros(3, np.int64))
        batch.reset(1, lanes=[2, 0, 1])
        batch.step(batch.masks.argmax(axis=1))


def test_the_start_player_may_be_chosen() -> None:
    batch = Batch(2, 3, "tiny", max_rounds=2)
    chooser = Chooser(batch.rules)
    for seat in range(3):
        batch.reset(5, start_player=seat)
        for lane in range(2):
            assert batch.game(lane) == Game(3, "tiny", 5 + lane, start_player=seat, max_rounds=2)
    # The games that follow leave it to chance again.
    starts: Counter[int] = Counter()
    for _ in range(600):
        batch.step(chooser(batch.masks))
        starts.update(batch.game(int(lane)).start_player for lane in batch.ended)
    assert sorted(starts) == [0, 1, 2]
    for wrong in (3, -1, True, 1.5, "0"):
        with pytest.raises(OptionError, match="start_player must be a seat from 0 to 2"):
            batch.reset(start_player=wrong)
