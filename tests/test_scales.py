"""What brings the pieces of an observation to a common size."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from thurn_env import make_rules
from thurn_env.engine.generator import seeded
from thurn_env.games.contract import GameRules
from thurn_env.training.matches import games_of
from thurn_env.training.scales import MOST, observation_scales


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


def test_a_piece_has_one_scale_within_the_bounds(rules: GameRules) -> None:
    scales = observation_scales(rules)
    assert scales.shape == (rules.observation_size,)
    assert 1 <= scales.min() <= scales.max() <= MOST
    for piece in rules.observation_slices.values():
        assert len(set(scales[piece].tolist())) == 1


def test_scaled_pieces_have_about_the_same_size(rules: GameRules) -> None:
    """In other games than those measured; but for pieces that are hardly ever anything but 0."""
    games = games_of(rules, 200, "greedy")
    games.reset(7)
    sizes: dict[str, list[float]] = {name: [] for name in rules.observation_slices}
    greedy, advice = rules.bots.index("greedy"), seeded(7)
    for _ in range(60):
        for name, piece in rules.observation_slices.items():
            sizes[name].append(float(np.square(games.observations[:, piece]).mean()))
        games.step(rules.bot_actions(games.batch.lanes.states, greedy, advice))
    scales = observation_scales(rules)
    for name, piece in rules.observation_slices.items():
        scale = float(scales[piece.start])
        if scale < MOST:
            assert 1 / 2.5 < scale * float(np.mean(sizes[name])) ** 0.5 < 2.5, name


def test_scales_are_the_same_every_time(rules: GameRules) -> None:
    assert np.array_equal(observation_scales(rules), observation_scales(rules))
