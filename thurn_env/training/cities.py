"""Where a game tells of cities, or of other places of its board: in the observation and in the actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.contract import Int64Array, Searched


def city_places(rules: Searched) -> tuple[Any, Any, Any]:
    """Return the indices of cities' values and of other values, and the neighbours' weights; see `CityTrunk`.

    The layers are shared, so only pieces with the same number of values for every city count as cities' values.
    """
    neighbours = rules.neighbours()
    cities = len(neighbours)
    rows, others = [], []
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
