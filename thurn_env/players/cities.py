"""Layers of policies that all cities of a board share, see `thurn_env.engine.network_rules.Cities`."""

from __future__ import annotations

import numpy as np

from thurn_env.engine.network_rules import Cities
from thurn_env.games.contract import Float32Array


def embedded(cities: Cities, observations: Float32Array) -> tuple[Float32Array, Float32Array]:
    """Return the trunk's inputs, float32 (N, J), and the cities' values, float32 (N, C * W).

    This is `network_rules.embed` for a batch.
    """
    rows, (count, width), kinds = len(observations), cities.names.shape, len(cities.first)
    outputs = cities.last.shape[1]
    known = observations[:, cities.places].reshape(rows * count, kinds)
    now = np.maximum((known @ cities.first).reshape(rows, count, width) + cities.names, 0)
    for weights in cities.rounds:
        near = cities.shares @ now
        following = now.reshape(rows * count, width) @ weights[:width]
        following += near.reshape(rows * count, width) @ weights[width:-1]
        now = np.maximum(following + weights[-1], 0).reshape(rows, count, width)
    last = np.maximum(now.reshape(rows * count, width) @ cities.last[:-1] + cities.last[-1], 0)
    inputs = [observations[:, cities.others], known.reshape(rows, count * kinds), last.reshape(rows, count * outputs)]
    return np.concatenate(inputs, axis=1), now.reshape(rows, count * width)


def joined_by(cities: Cities, inputs: int) -> int:
    """Return the number of the trunk's inputs; raise `ValueError` if the layers do not fit together.

    Args:
        cities: the layers.
        inputs: length of the observation.
    """
    kinds, width = cities.first.shape
    count, outputs = len(cities.places), cities.last.shape[1]
    wanted: dict[str, tuple[int, ...]] = {
        "places": (count, kinds),
        "others": (inputs - count * kinds,),
        "shares": (count, count),
        "first": (kinds, width),
        "names": (count, width),
        "rounds": (len(cities.rounds), 2 * width + 1, width),
        "last": (width + 1, outputs),
    }
    for name, shape in wanted.items():
        array = getattr(cities, name)
        kind = np.int64 if name in ("places", "others") else np.float32
        if array.shape != shape or array.dtype != kind or not np.isfinite(array).all():
            raise ValueError(f"the cities' {name} has a wrong shape or wrong numbers")
    if sorted([*cities.places.ravel().tolist(), *cities.others.tolist()]) != list(range(inputs)):
        raise ValueError("the cities' layers must use every value of the observation exactly once")
    return len(cities.others) + count * int(kinds + outputs)
