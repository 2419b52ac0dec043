"""Metrics of a run besides losses: win rates against each opponent, scores, and timing."""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from thurn_env.progress import Progress
from thurn_env.training.pool import LEARNER, PoolVecEnv

WINDOW = 500
"""Number of games per opponent over which win rates are averaged."""


class EvaluationNote:
    """Shows beside a progress bar how far an evaluation has come.

    Args:
        progress: progress bar of the run.
        games: number of games of the evaluation.
    """

    def __init__(self, progress: Progress, games: int) -> None:
        self._progress, self._games = progress, games
        self._decisions = self._ended = 0

    def __call__(self, decisions: int, ended: int) -> None:
        """Add decisions made and games ended. Games of a batch end late, so that decisions tell more."""
        self._decisions += decisions
        self._ended += ended
        self._progress.note = f"evaluation: {self._ended:,} of {self._games:,} games, {self._decisions:,} decisions"
        self._progress.advance(0)


class GameFigures(BaseCallback):
    """Collects metrics of finished games and advances the progress bar.

    Args:
        env: the games.
        progress: progress bar, in decisions.
    """

    def __init__(self, env: PoolVecEnv, progress: Progress) -> None:
        super().__init__()
        self.opponents = env.opponent_of
        # The rank adds nothing to the win rate.
        self.names = ("margin", "decisions", *(name for name in env.rules.statistics if name != "rank"))
        self.progress = progress
        self.won: dict[str, deque[bool]] = defaultdict(lambda: deque(maxlen=WINDOW))
        self.figures: dict[str, list[float]] = defaultdict(list)

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        for lane in np.flatnonzero(self.locals["dones"]).tolist():
            info = infos[lane]
            if self.opponents[lane] != LEARNER:
                self.won[self.opponents[lane]].append(bool(info["won"]))
            for name in self.names:
                self.figures[name].append(float(info[name]))
        self.progress.advance(len(infos))
        return True

    def _on_rollout_end(self) -> None:
        for opponent, won in self.won.items():
            self.logger.record(f"won/{opponent}", float(np.mean(won)))
        for name, values in self.figures.items():
            self.logger.record(f"games/{name}", float(np.mean(values)))
        self.figures.clear()
