"""Speed at which networks learn, in float32 and in bfloat16, which only some processors compute fast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thurn_env.commands.measure import Figure, rate
from thurn_env.engine.library_threads import one_thread
from thurn_env.games.contract import GameRules
from thurn_env.table.batch import Batch
from thurn_env.training.cloning import Cloning
from thurn_env.training.config import Config
from thurn_env.training.network import networks_for
from thurn_env.training.teacher import Lesson

ROWS = 2048
"""Decisions per step of the optimiser."""


def learning_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Measure behaviour cloning of the first decisions of games: forward pass, gradients, and a step of AdamW."""
    games = Batch(ROWS, rules=rules)
    games.reset(1)
    lesson = Lesson(games.observations, games.masks, games.masks.argmax(axis=1), np.zeros(ROWS, np.float32), None)
    every = np.arange(ROWS)
    for network in networks_for(rules):
        for bfloat16 in (False, True):
            pupil = Cloning(rules, network, Config.width, Config.depth, 1e-3, 0.5, 1, bfloat16=bfloat16)

            def learn(times: int, pupil: Cloning = pupil) -> None:
                for _ in range(times):
                    pupil.learn(lesson, every, ROWS, 0.0)

            numbers = "bfloat16" if bfloat16 else "float32"
            with one_thread():
                learned = ROWS * rate(learn, seconds)
            yield Figure(f"{network} network learning in {numbers}", learned, "decisions/s")
