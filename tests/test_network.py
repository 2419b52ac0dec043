"""The networks that are trained are those that files hold."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_policy import with_cities
from thurn_env import Game, OptionError, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.players.policy import Network
from thurn_env.training.cloning import Cloning
from thurn_env.training.exchange import exported, imported
from thurn_env.training.network import ILLEGAL, city_places, drawn

NETWORKS = [
    ("mlp", "thurn_und_taxis", "tiny"),
    ("city", "thurn_und_taxis", "tiny"),
    ("ways", "zug_um_zug_deutschland", "tiny_rails"),
]
"""Every network, with a game and a board for it."""


def observations(rules: GameRules) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """What the first players of some games see."""
    games = [Game.from_rules(rules, seed=seed) for seed in range(20)]
    return np.stack([game.view().observation for game in games])


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS)
def test_a_policy_says_the_same_in_torch_and_in_numpy(network: Network, game: str, board: str) -> None:
    rules = make_rules(game, 3, board)
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


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS)
def test_games_are_played_with_the_probabilities_that_learning_begins_with(
    network: Network, game: str, board: str
) -> None:
    """Otherwise the ratios of PPO are not 1 before the first step, and learning drifts away from good policies."""
    rules = make_rules(game, 3, board)
    seen = torch.from_numpy(observations(rules))
    policy = Cloning(rules, network, 64, 2, 1e-3, 0.5, seed=3, bfloat16=True).policy
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.3)
        actions, _, played = policy(seen)
    learned = policy.evaluate_actions(seen, actions)[1]
    assert torch.allclose(learned, played, rtol=0, atol=1e-4)


def test_actions_are_drawn_as_often_as_their_probabilities_say() -> None:
    torch.manual_seed(1)
    rows, logits = 100_000, torch.tensor([ILLEGAL, 1.0, ILLEGAL, 0.0, -4.0, 2.5, ILLEGAL])
    log_probabilities = torch.log_softmax(logits, dim=0)
    counts = drawn(log_probabilities.expand(rows, -1)).bincount(minlength=len(logits))
    expected = log_probabilities.exp()
    assert (counts[expected == 0] == 0).all()
    deviations = (counts - rows * expected) / (rows * expected * (1 - expected)).sqrt().clamp(min=1)
    assert deviations.abs().max() < 4


@pytest.mark.parametrize("legal", [0, 3, 6])
def test_the_only_legal_action_is_drawn(legal: int) -> None:
    logits = torch.full((1000, 7), ILLEGAL)
    logits[:, legal] = -3.0
    assert (drawn(torch.log_softmax(logits, dim=1)) == legal).all()


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS)
def test_a_policy_of_arrays_is_taken_over(network: Network, game: str, board: str) -> None:
    rules = make_rules(game, 3, board)
    seen = observations(rules)
    source = exported(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy, rules, {})
    other = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=4).policy
    imported(other, source)
    assert exported(other, rules, {})(seen)[0] == pytest.approx(source(seen)[0], rel=1e-4, abs=1e-5)
    with pytest.raises(OptionError, match="the initial policy has different layers"):
        imported(other, with_cities(rules))


@pytest.mark.parametrize(
    ("game", "board"),
    [("thurn_und_taxis", "tiny"), ("thurn_und_taxis", "south"), ("zug_um_zug_deutschland", "tiny_rails")],
)
def test_cities_are_found_in_the_observation(game: str, board: str) -> None:
    """Every column has the values that tell of one city, in the order of the vector; neighbours' shares sum up to 1."""
    rules = make_rules(game, 3, board)
    places, others, shares = city_places(rules)
    for city, column in enumerate(places.T):
        assert column.tolist() == np.flatnonzero(rules.observation_places == city).tolist()
    assert others.tolist() == np.flatnonzero(rules.observation_places < 0).tolist()
    assert cast("float", shares.sum(axis=1).max()) == pytest.approx(1)


def test_what_tells_more_of_some_cities_is_not_shared() -> None:
    """A board whose cities have cards with different numbers of horses: its pieces by card count as the rest."""
    board = cast("ThurnUndTaxis", make_rules("thurn_und_taxis", 2, "north")).board
    first, *further = board.cities
    uneven = replace(board, cities=(replace(first, horses=(1, 1, 2)), *further))
    rules = make_rules("thurn_und_taxis", 2, uneven, horses=True)
    places, others, _ = city_places(rules)
    hand, houses = (rules.observation_slices[name] for name in ("hand", "houses"))
    assert set(range(hand.start, hand.stop)) <= set(others.tolist())
    assert set(range(houses.start, houses.stop)) <= set(places.ravel().tolist())
    assert sorted([*places.ravel(), *others]) == list(range(rules.observation_size))
