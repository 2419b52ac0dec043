"""What vector environments return, compared."""

from __future__ import annotations

from typing import Any

import numpy as np


def same(first: Any, second: Any) -> bool:
    """Whether two observations, infos, or values of infos are equal."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, tuple) or (isinstance(first, np.ndarray) and first.dtype.hasobject):
        return len(first) == len(second) and all(map(same, first, second))
    return type(first) is type(second) and np.array_equal(first, second)


def check_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """The same keys, and the same values for the games that have them."""
    assert ours.keys() == theirs.keys()
    for key in theirs:
        if key.startswith("_"):
            assert ours[key].dtype == np.bool_
            assert np.array_equal(ours[key], theirs[key])
        elif isinstance(theirs[key], dict):
            check_infos(ours[key], theirs[key])
        else:
            assert len(ours[key]) == len(theirs[key])
            for game in np.flatnonzero(theirs[f"_{key}"]):
                one, other = ours[key][game], theirs[key][game]
                assert same(one, other) or (key != "final_obs" and np.array_equal(one, other))
            for game in np.flatnonzero(~theirs[f"_{key}"]):
                assert not np.any(ours[key][game])
