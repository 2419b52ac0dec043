"""sb3-contrib's MaskablePPO for runs that can be stopped and resumed."""

from __future__ import annotations

import time
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import safe_mean
from torch.optim import Optimizer

LEAST_SHARE = 0.1
"""Final learning rate and entropy bonus, as a share of their initial values."""


class RunningPPO(MaskablePPO):
    """MaskablePPO that knows the length of the whole run, and its wall time so far.

    Learning rate and entropy bonus decrease linearly over the run. The library's own schedules would restart with every
    call of `learn`, and a run has many.

    Attributes:
        run_steps: number of decisions of the whole run.
        first_entropy: initial weight of the entropy bonus.
        begun_with: how the initial policy was made, if there was one; see `thurn_env.engine.provenance.earlier`.
        played_against: the same for the policies in the pool, by name.
        lesson_minutes: duration of the lessons before the run, if any.
        seconds: time spent in `collecting` and in `learning`.
    """

    run_steps = 1
    first_entropy = 0.0
    begun_with: dict[str, Any] | None = None
    lesson_minutes: float | None = None

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self.seconds = {"collecting": 0.0, "learning": 0.0}
        self.played_against: dict[str, dict[str, Any]] = {}
        super().__init__(*arguments, **keywords)

    def _fallen(self, first: float) -> float:
        left = max(0.0, 1 - self.num_timesteps / self.run_steps)
        return first * (LEAST_SHARE + (1 - LEAST_SHARE) * left)

    def _update_learning_rate(self, optimizers: list[Optimizer] | Optimizer) -> None:
        rate = self._fallen(float(self.lr_schedule(1.0)))
        self.logger.record("train/learning_rate", rate)
        for optimizer in optimizers if isinstance(optimizers, list) else [optimizers]:
            for group in optimizer.param_groups:
                group["lr"] = rate

    def dump_logs(self, iteration: int = 0) -> None:
        """Collect the returns but write nothing yet, so that losses and evaluations are logged at the same step.

        The library would log the losses of the rollout before, and `time/fps`, which leaves out learning.
        """
        if self.ep_info_buffer:
            self.logger.record("rollout/ep_rew_mean", safe_mean([game["r"] for game in self.ep_info_buffer]))
            self.logger.record("rollout/ep_len_mean", safe_mean([game["l"] for game in self.ep_info_buffer]))

    def collect_rollouts(self, *arguments: Any, **keywords: Any) -> bool:
        """Collect a rollout and measure its time."""
        start = time.perf_counter()
        done: bool = super().collect_rollouts(*arguments, **keywords)
        self.seconds["collecting"] += time.perf_counter() - start
        return done

    def train(self) -> None:
        """Learn from the rollout and measure the time."""
        start = time.perf_counter()
        self.ent_coef = self._fallen(self.first_entropy)
        super().train()
        self.seconds["learning"] += time.perf_counter() - start
