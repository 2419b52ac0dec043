"""The running mean of a network's weights, which plays better than the weights of any one moment.

Every round of learning moves the weights by noise as well as by what was learned. The mean of some million decisions
keeps what was learned (averaging of the iterates, Polyak and Juditsky, 1992).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thurn_env.players.policy import Layer, Policy

EARLY = 5
"""At first the mean reaches back over one of so many decisions of the run."""
LEARNED = ("first", "names", "rounds", "last")
"""The weights among what a policy holds of cities; the rest says how the board is."""


def share(made: int, now: int, reach: int) -> float:
    """The share of the newest weights in the mean.

    Args:
        made: decisions of the run so far.
        now: those of the last round.
        reach: decisions that the mean reaches back, once the run is long enough; 0 for none.
    """
    return min(1.0, now / max(1.0, min(reach, made / EARLY)))


def blended(mean: Policy, newest: Policy, part: float) -> Policy:
    """The mean with the newest weights in it, which have this part of it.

    Files hold weights that are linear in those of the network, so their mean is the file of the mean.
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
