"""Training speed of MaskablePPO on the native `VecEnv`, and on single environments in sequence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from thurn_env.commands.measure import Figure
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.games.contract import Rules

ROLLOUT = 8192
"""Decisions per rollout, the same in all measurements."""
SINGLE_ENVIRONMENTS = 8
OPPONENT = "sensible-random"


def training_figures(rules: Rules, rollouts: int) -> Iterator[Figure]:
    """Measure decisions per second of rollouts and of training as a whole.

    The network is 2 x 256, with 4 epochs and batches of 2,048. The single environments run in Stable-Baselines3's
    `DummyVecEnv`. Two rollouts precede the measured ones.
    """

    def single() -> Any:
        return Monitor(LearnerEnv(rules.name, rules.players, rules.board_name, opponents=OPPONENT, **rules.options))

    def native(games: int) -> Any:
        return LearnerVecEnv(games, rules.name, rules.players, rules.board_name, opponents=OPPONENT, **rules.options)

    yield from figures_of(
        f"DummyVecEnv of {SINGLE_ENVIRONMENTS}", DummyVecEnv([single] * SINGLE_ENVIRONMENTS), rollouts
    )
    for games in (64, 256):
        yield from figures_of(f"VecEnv of {games}", native(games), rollouts)


def figures_of(name: str, environment: Any, rollouts: int) -> Iterator[Figure]:
    """Measure rollouts, training as a whole, and the environment's share of it."""
    model = MaskablePPO(
        "MlpPolicy",
        environment,
        n_steps=ROLLOUT // environment.num_envs,
        batch_size=2048,
        n_epochs=4,
        policy_kwargs={"net_arch": [256, 256]},
        seed=1,
        device="cpu",
    )
    model.learn(2 * ROLLOUT)
    collecting, stepping = Stopwatch(model.collect_rollouts), Stopwatch(environment.step_wait)
    model.collect_rollouts, environment.step_wait = collecting, stepping  # type: ignore[method-assign]
    start = time.perf_counter()
    model.learn(rollouts * ROLLOUT)
    whole = time.perf_counter() - start
    yield Figure(f"MaskablePPO collecting, {name}", rollouts * ROLLOUT / collecting.seconds, "decisions/s")
    yield Figure(f"MaskablePPO training, {name}", rollouts * ROLLOUT / whole, "decisions/s")
    yield Figure(f"share of the environment, {name}", 100 * stepping.seconds / whole, "%")


class Stopwatch:
    """A function wrapper that adds up the seconds spent in the function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.seconds = 0.0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        start = time.perf_counter()
        result = self._function(*arguments, **named)
        self.seconds += time.perf_counter() - start
        return result
