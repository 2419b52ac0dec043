"""Policies as files, and agents that play them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thurn_env import AgentError, Game, make_rules
from thurn_env.engine.network_rules import Cities
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match
from thurn_env.players.policy import Layer, Policy, identity, load, policy_for, save
from thurn_env.players.policy_agent import PolicyAgent
from thurn_env.players.scorers import Scorer


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


def layer(inputs: int, outputs: int, seed: int) -> Layer:
    generator = np.random.default_rng(seed)
    weight = generator.normal(size=(inputs, outputs)).astype(np.float32)
    return Layer(weight, generator.normal(size=outputs).astype(np.float32))


def some_policy(rules: GameRules, width: int = 8) -> Policy:
    """A policy of one hidden layer with random weights."""
    return Policy(
        trunk=(layer(rules.observation_size, width, 1),),
        actions=layer(width, rules.action_size, 2),
        value=layer(width, 1, 3),
        game=identity(rules),
        made={"steps": 5},
    )


def some_cities(rules: GameRules, width: int = 6, outputs: int = 2) -> Cities:
    """Layers over the cities of a board, with random weights."""
    neighbours = rules.neighbours()
    count, size = len(neighbours), rules.observation_size
    generator = np.random.default_rng(5)

    def numbers(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        return generator.normal(size=shape).astype(np.float32)

    # Which values are of which city does not matter here: any will do.
    order = generator.permutation(size)
    return Cities(
        places=order[: 3 * count].reshape(count, 3),
        others=order[3 * count :],
        shares=neighbours.astype(np.float32) / 4,
        first=numbers(3, width),
        names=numbers(count, width),
        rounds=numbers(2, 2 * width + 1, width),
        last=numbers(width + 1, outputs),
    )


def some_scorers(rules: GameRules, told: int, trunk: int = 8) -> tuple[Scorer, ...]:
    """Layers that score actions about things of two kinds, with random weights.

    Args:
        rules: the game.
        told: number of the trunk's inputs and of the values of all cities.
        trunk: number of the trunk's outputs.
    """
    generator = np.random.default_rng(6)

    def numbers(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        return generator.normal(size=shape).astype(np.float32)

    return tuple(
        Scorer(
            # Which values and actions are about which thing does not matter here: any will do.
            values=generator.integers(told, size=(things, values)),
            targets=generator.permutation(rules.action_size)[: things * kinds].reshape(things, kinds),
            seen=numbers(values, hidden),
            names=numbers(things, hidden),
            context=numbers(trunk, hidden),
            scores=numbers(hidden, kinds),
        )
        for things, values, hidden, kinds in ((7, 4, 5, 2), (3, 6, 3, 1))
    )


def with_cities(rules: GameRules) -> Policy:
    """A policy with layers over the cities, one hidden layer, scores and random weights."""
    cities = some_cities(rules)
    inputs = rules.observation_size + cities.last.shape[1] * len(cities.names)
    scorers = some_scorers(rules, inputs + cities.names.size)
    return replace(some_policy(rules), trunk=(layer(inputs, 8, 1),), cities=cities, scorers=scorers)


@pytest.fixture
def path(rules: GameRules, tmp_path: Path) -> Path:
    save(some_policy(rules), tmp_path / "policy.npz")
    return tmp_path / "policy.npz"


def test_a_file_holds_the_whole_policy(rules: GameRules, path: Path) -> None:
    policy, saved = some_policy(rules), load(path)
    seen = np.random.default_rng(4).normal(size=(5, rules.observation_size)).astype(np.float32)
    for mine, theirs in zip(policy(seen), saved(seen), strict=True):
        assert mine.tolist() == theirs.tolist()
    assert saved.game == policy.game
    assert saved.made == {"steps": 5}


def test_the_network_is_what_the_documentation_says(rules: GameRules) -> None:
    """ReLU after the hidden layer; logits and value are linear in what it gives."""
    policy = some_policy(rules)
    seen = np.random.default_rng(4).normal(size=rules.observation_size).astype(np.float32)
    weight, bias = policy.trunk[0]
    hidden = np.array([max(0.0, float(seen @ weight[:, unit]) + bias[unit]) for unit in range(len(bias))])
    logits, values = policy(seen[None])
    assert logits[0] == pytest.approx(hidden @ policy.actions.weight + policy.actions.bias, rel=1e-4)
    assert values[0] == pytest.approx(hidden @ policy.value.weight[:, 0] + policy.value.bias[0], rel=1e-4)


def test_cities_share_layers_and_see_their_neighbours(rules: GameRules, tmp_path: Path) -> None:
    """As the documentation says, worked out city by city; the same from a file."""
    policy = with_cities(rules)
    cities = policy.cities
    assert cities is not None
    seen = np.random.default_rng(4).normal(size=rules.observation_size).astype(np.float32)
    now = [
        np.maximum(seen[places] @ cities.first + name, 0)
        for places, name in zip(cities.places, cities.names, strict=True)
    ]
    for weights in cities.rounds:
        near = [sum(share * other for share, other in zip(row, now, strict=True)) for row in cities.shares]
        own, theirs, bias = weights[:6], weights[6:12], weights[12]
        now = [np.maximum(mine @ own + other @ theirs + bias, 0) for mine, other in zip(now, near, strict=True)]
    last = [np.maximum(mine @ cities.last[:6] + cities.last[6], 0) for mine in now]
    joined = np.concatenate([seen[cities.others], seen[cities.places].ravel(), np.concatenate(last)])
    plain = replace(policy, cities=None, scorers=())
    logits, values = policy(seen[None])
    wanted = plain(joined[None].astype(np.float32))[0][0]
    told = np.concatenate([joined, *now])
    outputs = np.maximum(joined @ policy.trunk[0].weight + policy.trunk[0].bias, 0)
    for scorer in policy.scorers:
        for places, name, actions in zip(scorer.values, scorer.names, scorer.targets, strict=True):
            hidden = np.maximum(told[places] @ scorer.seen + name + outputs @ scorer.context, 0)
            for action, weights in zip(actions, scorer.scores.T, strict=True):
                wanted[action] += hidden @ weights
    assert logits[0] == pytest.approx(wanted, rel=1e-3, abs=1e-3)
    save(policy, tmp_path / "cities.npz")
    for saved, mine in zip(load(tmp_path / "cities.npz")(seen[None]), (logits, values), strict=True):
        assert saved.tolist() == mine.tolist()


def test_files_of_earlier_versions_have_no_scores(rules: GameRules, tmp_path: Path) -> None:
    policy, seen = with_cities(rules), np.random.default_rng(4).normal(size=(3, rules.observation_size))
    save(policy, tmp_path / "policy.npz")
    with np.load(tmp_path / "policy.npz") as arrays:
        known = dict(arrays)
    header = json.loads(str(known["header"]))
    del header["scorers"]
    before = {name: known[name] for name in known if not name.startswith("scorers.")}
    np.savez(tmp_path / "earlier.npz", **before | {"header": np.array(json.dumps(header))})
    silent = replace(policy, scorers=())
    earlier, observations = load(tmp_path / "earlier.npz"), seen.astype(np.float32)
    assert earlier(observations)[0] == pytest.approx(silent(observations)[0], rel=1e-5)
    save(earlier, tmp_path / "again.npz")
    assert load(tmp_path / "again.npz")(observations)[0].tolist() == earlier(observations)[0].tolist()
    # Some without the others are no policy.
    np.savez(tmp_path / "half.npz", **{name: known[name] for name in known if name != "scorers.1.context"})
    with pytest.raises(AgentError, match=r"is damaged: 'scorers\.1\.context is not"):
        load(tmp_path / "half.npz")


def test_a_small_file_keeps_the_policy(rules: GameRules, tmp_path: Path) -> None:
    cities = with_cities(rules)
    inputs = cities.trunk[0].weight.shape[0]
    policy = replace(
        cities,
        trunk=(layer(inputs, 200, 1),),
        actions=layer(200, rules.action_size, 2),
        value=layer(200, 1, 3),
        scorers=some_scorers(rules, inputs, trunk=200),
    )
    # A neuron without weights has no largest one.
    policy.trunk[0].weight[:, 0] = 0
    whole, small = tmp_path / "whole.npz", tmp_path / "small.npz"
    save(policy, whole)
    save(policy, small, small=True)
    assert small.stat().st_size < 0.3 * whole.stat().st_size
    saved = load(small)
    for wanted, found in zip((*policy.trunk, policy.actions), (*saved.trunk, saved.actions), strict=True):
        step = np.abs(wanted.weight).max(axis=0) / 127
        assert (np.abs(found.weight - wanted.weight) <= 0.501 * step).all()
    assert saved.cities is not None
    assert {array.dtype.str for layer in (*saved.trunk, saved.actions, saved.value) for array in layer} == {"<f4"}
    seen = np.random.default_rng(4).normal(size=(50, rules.observation_size)).astype(np.float32)
    for mine, theirs in zip(policy(seen), saved(seen), strict=True):
        assert theirs == pytest.approx(mine, rel=1e-2, abs=1e-2 * float(np.abs(mine).max()))


def test_layers_of_cities_must_fit(rules: GameRules, tmp_path: Path) -> None:
    policy = with_cities(rules)
    assert policy.cities is not None
    for wrong in (
        policy.cities._replace(names=policy.cities.names[1:]),
        policy.cities._replace(others=policy.cities.others * 0),
        policy.cities._replace(first=policy.cities.first * np.float32(np.nan)),
    ):
        save(replace(policy, cities=wrong), tmp_path / "wrong.npz")
        with pytest.raises(AgentError, match="is not a policy of this project, or is damaged: the cities'"):
            load(tmp_path / "wrong.npz")


def test_layers_that_score_actions_must_fit(rules: GameRules, tmp_path: Path) -> None:
    """Kernels read values and write scores at these indices unchecked."""
    policy = with_cities(rules)
    first, second = policy.scorers
    assert policy.cities is not None
    told = policy.trunk[0].weight.shape[0] + policy.cities.names.size
    for wrong in (
        second._replace(values=second.values * 0 - 1),
        second._replace(values=second.values * 0 + told),
        second._replace(values=second.values[:, :1]),
        second._replace(values=second.values.astype(np.int32)),
        second._replace(targets=second.targets * 0),
        second._replace(targets=second.targets + rules.action_size),
        second._replace(targets=second.targets - rules.action_size),
        second._replace(targets=np.tile(second.targets, 2)),
        second._replace(seen=second.seen[1:]),
        second._replace(names=second.names[1:]),
        second._replace(context=second.context[1:]),
        second._replace(scores=second.scores * np.float32(np.inf)),
        Scorer(*(array[:0, :0] for array in second)),
    ):
        save(replace(policy, scorers=(first, wrong)), tmp_path / "wrong.npz")
        with pytest.raises(AgentError, match="is not a policy of this project, or is damaged: a scorer's"):
            load(tmp_path / "wrong.npz")
    save(policy, tmp_path / "right.npz")
    assert len(load(tmp_path / "right.npz").scorers) == 2


@pytest.mark.parametrize("number", [-1, 0, 1, 3])
def test_a_file_with_another_number_of_scorers_is_refused(rules: GameRules, tmp_path: Path, number: int) -> None:
    """It would play, but otherwise than it was trained."""
    save(with_cities(rules), tmp_path / "policy.npz")
    with np.load(tmp_path / "policy.npz") as arrays:
        known = dict(arrays)
    header = json.loads(str(known["header"])) | {"scorers": number}
    np.savez(tmp_path / "wrong.npz", **known | {"header": np.array(json.dumps(header))})
    with pytest.raises(AgentError, match=r"is not a policy of this project, or is damaged: .*scorers"):
        load(tmp_path / "wrong.npz")


def test_a_policy_takes_no_positions(rules: GameRules) -> None:
    logits, values = with_cities(rules)(np.zeros((0, rules.observation_size), np.float32))
    assert (logits.shape, values.shape) == ((0, rules.action_size), (0,))


def test_it_plays_the_likeliest_legal_action(rules: GameRules, path: Path) -> None:
    agent = PolicyAgent(str(path))
    agent.reset(0, rules, 1)
    game = Game.from_rules(rules, seed=3)
    while not game.over:
        view = game.view()
        logits = load(path)(view.observation[None])[0][0]
        choice = agent.act(view)
        assert logits[choice] == max(logits[action] for action in view.legal_actions)
        game.play(choice)


def test_samples_follow_the_probabilities(rules: GameRules, path: Path) -> None:
    agent = make_agent(f"ppo:{path},sample", rules.bots)
    game = Game.from_rules(rules, seed=3)
    view = game.view()
    logits = load(path)(view.observation[None])[0][0, view.legal_actions].astype(float)
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    assert isinstance(agent, PolicyAgent)
    agent.reset_batch(rules, 7)
    rows = 20_000
    chosen = agent.act_batch(np.tile(view.observation, (rows, 1)), np.tile(view.action_mask, (rows, 1)))
    shares = [float((chosen == action).mean()) for action in view.legal_actions]
    assert sum(shares) == pytest.approx(1)
    assert shares == pytest.approx(expected.tolist(), abs=0.02)


def test_the_same_seed_gives_the_same_game(rules: GameRules, path: Path) -> None:
    records = [play_match(rules, [PolicyAgent(f"{path},sample") for _ in range(3)], seed=5) for _ in range(2)]
    assert records[0].moves == records[1].moves


@pytest.mark.parametrize(
    ("players", "board", "what"),
    [(2, "tiny", "is a policy for 3 players, not for 2"), (3, "small", "is a policy for another board than small")],
)
def test_a_policy_for_another_game(path: Path, players: int, board: str, what: str) -> None:
    with pytest.raises(AgentError, match=what):
        policy_for(make_rules("thurn_und_taxis", players, board), str(path))


def broken(path: Path, how: str) -> None:
    content = path.read_bytes()
    with np.load(path) as arrays:
        known: dict[str, Any] = dict(arrays)
    if how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "format":
        known["header"] = np.array(str(known["header"]).replace("thurn-policy/1", "thurn-policy/9"))
        np.savez(path, **known)
    elif how == "missing":
        del known["value.bias"]
        np.savez(path, **known)
    elif how == "size":
        known["actions.weight"] = known["actions.weight"][:, :-1]
        np.savez(path, **known)
    elif how == "scale":
        known["actions.weight.scale"] = np.ones(1, np.float32)
        np.savez(path, **known)
    elif how == "shapes":
        header = json.loads(str(known["header"]))
        header["game"]["observation"] = [166]
        np.savez(path, **known | {"header": np.array(json.dumps(header))})
    elif how == "cities":
        header = json.loads(str(known["header"])) | {"cities": True}
        flat = {f"cities.{name}": np.zeros(3, np.float32) for name in Cities._fields}
        np.savez(path, **known | flat | {"header": np.array(json.dumps(header))})
    else:
        known["value.bias"] = np.array([np.nan], np.float32)
        np.savez(path, **known)


@pytest.mark.parametrize("how", ["empty", "cut", "format", "missing", "size", "scale", "nan", "shapes", "cities"])
def test_a_damaged_file(path: Path, how: str) -> None:
    broken(path, how)
    with pytest.raises(AgentError, match="is not a policy of this project, or is damaged"):
        load(path)


def test_learning_libraries_are_not_needed() -> None:
    """A published model is read and asked with NumPy alone."""
    code = (
        "import sys, numpy, thurn_env.players.guided; from thurn_env.players.policy import find, load; "
        "policy = load(find('thurn_und_taxis-south-2')); "
        "inputs = int(sum(numpy.prod(shape) for shape in policy.game['observation'].values())); "
        "logits, values = policy(numpy.zeros((2, inputs), numpy.float32)); "
        "assert logits.shape == (2, policy.game['actions']); "
        "sys.exit(bool({'torch', 'stable_baselines3', 'sb3_contrib'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_specs_that_say_too_little(tmp_path: Path, rules: GameRules) -> None:
    with pytest.raises(AgentError, match="ppo needs a model"):
        make_agent("ppo", rules.bots)
    with pytest.raises(AgentError, match="ppo has no option 'fast'; it has sample"):
        make_agent("ppo:x.npz,fast", rules.bots)
    with pytest.raises(AgentError, match=r"there is no policy .*nowhere.npz; create one with thurn train"):
        make_agent(f"ppo:{tmp_path / 'nowhere.npz'}", rules.bots).reset(0, rules, 1)
