"""The networks that are trained are those that files hold."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_policy import with_cities
from thurn_env import Game, OptionError, make_rules
from thurn_env.games.contract import GameRules
from train.cloning import Cloning
from train.config import Network
from train.network import city_places, exported, imported


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


def observations(rules: GameRules) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """What the first players of some games see."""
    games = [Game.from_rules(rules, seed=seed) for seed in range(20)]
    return np.stack([game.view().observation for game in games])


@pytest.mark.parametrize("network", ["mlp", "city"])
def test_a_policy_says_the_same_in_torch_and_in_numpy(rules: GameRules, network: Network) -> None:
    seen = observations(rules)
    cloning = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3)
    with torch.no_grad():
        for parameter in cloning.policy.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.3)
        hidden = cloning.policy.extract_features(torch.from_numpy(seen))
        logits, values = cloning.policy.action_net(hidden), cloning.policy.value_net(hidden)[:, 0]
    mine = exported(cloning.policy, rules, {})(seen)
    assert mine[0] == pytest.approx(logits.numpy(), rel=1e-3, abs=1e-3)
    assert mine[1] == pytest.approx(values.numpy(), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("network", ["mlp", "city"])
def test_a_policy_of_arrays_is_taken_over(rules: GameRules, network: Network) -> None:
    seen = observations(rules)
    source = exported(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy, rules, {})
    other = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=4).policy
    imported(other, source)
    assert exported(other, rules, {})(seen)[0] == pytest.approx(source(seen)[0], rel=1e-4, abs=1e-5)
    with pytest.raises(OptionError, match="the policy to begin with has other layers"):
        imported(other, with_cities(rules))


def test_cities_are_found_in_the_observation(rules: GameRules) -> None:
    """Their pieces are those with a value for every city; neighbours' shares sum up to 1."""
    places, others, shares = city_places(rules)
    cities = len(rules.neighbours())
    pieces = [name for name, shape in rules.observation_shapes.items() if shape and shape[-1] == cities]
    assert "asked" in pieces
    assert "hand" in pieces
    assert "phase" not in pieces
    assert sorted([*places.ravel(), *others]) == list(range(rules.observation_size))
    asked = rules.observation_slices["asked"]
    assert list(range(asked.start, asked.stop)) in places.tolist()
    assert cast("float", shares.sum(axis=1).max()) == pytest.approx(1)
