"""Running mean of a network's weights, which plays better than the weights at any single step.

Every update moves the weights by noise as well as by signal; averaging over some million decisions removes noise
(averaging of the iterates, Polyak and Juditsky, 1992). `torch.optim.swa_utils` averages modules; this is the mean of
policies as NumPy arrays, which evaluations and files use.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thurn_env.players.policy import Layer, Policy

EARLY = 5
"""Early in a run the mean reaches back over 1 / `EARLY` of its decisions."""
LEARNED = ("first", "names", "rounds", "last", "seen", "context", "scores")
"""Trained fields among a policy's arrays for cities; the others describe the board."""


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

    def layer(old: Layer, new: Layer) -> Layer:
        return Layer(mixed(old.weight, new.weight), mixed(old.bias, new.bias))

    def mixed(old: Any, new: Any) -> Any:
        return (1 - part) * old + part * new

    cities = newest.cities
    if mean.cities is not None and cities is not None:
        cities = cities._replace(**{name: mixed(getattr(mean.cities, name), getattr(cities, name)) for name in LEARNED})
    return replace(
        newest,
        trunk=tuple(map(layer, mean.trunk, newest.trunk)),
        actions=layer(mean.actions, newest.actions),
        value=layer(mean.value, newest.value),
        cities=cities,
    )
