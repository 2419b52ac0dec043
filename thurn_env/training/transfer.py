"""Policies as initial policies for other tables of the same game and board.

Tables with other numbers of players, or with other options, share most of what they observe and most actions. Weights
are copied wherever both tables have the same value of the observation or the same action, and are 0 elsewhere: at
first, a policy for two players ignores the seats after the next one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from thurn_env.engine.kernels import Int64Array
from thurn_env.engine.network_rules import Cities
from thurn_env.engine.way_rules import sizes
from thurn_env.errors import OptionError
from thurn_env.games import make_rules
from thurn_env.games.contract import Float32Array, GameRules, Rules, Searched, Things
from thurn_env.games.observation_table import NO_PLACE
from thurn_env.players.policy import Layer, Policy, find, identity, load
from thurn_env.players.scorers import Scorer
from thurn_env.training.things import city_actions, city_places, fitted, things_with_ways

NOTHING = -1
"""Index of a value or an action that the other table does not have."""


def initial_policy(rules: GameRules, name: str) -> Policy:
    """Load a policy to start from, and convert it if it is for another table.

    Args:
        rules: the game to train for.
        name: path of a policy file, or name of a published model.

    Returns:
        The policy with the inputs and actions of these rules.

    Raises:
        AgentError: there is no such policy.
        OptionError: the policy is for another game or board, or for options that are neither the usual ones nor those
            of `rules`.
    """
    policy = load(find(name))
    return policy if not policy.fits(rules) else transferred(policy, rules)


def transferred(policy: Policy, rules: GameRules) -> Policy:
    """Return a policy for `rules` with the weights of one for another table of the same game and board.

    Raises:
        OptionError: see `initial_policy`.
    """
    source = _table_of(policy, rules)
    values, actions = _shared_values(source, rules), _shared_actions(source, rules)
    # A value is a count times a factor, which may differ between the tables.
    factors = (source.observation_scale[values] / rules.observation_scale).astype(np.float32)
    inputs, cities = values, policy.cities
    if cities is not None:
        inputs, factors, cities = _joined(cities, rules, values, factors)
    if policy.ways is not None:
        # The same tracks, tickets and cards at every table.
        added = sum(sizes(policy.ways).values())
        inputs = np.append(inputs, len(source.observation_scale) + np.arange(added))
        factors = np.append(factors, np.ones(added, np.float32))
    first, *further = policy.trunk
    # Values of the cities come after the inputs.
    beside = np.arange(cities.names.size if cities is not None else 0)
    told = np.append(inputs, len(first.weight) + beside)
    told_factors = np.append(factors, np.ones(len(beside), np.float32))
    known = fitted(policy.scorers, _things(policy, source, len(first.weight)))
    scorers = [
        _scorer(scorer, things, told, told_factors, actions)
        for scorer, things in zip(known, _things(policy, rules, len(inputs)), strict=True)
    ]
    return replace(
        policy,
        trunk=(Layer(_rows(first.weight, inputs) * factors[:, None], first.bias), *further),
        actions=Layer(_rows(policy.actions.weight.T, actions).T, _rows(policy.actions.bias[:, None], actions)[:, 0]),
        game=identity(rules),
        cities=cities,
        ways=rules.ways() if policy.ways is not None else None,
        scorers=tuple(scorers),
    )


def _table_of(policy: Policy, rules: GameRules) -> GameRules:
    """Return the rules of the table that a policy is for: with the usual options, or with those of `rules`."""
    if policy.game["game"] != rules.name or policy.game["board"] != rules.board_digest:
        raise OptionError(
            f"the initial policy is not for {rules.title} on the board {rules.board_name}; start from one that is, with"
            " any number of players"
        )
    for players, options in product(rules.player_numbers, ({}, dict(rules.options))):
        source = make_rules(rules.name, players, rules.board, **options)
        if not policy.fits(source):
            return source
    raise OptionError(
        f"the initial policy is for other options of {rules.title}; start from one with the usual options, or with"
        " those of this game"
    )


def _shared_values(source: Searched, target: Searched) -> Int64Array:
    """Return where the source observes every value of the target: int64 (O,), `NOTHING` where it does not."""
    indices = {key: index for index, key in enumerate(_keys(source))}
    # Cards that differ only by horses are the same card of a table without horses.
    found = [indices.get(key, indices.get(key._replace(copy=0), NOTHING)) for key in _keys(target)]
    return np.array(found, np.int64)


class _Key(NamedTuple):
    """What a value of the observation describes; equal for the same thing at two tables.

    Attributes:
        piece: name of the piece.
        row: coordinates along the axes; without that of the place if there is one.
        place: the place of the board, or `NO_PLACE`.
        copy: number among the values with the same piece, row and place.
    """

    piece: str
    row: tuple[int, ...]
    place: int
    copy: int


def _keys(rules: Searched) -> list[_Key]:
    """Return the keys of all values of the observation."""
    seen: Counter[_Key] = Counter()
    keys = []
    for piece, shape in rules.observation_shapes.items():
        places = rules.observation_places[rules.observation_slices[piece]]
        for coordinates, place in zip(np.ndindex(*shape), places, strict=True):
            row = coordinates if place == NO_PLACE else coordinates[:-1]
            key = _Key(piece, row, int(place), 0)
            keys.append(key._replace(copy=seen[key]))
            seen[key] += 1
    return keys


def _shared_actions(source: Rules, target: Rules) -> Int64Array:
    """Return the source's index of every action of the target: int64 (A,), `NOTHING` where it has none."""
    indices = source.action_indices
    # `take Bremen/2` takes a card of Bremen with two horses.
    found = [indices.get(text, indices.get(text.partition("/")[0], NOTHING)) for text in target.action_texts]
    return np.array(found, np.int64)


