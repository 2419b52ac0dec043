"""Scripted bots that finish a game: by name or number, and nothing that compiled code would misread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thurn_env import Game, OptionError
from thurn_env.engine.generator import seeded
from thurn_env.table.replay import verify


def test_bots_finish_by_name_or_number() -> None:
    ends = []
    for bots in (["greedy", "random"], [2, 0], np.array([2, 0])):
        game = Game(2, "tiny", seed=3)
        game.let_bots_finish(bots, np.array([seeded(5, seat) for seat in range(2)]))
        assert game.over
        verify(game.record())
        ends.append(game.moves)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize(
    ("bots", "generators", "message"),
    [
        ([0], np.ones((2, 1), np.uint64), "1 bots for 2 players"),
        ([], np.ones((2, 1), np.uint64), "0 bots for 2 players"),
        ([0, 99], np.ones((2, 1), np.uint64), "there is no bot 99; the bots are random, "),
        ([0, -1], np.ones((2, 1), np.uint64), "there is no bot -1"),
        (["greedy", "rendom"], np.ones((2, 1), np.uint64), "there is no bot 'rendom'"),
        ([0, True], np.ones((2, 1), np.uint64), "there is no bot True"),
        ([0, 0], np.ones((1, 1), np.uint64), "generators must be a uint64 array of shape"),
        ([0, 0], np.ones(2, np.uint64), "generators must be a uint64 array of shape"),
        ([0, 0], np.ones((2, 2), np.uint64)[:, :1], "contiguous and writable"),
        ([0, 0], np.broadcast_to(np.uint64(1), (2, 1)), "contiguous and writable"),
        ([0, 0], np.ones((2, 1)), "generators must be a uint64 array of shape"),
        ([0, 0], [[1], [2]], "generators must be a uint64 array of shape"),
    ],
)
def test_bots_that_are_not_one_for_every_seat(bots: Any, generators: Any, message: str) -> None:
    """Compiled code reads both unchecked: it would read and write other memory."""
    game = Game(2, "tiny", seed=3)
    before = game.to_bytes()
    with pytest.raises(OptionError, match=message):
        game.let_bots_finish(bots, generators)
    assert game.to_bytes() == before
