"""Shared code of the programs: clock, random choices, measurement as JSON. Only needs Python."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from json import dumps
from typing import Any

SEED = 1

Play = Callable[[int], int]
"""Function that plays about `decisions` decisions, restarts finished games, and returns the number played."""


@dataclass
class Measurement:
    """The measurement of a program.

    Attributes:
        decisions: number of decisions in the time.
        seconds: total time of the loop: choosing, stepping, observing, restarting.
        observation: number of values in an observation.
        actions: number of different actions.
        versions: versions of the measured packages, by distribution.
        step_share: share of the time spent in the environment's own calls, 0 to 1; None if not measured.
    """

    decisions: int
    seconds: float
    observation: int
    actions: int
    versions: dict[str, str] = field(default_factory=dict)
    step_share: float | None = None


def timed(play: Play, seconds: float) -> tuple[int, float]:
    """Return decisions and seconds of a run of at least `seconds`, after a warm-up of about a tenth of that."""
    number, spent = 1, 0.0
    while spent < seconds / 20:
        number *= 2
        start = time.perf_counter()
        play(number)
        spent = time.perf_counter() - start
    decisions, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        decisions += play(number)
    return decisions, spent


def chooser() -> Callable[[Sequence[Any]], Any]:
    """Return a function that draws one element of a sequence uniformly."""
    draw = random.Random(SEED).random
    return lambda row: row[int(draw() * len(row))]


def versions_of(*distributions: str) -> dict[str, str]:
    """Return the versions of installed distributions."""
    return {name: version(name) for name in distributions}


def main(measure: Callable[..., Measurement]) -> None:
    """Call `measure(seconds, *words)` with the arguments of the program and print the result."""
    print(dumps(asdict(measure(float(sys.argv[1]), *sys.argv[2:]))))


def size(shape: Sequence[int]) -> int:
    """Return the number of values in an array of a shape."""
    product = 1
    for length in shape:
        product *= length
    return product


def gymnasium_play(environment: Any, legal: Callable[[Mapping[str, Any]], Sequence[Any]]) -> Play:
    """Return random play of the learner in a Gymnasium environment; `legal` takes the legal actions from the info.

    The opponents' decisions inside the environment are not counted.
    """
    choose = chooser()
    info = environment.reset(seed=SEED)[1]

    def play(decisions: int) -> int:
        nonlocal info
        for _ in range(decisions):
            _, _, terminated, truncated, info = environment.step(int(choose(legal(info))))
            if terminated or truncated:
                info = environment.reset()[1]
        return decisions

    return play


def aec_play(environment: Any) -> Play:
    """Return random play in a PettingZoo AEC environment whose observations hold an `action_mask`."""
    choose = chooser()
    environment.reset(seed=SEED)

    def play(decisions: int) -> int:
        for _ in range(decisions):
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.reset()
                observation = environment.last()[0]
            environment.step(int(choose(observation["action_mask"].nonzero()[0])))
        return decisions

    return play


def aec_measurement(environment: Any, seconds: float, distributions: Sequence[str]) -> Measurement:
    """Measure a PettingZoo AEC environment and close it."""
    agent = environment.possible_agents[0]
    numbers = size(environment.observation_space(agent)["observation"].shape)
    actions = int(environment.action_space(agent).n)
    decisions, spent = timed(aec_play(environment), seconds)
    environment.close()
    return Measurement(decisions, spent, numbers, actions, versions_of(*distributions))
