"""The running mean of a network's weights: evaluations play it and files hold it, training goes on without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from tests.test_network import NETWORKS, observations, random_weights
from tests.test_training import train
from thurn_env import make_rules
from thurn_env.players.policy import Network, load
from thurn_env.training.average import blended, share
from thurn_env.training.checkpoint import load as load_checkpoint
from thurn_env.training.checkpoint import restore
from thurn_env.training.cloning import Cloning
from thurn_env.training.exchange import exported


@pytest.mark.parametrize(("network", "game", "board"), NETWORKS)
def test_the_mean_of_files_is_the_file_of_the_mean(network: Network, game: str, board: str) -> None:
    rules = make_rules(game, 3, board)
    old, new, mean = (random_weights(Cloning(rules, network, 16, 2, 1e-3, 0.5, seed).policy) for seed in (1, 2, 3))
    with torch.no_grad():
        for one, two, three in zip(old.parameters(), new.parameters(), mean.parameters(), strict=True):
            three.copy_(0.75 * one + 0.25 * two)
    seen = observations(rules)
    files = blended(exported(old, rules, {}), exported(new, rules, {}), 0.25)
    for ours, theirs in zip(files(seen), exported(mean, rules, {})(seen), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-5)


def test_the_newest_weights_have_the_share_of_their_round() -> None:
    assert share(made=10_000_000, now=50_000, reach=1_000_000) == 0.05
    assert share(made=1_000_000, now=50_000, reach=1_000_000) == 0.25, "at first a fifth of the run so far"
    assert share(made=50_000, now=50_000, reach=1_000_000) == 1
    assert share(made=10_000_000, now=50_000, reach=0) == 1


def test_a_run_writes_the_mean_and_trains_without_it(tmp_path: Path) -> None:
    mean, newest = tmp_path / "mean", tmp_path / "newest"
    assert train(mean, 1000) == train(newest, 1000, "--average", "0") == 0
    weights = {}
    for run in (mean, newest):
        model, env, _ = restore(load_checkpoint(run), "cpu")
        weights[run] = exported(model.policy, env.rules, {})
    for one, two in zip(weights[mean].trunk, weights[newest].trunk, strict=True):
        assert np.array_equal(one.weight, two.weight)
    for one, two in zip(weights[newest].trunk, load(newest / "last.npz").trunk, strict=True):
        assert np.array_equal(one.weight, two.weight)
    held = load(mean / "last.npz").trunk[0].weight
    assert not np.array_equal(held, weights[mean].trunk[0].weight)


def test_the_policy_that_a_run_begins_with_fades(tmp_path: Path) -> None:
    """What files hold is close to the newest weights, next to the way that these have come."""
    run = tmp_path / "run"
    assert train(run, 4000, "--learning-rate", "3e-3", "--snapshots", "32") == 0
    model, env, progressed = restore(load_checkpoint(run), "cpu")
    newest, first = exported(model.policy, env.rules, {}), progressed.past[0]
    mean = load(run / "last.npz")
    behind = np.linalg.norm(mean.actions.weight - newest.actions.weight)
    assert behind < 0.5 * np.linalg.norm(first.actions.weight - newest.actions.weight)
