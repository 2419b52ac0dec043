"""Speed of batches and environments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from thurn_env.commands.measure import Figure, rate, rate_of_steps
from thurn_env.engine.cores import available_cores
from thurn_env.engine.generator import seeded
from thurn_env.games.contract import Rules
from thurn_env.table.batch import Batch


def batch_figures(rules: Rules, games: int, seconds: float) -> Iterator[Figure]:
    """Measure steps of a batch with masks and observations; the choice of actions is not timed."""
    cores = available_cores()
    for form, threads in (("float32", 1), ("int8", 1), *([("float32", cores)] if cores > 1 else [])):
        batch = Batch(
            games,
            rules.players,
            rules.board_name,
            game=rules.name,
            skip_forced=False,
            observation=form,
            threads=threads,
            **rules.options,
        )
        batch.reset(0)
        name = f"batch{', integers' if form == 'int8' else ''}{name_of(threads)}"
        yield Figure(name, step_rate(batch, batch.step, games, seconds), "decisions/s", threads)


def name_of(threads: int) -> str:
    """Return the suffix of a figure's name for a number of threads."""
    return f", {threads} threads" if threads > 1 else ""


def step_rate(batch: Batch, step: Callable[[Any], Any], games: int, seconds: float) -> float:
    """Return sensible-random actions per second, once the games are spread over all phases."""
    generator, bot = seeded(0), batch.rules.bots.index("sensible-random")

    def actions() -> Any:
        return batch.rules.bot_actions(batch.lanes.states, bot, generator)

    for _ in range(300):
        step(actions())
    return rate_of_steps(actions, step, games, seconds)


def vector_figures(rules: Rules, games: int, seconds: float) -> Iterator[Figure]:
    """Measure the Gymnasium vector environment against bots; only the learners' decisions count."""
    from thurn_env.envs.vector import LearnerVectorEnv

    for opponent in ("sensible-random", "greedy", "heuristic"):
        threads = available_cores()
        environment = LearnerVectorEnv(
            games,
            rules.name,
            rules.players,
            rules.board_name,
            opponents=opponent,
            threads=threads,
            copy=False,
            **rules.options,
        )
        environment.reset(seed=0)
        figure = step_rate(environment.learner.batch, environment.step, games, seconds)
        yield Figure(f"vector environment against {opponent}{name_of(threads)}", figure, "decisions/s", threads)


def single_figures(rules: Rules, seconds: float) -> Iterator[Figure]:
    """Measure environments of one game; forced decisions, which they play themselves, do not count."""
    from thurn_env.envs.aec import GameEnv
    from thurn_env.envs.single import LearnerEnv
    from thurn_env.envs.wrapping import wrapped

    gymnasium = LearnerEnv(rules.name, rules.players, rules.board_name, opponents="sensible-random", **rules.options)
    yield Figure("Gymnasium environment", rate(gymnasium_loop(gymnasium, 1), seconds), "decisions/s")
    for name, environment in (
        ("AEC raw_env", GameEnv(rules.name, rules.players, rules.board_name, **rules.options)),
        ("AEC env with wrappers", wrapped(GameEnv(rules.name, rules.players, rules.board_name, **rules.options))),
    ):
        yield Figure(name, rate(environment_loop(environment, 1), seconds), "decisions/s")


def gymnasium_loop(environment: Any, seed: int) -> Callable[[int], None]:
    """Return a function that plays `decisions` random legal decisions in a Gymnasium environment."""
    generator = np.random.default_rng(seed)
    info = environment.reset(seed=seed)[1]

    def play(decisions: int) -> None:
        nonlocal info
        for draw in generator.random(decisions):
            legal = info["action_mask"].nonzero()[0]
            _, _, termination, truncation, info = environment.step(int(legal[int(draw * len(legal))]))
            if termination or truncation:
                info = environment.reset()[1]

    return play


def environment_loop(environment: Any, seed: int) -> Callable[[int], None]:
    """Return a function that plays `decisions` random legal decisions in an AEC environment."""
    generator = np.random.default_rng(seed)
    environment.reset(seed=seed)

    def play(decisions: int) -> None:
        for draw in generator.random(decisions):
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.reset()
                observation = environment.last()[0]
            legal = observation["action_mask"].nonzero()[0]
            environment.step(int(legal[int(draw * len(legal))]))

    return play
