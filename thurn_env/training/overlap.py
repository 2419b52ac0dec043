"""Learning from a rollout while the next one is collected, for two cores.

The next rollout is collected with the weights before the update, so they are one update behind. PPO corrects for that
by the ratio of the probabilities. Results do not depend on timing: a rollout never sees half of an update.
"""

from __future__ import annotations

import copy
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.network import LeanPolicy


class OverlappingPPO(RunningPPO):
    """`RunningPPO` whose updates run beside the next rollout.

    `seconds["learning"]` is the time in which no rollout is collected. Policy files do not
    include what their last rollout teaches.

    Attributes:
        acting: weights that the next rollout is collected with, by name; None for those of the policy.
    """

    acting: dict[str, Any] | None = None
    _actor: LeanPolicy | None = None
    _waiting: Any = None
    _spare: Any = None

    def collect_rollouts(self, *arguments: Any, **keywords: Any) -> bool:
        """Collect a rollout, and learn from the previous one meanwhile."""
        learner, actor = self.policy, self._prepared_actor()
        self._set_schedules()
        with ThreadPoolExecutor(1) as beside:
            update = None if self._waiting is None else beside.submit(self._update, learner, self._waiting)
            self.policy = actor
            try:
                done = super().collect_rollouts(*arguments, **keywords)
            finally:
                self.policy = learner
            start = time.perf_counter()
            if update is not None:
                self._record(update.result())
                self._spare, self._waiting = self._waiting, None
            self.seconds["learning"] += time.perf_counter() - start
        self.acting = None
        return done

    def _prepared_actor(self) -> LeanPolicy:
        """Return the policy that collects the next rollout."""
        if self._actor is None:
            self._actor = copy.deepcopy(self.policy)
            del self._actor.optimizer
        self._actor.load_state_dict(self.acting or self.policy.state_dict())
        return self._actor

    def train(self) -> None:
        """Put the rollout aside; the next call of `collect_rollouts` or of `save` learns from it."""
        full = self.rollout_buffer
        self.rollout_buffer = copy.deepcopy(full) if self._spare is None else self._spare
        self._waiting, self._spare = full, None

    def save(self, *arguments: Any, **keywords: Any) -> None:
        """Save the model after learning from the rollout that waits, so that files need not hold rollouts."""
        if self._waiting is not None:
            start = time.perf_counter()
            self.acting = {name: weights.detach().cpu().clone() for name, weights in self.policy.state_dict().items()}
            self._set_schedules()
            self._record(self._update(self.policy, self._waiting))
            self._spare, self._waiting = self._waiting, None
            self.seconds["learning"] += time.perf_counter() - start
        super().save(*arguments, **keywords)

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "_actor", "_waiting", "_spare"]
