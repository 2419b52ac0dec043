"""Running mean of a network's weights, which plays better than the weights at any single step.

Every update moves the weights by noise as well as by signal; averaging over some million decisions removes noise
(averaging of the iterates, Polyak and Juditsky, 1992). `torch.optim.swa_utils` averages modules; this is the mean of
policies as NumPy arrays, which evaluations and files use.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, TypeVar

from thurn_env.engine.network_rules import Cities
from thurn_env.players.policy import Layer, Policy
from thurn_env.players.scorers import WEIGHTS, Scorer

EARLY = 5
"""Early in a run the mean reaches back over 1 / `EARLY` of its decisions."""
CITY_WEIGHTS = ("first", "names", "rounds", "last")
"""Trained fields among a policy's arrays for cities; the others describe the board."""
Fields = TypeVar("Fields", Layer, Cities, Scorer)
"""A part of a policy as a named tuple of arrays."""


def share(made: int, now: int, reach: int) -> float:
    """Return the weight of the newest weights in the mean.

    Args:
        made: decisions of the run so far.
        now: decisions of the last round.
        reach: decisions that the mean reaches back once the run is long enough; 0 for no averaging.
    """
    return min(1.0, now / max(1.0, min(reach, made / EARLY)))


def blended(mean: Policy, newest: Policy, part: float) -> Policy:
    """Return the mean with the newest weights mixed in with weight `part`.

    The weights in a policy file are linear in those of the network, so the mean of files is the file of the mean.
    """

    def mixed(old: Any, new: Any) -> Any:
        return (1 - part) * old + part * new

    def mixed_fields(old: Fields, new: Fields, names: Collection[str]) -> Fields:
        return new._replace(**{name: mixed(getattr(old, name), getattr(new, name)) for name in names})

    def layer(old: Layer, new: Layer) -> Layer:
        return mixed_fields(old, new, Layer._fields)

    cities = newest.cities
    if mean.cities is not None and cities is not None:
        cities = mixed_fields(mean.cities, cities, CITY_WEIGHTS)
    scorers = zip(mean.scorers, newest.scorers, strict=True)
    return replace(
        newest,
        trunk=tuple(map(layer, mean.trunk, newest.trunk)),
        actions=layer(mean.actions, newest.actions),
        value=layer(mean.value, newest.value),
        cities=cities,
        scorers=tuple(mixed_fields(old, new, WEIGHTS) for old, new in scorers),
    )
