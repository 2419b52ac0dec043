"""Values and actions of cities, tickets and other things that networks share layers among."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from thurn_env.engine.way_rules import AXES, Ways, sizes
from thurn_env.errors import OptionError
from thurn_env.games.contract import Int64Array, Searched, Things
from thurn_env.players.scorers import Scorer

OTHER_THINGS = "the initial policy scores other actions than this version does; start from another one"
"""Message about a policy whose scorers do not fit the game."""


def city_places(rules: Searched) -> tuple[Any, Any, Any]:
    """Return the indices of cities' values and of other values, and the neighbours' weights; see `CityTrunk`.

    The layers are shared, so only pieces with the same number of values for every city count as cities' values.
    """
    neighbours = rules.neighbours()
    cities = len(neighbours)
    rows, others = [np.zeros((0, cities), np.int64)], []
    for piece in rules.observation_slices.values():
        cities_of_values = rules.observation_places[piece]
        order = piece.start + np.argsort(cities_of_values, kind="stable")
        if np.array_equal(np.sort(cities_of_values), np.repeat(np.arange(cities), len(cities_of_values) // cities)):
            rows.append(order.reshape(cities, -1).T)
        else:
            others.append(np.arange(piece.start, piece.stop))
    shares = neighbours / np.maximum(1, neighbours.sum(axis=1, keepdims=True))
    return np.concatenate(rows), np.concatenate(others), shares.astype(np.float32)


def city_actions(rules: Searched) -> Int64Array:
    """Return the actions about each city, int64 (C, T).

    The layers are shared, so only families with the same number of actions for every city count.
    """
    cities = len(rules.neighbours())
    families: dict[str, list[int]] = {}
    for action, text in enumerate(rules.action_texts):
        families.setdefault(text.partition(" ")[0], []).append(action)
    columns = [np.zeros((cities, 0), np.int64)]
    for family in map(np.array, families.values()):
        places = rules.action_places[family]
        if np.array_equal(np.sort(places), np.repeat(np.arange(cities), len(family) // cities)):
            columns.append(family[np.argsort(places, kind="stable")].reshape(cities, -1))
    return np.concatenate(columns, axis=1)


def things_with_ways(rules: Searched, ways: Ways) -> list[Things]:
    """Return what actions are about, with the values that ways add after the observation.

    Tracks also get the values of the places at both ends, such as the passengers who wait there.
    """
    added: dict[str, list[Int64Array]] = {axis: [] for axis in rules.things}
    if "claims" in added:
        added["claims"].append(_values_at_ends(rules, ways))
    start = rules.observation_size
    for piece, size in sizes(ways).items():
        if AXES[piece] in added:
            added[AXES[piece]].append(np.arange(start, start + size)[:, None])
        start += size
    joined = [
        things._replace(values=np.concatenate([things.values, *added[axis]], axis=1))
        for axis, things in rules.things.items()
    ]
    # What is told about a thing is all that its layers see.
    return [things for things in joined if things.values.size]


def _values_at_ends(rules: Searched, ways: Ways) -> Int64Array:
    """Return the values of the places at the ends of tracks, those of the first end first: int64 (K, F)."""
    told = city_places(rules)[0].T
    found: Int64Array = told[ways.node_place[ways.claim_nodes]].reshape(len(ways.claim_nodes), -1)
    return found


def fitted(scorers: Sequence[Scorer], things: Sequence[Things]) -> tuple[Scorer, ...]:
    """Return scorers that take these values of things; weights of values that they did not take are 0.

    Raises:
        OptionError: the scorers score other actions, or take values that are not among these.
    """
    if len(scorers) != len(things):
        raise OptionError(OTHER_THINGS)
    return tuple(_fitted(scorer, kind) for scorer, kind in zip(scorers, things, strict=True))


def _fitted(scorer: Scorer, things: Things) -> Scorer:
    if scorer.targets.tolist() != things.targets.tolist() or len(scorer.values) != len(things.values):
        raise OptionError(OTHER_THINGS)
    seen = np.zeros((things.values.shape[1], scorer.seen.shape[1]), np.float32)
    columns = things.values.T.tolist()
    for weights, column in zip(scorer.seen, scorer.values.T.tolist(), strict=True):
        if column not in columns:
            raise OptionError(OTHER_THINGS)
        seen[columns.index(column)] = weights
    return scorer._replace(values=things.values, seen=seen)
