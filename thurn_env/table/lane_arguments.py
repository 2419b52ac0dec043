"""Lanes, seats and seeds as a caller of a batch gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.checks import array_of, quoted, whole
from thurn_env.errors import OptionError
from thurn_env.games.contract import Int64Array, UInt64Array

__all__ = ["checked_actions", "checked_indices", "chosen_lanes", "seeds_of_lanes", "several_seeds"]

LARGEST_SEED = 2**64


def checked_indices(name: str, values: Any, number: int, otherwise: str = "") -> Int64Array:
    """Return indices below `number` as an array.

    Args:
        name: what they are indices of, such as `lanes`.
        values: the indices.
        number: how many there are to choose from.
        otherwise: what else may be given, for the error.

    Raises:
        OptionError: these are no indices, or one is out of range.
    """
    indices = array_of(values)
    if indices.ndim != 1 or not (np.issubdtype(indices.dtype, np.integer) or indices.size == 0):
        raise OptionError(f"{name} are indices from 0 to {number - 1}{otherwise}")
    if indices.size and (indices.min() < 0 or indices.max() >= number):
        raise OptionError(f"{name} go from 0 to {number - 1}")
    return indices.astype(np.int64)


def chosen_lanes(lanes: Any, size: int) -> Int64Array:
    """Return different lanes of a batch of `size`, given indices or a mask.

    Raises:
        OptionError: neither is given, or an index is out of range.
    """
    mask = array_of(lanes)
    if mask.dtype == np.bool_ and mask.shape == (size,):
        return np.flatnonzero(mask)
    indices = checked_indices("lanes", lanes, size, f", or a mask of {size} Boolean values")
    # Keep the order: seeds are given in this order.
    first = np.unique(indices, return_index=True)[1]
    return indices[np.sort(first)]


def checked_actions(actions: Any, number: int) -> Int64Array:
    """Return one action for each of `number` lanes, int64 (number,); raise `OptionError` for another shape or type."""
    chosen = array_of(actions)
    if chosen.shape != (number,) or chosen.dtype.kind not in "iu":
        raise OptionError(f"actions must be {number} whole numbers, not {chosen.dtype.name} of shape {chosen.shape}")
    return chosen.astype(np.int64, copy=False)


def several_seeds(seed: Any) -> list[Any] | None:
    """Return the seeds as a list if there is one for every lane; None if there is one for all, or none."""
    several = isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim)
    return list(seed) if several else None


def seeds_of_lanes(seed: Any, lanes: Int64Array) -> UInt64Array:
    """Return the seeds of lanes, uint64 (lanes,), given one for each of them or that of lane 0.

    Raises:
        OptionError: a seed is out of range, or there are not as many as lanes.
    """
    if (row := several_seeds(seed)) is not None:
        values = row
        if len(row) != len(lanes):
            raise OptionError(f"{len(row)} seeds for {len(lanes)} lanes")
    elif (first := whole(seed)) is not None:
        row = [first + int(lane) for lane in lanes]
        values = [first, *row]
    else:
        row, values = [], [seed]
    for value in values:
        number = whole(value)
        if number is None or not 0 <= number < LARGEST_SEED:
            raise OptionError(f"the seed of a lane is a whole number from 0 to 2^64 - 1, not {quoted(value)}")
    return np.array(row, np.uint64)
