"""The networks that are trained are those that files hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_policy import with_cities
from thurn_env import Game, OptionError, make_rules
from thurn_env.engine.way_rules import sizes
from thurn_env.games.contract import GameRules
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.players.policy import Network
from thurn_env.training.cloning import Cloning
from thurn_env.training.exchange import exported, imported
from thurn_env.training.network import (
    ILLEGAL,
    LeanPolicy,
    drawn,
    networks_for,
    policy_arguments,
)
from thurn_env.training.things import city_actions, city_places, things_with_ways

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


def random_weights(policy: LeanPolicy) -> LeanPolicy:
    """Give random values to all weights; some are 0 before training."""
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.copy_(torch.randn(parameter.shape) * 0.3)
    return policy


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS)
def test_a_policy_says_the_same_in_torch_and_in_numpy(network: Network, game: str, board: str) -> None:
    rules = make_rules(game, 3, board)
    seen = observations(rules)
    cloning = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3)
    random_weights(cloning.policy)
    with torch.no_grad():
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
    policy = random_weights(Cloning(rules, network, 64, 2, 1e-3, 0.5, seed=3, bfloat16=True).policy)
    with torch.no_grad():
        actions, _, played = policy(seen)
    learned = policy.evaluate_actions(seen, actions)[1]
    assert torch.allclose(learned, played, rtol=0, atol=1e-4)


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS[1:])
def test_scores_begin_at_zero_and_are_learned(network: Network, game: str, board: str) -> None:
    """As with the other networks, all actions are about as probable before training."""
    rules = make_rules(game, 3, board)
    policy = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy
    seen = torch.from_numpy(observations(rules))
    assert (policy.extract_features(seen)[:, 16:] == 0).all()
    assert policy.log_probabilities(seen, None).std() < 0.1
    policy.log_probabilities(seen, None).square().sum().backward()
    trunk: Any = policy.features_extractor
    assert all(scorer.scores.weight.grad.abs().max() > 0 for scorer in trunk.scorers)
    optimised = {id(weight) for group in policy.optimizer.param_groups for weight in group["params"]}
    assert {id(weight) for weight in policy.parameters()} == optimised


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS[1:])
def test_policies_of_earlier_versions_are_taken_over_without_scores(network: Network, game: str, board: str) -> None:
    rules = make_rules(game, 3, board)
    seen = observations(rules)
    source = exported(random_weights(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy), rules, {})
    earlier = replace(source, scorers=())
    other = random_weights(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=4).policy)
    imported(other, earlier)
    assert exported(other, rules, {})(seen)[0] == pytest.approx(earlier(seen)[0], rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS[1:])
def test_scores_of_other_actions_are_not_taken_over(network: Network, game: str, board: str) -> None:
    """Such a policy comes from a game of another package that has listed other things since."""
    rules = make_rules(game, 3, board)
    policy = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy
    source = exported(policy, rules, {})
    first, *further = source.scorers
    for other in (
        [first._replace(targets=first.targets[::-1]), *further],
        [first._replace(values=first.values + 1), *further],
        [first._replace(values=first.values[1:]), *further],
        [*further, first, first],
    ):
        with pytest.raises(OptionError, match="the initial policy scores other actions than this version does"):
            imported(policy, replace(source, scorers=tuple(other)))


def test_scores_may_take_more_values_than_those_of_a_policy() -> None:
    """Scorers of earlier versions take no values of the places at the ends of tracks."""
    rules = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
    seen = observations(rules)
    source = exported(random_weights(Cloning(rules, "ways", 16, 2, 1e-3, 0.5, seed=3).policy), rules, {})
    fewer = [
        scorer._replace(values=scorer.values[:, ::-2].copy(), seen=scorer.seen[::-2].copy())
        for scorer in source.scorers
    ]
    earlier = replace(source, scorers=tuple(fewer))
    other = random_weights(Cloning(rules, "ways", 16, 2, 1e-3, 0.5, seed=4).policy)
    imported(other, earlier)
    assert exported(other, rules, {})(seen)[0] == pytest.approx(earlier(seen)[0], rel=1e-4, abs=1e-5)


def test_boards_without_places_have_no_network_for_cities() -> None:
    rules = make_rules("example", 2)
    assert networks_for(rules) == ["mlp"]
    with pytest.raises(OptionError, match="the network city is for boards with places, and Coaches has none; name"):
        policy_arguments(rules, "city", 16, 2, False)


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
    source = exported(random_weights(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy), rules, {})
    other = Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=4).policy
    imported(other, source)
    assert exported(other, rules, {})(seen)[0] == pytest.approx(source(seen)[0], rel=1e-4, abs=1e-5)
    with pytest.raises(OptionError, match="has different layers; pass --network city --width 8 --depth 1"):
        imported(other, replace(with_cities(rules), scorers=()))


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


def test_actions_about_cities_are_found() -> None:
    """With horses, a city has several cards; actions with cards and houses are about cities, the rest is not."""
    rules = make_rules("thurn_und_taxis", 2, "north", horses=True)
    board = cast("ThurnUndTaxis", rules).board
    texts = np.array(rules.action_texts)
    for city, actions in zip(board.cities, city_actions(rules), strict=True):
        # A province may have the name of a city.
        cities = [text for text in rules.action_texts if not text.startswith("fill ")]
        about = {text for text in cities if text.partition(" ")[2].partition("/")[0] == city.name}
        assert set(texts[actions].tolist()) == about
    columns = texts[city_actions(rules)].T.tolist()
    assert all(len({text.split()[0] for text in column}) == 1 for column in columns)
    assert city_actions(make_rules("zug_um_zug_deutschland", 2, "tiny_rails")).shape[1] == 0


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
    assert {rules.action_texts[action].split()[0] for action in city_actions(rules).ravel()} == {"house"}
    assert sorted([*places.ravel(), *others]) == list(range(rules.observation_size))


def test_what_ways_tell_of_things_joins_what_the_observation_tells() -> None:
    rules = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
    ways = rules.ways()
    assert ways is not None
    names = [
        *(name for name, piece in rules.observation_slices.items() for _ in range(piece.start, piece.stop)),
        *(f"ways' {name}" for name, size in sizes(ways).items() for _ in range(size)),
    ]
    of_ways = {
        "kinds": {"ways' pull"},
        "tickets": {"ways' trains", "ways' claims", "ways' closed"},
        "claims": {"ways' stake", "ways' danger", "ways' missing"},
        "passenger_colours": set(),
    }
    for things, (axis, plain) in zip(things_with_ways(rules, ways), rules.things.items(), strict=True):
        assert things.targets.tolist() == plain.targets.tolist()
        at_ends = ("waiting", "asked") if axis == "claims" else ()
        columns = [column for column in things.values.T if names[column[0]] not in at_ends]
        for column in columns:
            # Each value of the first thing is followed by the same one of the next thing.
            assert {names[value] for value in column} == {names[column[0]]}
            assert np.unique(np.diff(column)).size == 1
        told = {names[column[0]] for column in columns}
        assert told - {names[value] for value in plain.values[0]} == of_ways[axis]


def test_tracks_are_told_who_waits_at_both_ends() -> None:
    rules = make_rules("zug_um_zug_deutschland", 3, "tiny_rails")
    ways = rules.ways()
    assert ways is not None
    board: Any = rules.board
    numbers = {place.name: number for number, place in enumerate(board.places)}
    waiting, asked = (rules.observation_slices[name].start for name in ("waiting", "asked"))
    colours = rules.observation_shapes["waiting"][1]
    tracks = dict(zip(rules.things, things_with_ways(rules, ways), strict=True))["claims"]
    for values, (action,) in zip(tracks.values, tracks.targets, strict=True):
        ends = [numbers[name] for name in rules.action_texts[action].split()[1].split("-")]
        wanted = [[*(waiting + colours * place + np.arange(colours)), asked + place] for place in ends]
        told = [value for value in values if value < rules.observation_size and rules.observation_places[value] >= 0]
        assert told == [value for end in wanted for value in end]
