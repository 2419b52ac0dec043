"""Measure this project: SECONDS FACE BOARD [THREADS], for example 2 raw_env south or 2 batch south 4."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np

from eval.peers.scripts.loop import (
    SEED,
    Measurement,
    aec_measurement,
    gymnasium_play,
    main,
    size,
    timed,
    versions_of,
)
from thurn_env import __version__, thurn_und_taxis_v0
from thurn_env.games.contract import Int64Array
from thurn_env.table.batch import Batch

GAMES = 1024
"""Number of games in a batch."""
PLAYERS = 2


def measure(seconds: float, face: str, board: str, threads: str = "1") -> Measurement:
    """Measure random play in one of the interfaces: raw_env, env, gymnasium or batch."""
    if face == "batch":
        measured = batch_measurement(seconds, board, int(threads))
    elif face == "gymnasium":
        measured = gymnasium_measurement(seconds, board)
    else:
        measured = aec_measurement(getattr(thurn_und_taxis_v0, face)(PLAYERS, board), seconds, ())
    # The installed distribution may belong to another checkout.
    measured.versions = {"thurn-env": __version__, **versions_of("numba", "pettingzoo", "gymnasium", "numpy")}
    return measured


def gymnasium_measurement(seconds: float, board: str) -> Measurement:
    """Measure the learner's decisions against one random opponent inside the environment."""
    environment: Any = gymnasium.make("thurn_env/ThurnUndTaxis-v0", players=PLAYERS, board=board, opponents="random")
    play = gymnasium_play(environment, lambda info: info["action_mask"].nonzero()[0])
    decisions, spent = timed(play, seconds)
    environment.close()
    return Measurement(decisions, spent, size(environment.observation_space.shape), int(environment.action_space.n))


class RandomChoice:
    """Draws one legal action per game of a batch uniformly."""

    def __init__(self, games: int, actions: int) -> None:
        self.games = games
        self._edges: Int64Array = np.arange(games + 1) * actions
        self._generator = np.random.default_rng(SEED)

    def __call__(self, masks: np.ndarray[Any, np.dtype[np.int8]]) -> Int64Array:
        """Return one action per row of the masks: int8 (games, actions) to int64 (games,)."""
        legal = np.flatnonzero(masks.view(np.bool_))
        bounds = np.searchsorted(legal, self._edges)
        first, counts = bounds[:-1], np.diff(bounds)
        drawn = first + (self._generator.random(self.games) * counts).astype(np.int64)
        chosen: Int64Array = legal[drawn] - self._edges[:-1]
        return chosen


def batch_measurement(seconds: float, board: str, threads: int) -> Measurement:
    """Measure all games of a batch, including the choice; `step_share` counts `Batch.step` alone."""
    batch = Batch(GAMES, PLAYERS, board, threads=threads)
    batch.reset(seed=SEED)
    choose = RandomChoice(GAMES, batch.rules.action_size)
    stepping = choosing = 0.0

    def play(decisions: int) -> int:
        nonlocal stepping, choosing
        steps = -(-decisions // GAMES)
        for _ in range(steps):
            start = time.perf_counter()
            actions = choose(batch.masks)
            chosen = time.perf_counter()
            batch.step(actions)
            choosing, stepping = choosing + chosen - start, stepping + time.perf_counter() - chosen
        return steps * GAMES

    play(GAMES)  # the first step loads or compiles the kernels
    stepping = choosing = 0.0
    decisions, spent = timed(play, seconds)
    share = stepping / (stepping + choosing)
    return Measurement(
        decisions, spent, batch.rules.observation_size, batch.rules.action_size, step_share=round(share, 3)
    )


if __name__ == "__main__":
    main(measure)
