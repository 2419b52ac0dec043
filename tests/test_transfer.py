"""A policy for one table starts the training for another table of the same game and board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from tests.test_network import random_weights
from tests.test_policy import some_policy
from thurn_env import Game, OptionError, make_rules
from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.players.policy import Network, Policy, identity, save
from thurn_env.training.cloning import Cloning
from thurn_env.training.exchange import exported
from thurn_env.training.transfer import initial_policy, transferred


def policy_of(rules: GameRules, network: Network) -> Policy:
    return exported(random_weights(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed=3).policy), rules, {})


def observations(rules: GameRules) -> Float32Array:
    """What players see in the course of some games, float32 (N, O)."""
    seen: list[Float32Array] = []
    for seed in range(6):
        game = Game.from_rules(rules, seed=seed)
        generator = np.random.default_rng(seed)
        while not game.over and len(seen) < 100 * (seed + 1):
            seen.append(game.view().observation)
            game.play(str(generator.choice(game.legal)))
    return np.stack(seen)


def of_fewer_players(rules: GameRules, fewer: GameRules, seen: Float32Array) -> Float32Array:
    """The same observations without the last seats, as counts of the smaller table."""
    columns = []
    for piece, shape in fewer.observation_shapes.items():
        rows = (seen / rules.observation_scale)[:, rules.observation_slices[piece]]
        kept = rows.reshape(len(seen), *rules.observation_shapes[piece])[
            (slice(None), *(slice(size) for size in shape))
        ]
        columns.append(kept.reshape(len(seen), -1))
    return np.concatenate(columns, axis=1) * fewer.observation_scale


@pytest.mark.parametrize(
    ("game", "board", "network"),
    [
        ("thurn_und_taxis", "tiny", "mlp"),
        ("thurn_und_taxis", "tiny", "city"),
        ("zug_um_zug_deutschland", "tiny_rails", "mlp"),
        ("zug_um_zug_deutschland", "tiny_rails", "city"),
        ("zug_um_zug_deutschland", "tiny_rails", "ways"),
        ("example", "standard", "mlp"),
    ],
)
def test_more_players(game: str, board: str, network: Network) -> None:
    """At first the policy ignores the additional seats: it plays as if they did not sit at the table."""
    fewer, rules = make_rules(game, 2, board), make_rules(game, 3, board)
    source = policy_of(fewer, network)
    policy, seen = transferred(source, rules), observations(rules)
    assert policy.game == identity(rules)
    for mine, theirs in zip(policy(seen), source(of_fewer_players(rules, fewer, seen)), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize("network", ["mlp", "city"])
def test_fewer_players(network: Network) -> None:
    """A policy for three players plays at a table for two as if the third one had nothing."""
    rules, more = make_rules("thurn_und_taxis", 2, "tiny"), make_rules("thurn_und_taxis", 3, "tiny")
    source, seen = policy_of(more, network), observations(rules)
    policy = transferred(source, rules)
    table = np.zeros((len(seen), more.observation_size), np.float32)
    for piece, shape in rules.observation_shapes.items():
        whole = np.zeros((len(seen), *more.observation_shapes[piece]), np.float32)
        rows = (seen / rules.observation_scale)[:, rules.observation_slices[piece]]
        whole[(slice(None), *(slice(size) for size in shape))] = rows.reshape(len(seen), *shape)
        table[:, more.observation_slices[piece]] = whole.reshape(len(seen), -1)
    assert policy(seen)[0] == pytest.approx(source(table * more.observation_scale)[0], abs=1e-4)


@pytest.mark.parametrize("network", ["mlp", "city"])
def test_cards_with_horses(network: Network) -> None:
    """Cards of one city are one card to a policy for the table without horses; actions with them are one action."""
    plain, rules = make_rules("thurn_und_taxis", 2, "north"), make_rules("thurn_und_taxis", 2, "north", horses=True)
    source, seen = policy_of(plain, network), observations(rules)
    policy = transferred(source, rules)
    counts = seen / rules.observation_scale
    table = np.zeros((len(seen), plain.observation_size), np.float32)
    for piece, place in plain.observation_slices.items():
        if piece not in rules.observation_slices:
            continue
        values = counts[:, rules.observation_slices[piece]]
        shape = plain.observation_shapes[piece]
        if piece in ("display", "discard", "unseen", "hand", "known"):
            cities = rules.observation_places[rules.observation_slices[piece]]
            values = np.stack([values[:, cities == city].sum(axis=1) for city in range(shape[-1])], axis=1)
        table[:, place] = values
    logits = source(table * plain.observation_scale)[0]
    mine = policy(seen)[0]
    for text in ("take Bremen/2", "end", "pass", "administrator"):
        if text in rules.action_indices:
            wanted = logits[:, plain.action_indices[text.partition("/")[0]]]
            assert mine[:, rules.action_indices[text]] == pytest.approx(wanted, abs=1e-4)
    assert "take Bremen/2" in rules.action_indices


def test_the_same_table_is_left_alone(tmp_path: Path) -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    policy = some_policy(rules)
    save(policy, tmp_path / "policy.npz")
    seen = observations(rules)
    assert np.array_equal(initial_policy(rules, str(tmp_path / "policy.npz"))(seen)[0], policy(seen)[0])


def test_a_policy_with_horses_for_a_table_without_them() -> None:
    """It is for the game and the board, so that the message must not deny that."""
    said = "the initial policy is for other options of Thurn und Taxis; start from one with the usual options, or with"
    with pytest.raises(OptionError, match=said):
        initial_policy(make_rules("thurn_und_taxis", 3, "north"), "thurn_und_taxis-north_horses-3")


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "north"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_other_boards_and_games(game: str, board: str, tmp_path: Path) -> None:
    save(some_policy(make_rules(game, 2, board)), tmp_path / "policy.npz")
    with pytest.raises(OptionError, match="the initial policy is not for Thurn und Taxis on the board tiny;"):
        initial_policy(make_rules("thurn_und_taxis", 2, "tiny"), str(tmp_path / "policy.npz"))


def test_scores_of_other_actions() -> None:
    """Such a policy was made before a game of another package changed what its actions are about."""
    source = policy_of(make_rules("zug_um_zug_deutschland", 2, "tiny_rails"), "ways")
    first, *further = source.scorers
    for other in (further, [first._replace(targets=first.targets[::-1]), *further]):
        with pytest.raises(OptionError, match="the initial policy scores other actions than this version does"):
            transferred(replace(source, scorers=tuple(other)), make_rules("zug_um_zug_deutschland", 3, "tiny_rails"))