def _joined(
    cities: Cities, rules: Searched, values: Int64Array, factors: Float32Array
) -> tuple[Int64Array, Float32Array, Cities]:
    """Convert layers that cities share.

    Args:
        cities: layers of the source.
        rules: rules of the target.
        values: see `_shared_values`.
        factors: factor of every value, float32 (O,).

    Returns:
        For every input of the target's trunk, the input of the source's trunk, int64 (J,), and its factor, float32
        (J,); and the layers of the target.
    """
    places, others, shares = city_places(rules)
    # Where the source's trunk has each of its observed values; `NOTHING` as an index is the last entry.
    width = cities.places.size + len(cities.others)
    joined = np.full(max(cities.places.max(), cities.others.max()) + 2, NOTHING, np.int64)
    joined[np.append(cities.others, cities.places.ravel())] = np.arange(width)
    known = np.append(others, places.T.ravel())
    learned = cities.last.shape[1] * len(cities.names)
    # The values of one city show which of the source's values belong to each of the target's.
    own = {int(index): row for row, index in enumerate(cities.places[0])}
    rows = np.array([own.get(int(values[index]), NOTHING) for index in places[:, 0]], np.int64)
    layers = cities._replace(
        places=np.ascontiguousarray(places.T),
        others=others,
        shares=shares,
        first=_rows(cities.first, rows) * factors[places[:, 0]][:, None],
    )
    inputs = np.append(joined[values[known]], width + np.arange(learned))
    return inputs, np.append(factors[known], np.ones(learned, np.float32)), layers


def _things(policy: Policy, rules: GameRules, inputs: int) -> list[Things]:
    """Return what the network of a table scores actions about, in the order of the policy's scorers.

    Args:
        policy: policy for the source; without scorers, nothing is scored.
        rules: rules of the table: the source or the target.
        inputs: number of inputs of the trunk at this table.
    """
    if not policy.scorers:
        return []
    if policy.cities is not None:
        count, width = policy.cities.names.shape
        return [Things(inputs + np.arange(count * width).reshape(count, width), city_actions(rules))]
    ways = rules.ways()
    assert ways is not None
    return things_with_ways(rules, ways)


def _scorer(scorer: Scorer, things: Things, told: Int64Array, factors: Float32Array, actions: Int64Array) -> Scorer:
    """Convert layers that score actions about things, which are the same at every table of a board.

    Args:
        scorer: layers of the source.
        things: where the target has them.
        told: for every input of the target's trunk and value of its cities, that of the source, int64 (J + C * W,).
        factors: factors of these values, float32 (J + C * W,).
        actions: see `_shared_actions`.
    """
    # The values of one thing, and the actions about it, show which of the source's belong to each of the target's.
    known = {int(value): row for row, value in enumerate(scorer.values[0])}
    rows = np.array([known.get(int(told[value]), NOTHING) for value in things.values[0]], np.int64)
    scored = {int(action): column for column, action in enumerate(scorer.targets[0])}
    columns = np.array([scored.get(int(actions[action]), NOTHING) for action in things.targets[0]], np.int64)
    return scorer._replace(
        values=things.values,
        targets=things.targets,
        seen=_rows(scorer.seen, rows) * factors[things.values[0]][:, None],
        scores=np.ascontiguousarray(_rows(scorer.scores.T, columns).T),
    )


def _rows(weights: Float32Array, rows: Int64Array) -> Float32Array:
    """Return rows of a matrix, float32 (N, W); zeros for `NOTHING`."""
    found: Float32Array = np.where((rows == NOTHING)[:, None], np.float32(0), weights[rows])
    return found
