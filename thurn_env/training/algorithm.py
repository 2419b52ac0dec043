"""sb3-contrib's MaskablePPO for runs that can be stopped and resumed, and with a magnet.

The magnet is the running mean of the weights. Its policy attracts the learner's: the loss contains their KL divergence.
In games with hidden information, policies of self-play tend to cycle; a magnet damps the cycles (Sokota et al., 2023).
"""

from __future__ import annotations

import copy
import time
from collections import defaultdict
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import explained_variance, safe_mean
from torch.optim import Optimizer

from thurn_env.players.policy import Policy
from thurn_env.training.every_seat import SeatBuffer
from thurn_env.training.exchange import imported
from thurn_env.training.network import LeanPolicy, divergences, entropies
from thurn_env.training.parts import parts

LEAST_SHARE = 0.1
"""Final learning rate and entropy bonus, as a share of their initial values."""


class RunningPPO(MaskablePPO):
    """MaskablePPO that knows the length of the whole run, and its wall time so far.

    Learning rate and entropy bonus decrease linearly over the run. The library's own schedules would restart with every
    call of `learn`, and a run has many.

    Attributes:
        run_steps: number of decisions of the whole run.
        first_entropy: initial weight of the entropy bonus.
        magnet: weight of the KL divergence from the magnet; 0 for none.
        begun_with: how the initial policy was made, if there was one; see `thurn_env.engine.provenance.earlier`.
        played_against: the same for the policies in the pool, by name.
        lesson_minutes: duration of the lessons before the run, if any.
        search_rounds: number of rounds of lessons from search after the run so far, and
        search_minutes: their duration.
        seconds: wall time spent in `collecting` and in `learning`.
        processor_seconds: processor time of both, over all threads; on a busy machine it compares runs fairly.
    """

    policy: LeanPolicy
    run_steps = 1
    first_entropy = 0.0
    magnet = 0.0
    begun_with: dict[str, Any] | None = None
    lesson_minutes: float | None = None
    search_rounds = 0
    search_minutes = 0.0
    processor_seconds = 0.0
    _attracting: LeanPolicy | None = None

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

    def _update_info_buffer(self, infos: list[dict[str, Any]], dones: Any = None) -> None:
        """Keep the returns of ended games. The library looks at every game in every step, a tenth of collecting."""
        assert self.ep_info_buffer is not None
        self.ep_info_buffer.extend(infos[lane]["episode"] for lane in np.flatnonzero(dones).tolist())

    def collect_rollouts(self, *arguments: Any, **keywords: Any) -> bool:
        """Collect a rollout and measure its time."""
        start = time.perf_counter()
        done: bool = super().collect_rollouts(*arguments, **keywords)
        if isinstance(self.rollout_buffer, SeatBuffer):
            assert isinstance(self._last_obs, dict)
            self.rollout_buffer.complete(self._last_obs["seat"][:, 0])
        self.seconds["collecting"] += time.perf_counter() - start
        return done

    def attract_to(self, mean: Policy) -> None:
        """Place the magnet at the running mean of the weights; it stays there until the next call."""
        if self._attracting is None:
            self._attracting = copy.deepcopy(self.policy)
            del self._attracting.optimizer
        imported(self._attracting, mean)

    def _excluded_save_params(self) -> list[str]:
        """Return the attributes that `save` leaves out: `attract_to` restores the magnet."""
        return [*super()._excluded_save_params(), "_attracting"]

    def train(self) -> None:
        """Learn from the rollout and measure the time."""
        start = time.perf_counter()
        self._set_schedules()
        self._record(self._update(self.policy, self.rollout_buffer))
        self.seconds["learning"] += time.perf_counter() - start

    def _set_schedules(self) -> None:
        """Set learning rate and entropy bonus to their values at this point of the run."""
        self._update_learning_rate(self.policy.optimizer)
        self.ent_coef = self._fallen(self.first_entropy)

    def _record(self, figures: dict[str, float]) -> None:
        """Log the figures of an update."""
        for name, value in figures.items():
            self.logger.record(f"train/{name}", value)

    def _update(self, policy: LeanPolicy, rollout: Any) -> dict[str, float]:
        """Improve a policy with a rollout, and return figures of the update.

        This is the update of MaskablePPO with the magnet's divergence and all value estimates of the policy in its
        loss. Without a magnet and with one estimate, it computes the same numbers as the library, but for rounding in
        minibatches of several parts.
        """
        policy.set_training_mode(True)
        figures: dict[str, list[float]] = defaultdict(list)
        for _ in range(self.n_epochs):
            figures["approx_kl"].clear()
            done = all(self._step(policy, minibatch, figures) for minibatch in rollout.get(self.batch_size))
            self._n_updates += 1
            if not done:
                break
        explained = explained_variance(rollout.values.flatten(), rollout.returns.flatten())
        means = {name: float(np.mean(values)) for name, values in figures.items()}
        return {**means, "loss": figures["loss"][-1], "explained_variance": float(explained)}

    def _step(self, policy: LeanPolicy, minibatch: Any, figures: dict[str, list[float]]) -> bool:
        """Make one step of the optimiser on a minibatch; return False if the policy has moved too far for it."""
        advantages = minibatch.advantages
        # The last minibatch of a rollout may be a single decision, which has no standard deviation.
        if len(advantages) > 1:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        policy.optimizer.zero_grad()
        means: dict[str, float] = defaultdict(float)
        for rows, share in parts(len(advantages), policy.device, policy.network):
            loss, found = self._loss(policy, minibatch, rows, advantages[rows])
            (loss * share).backward()  # type: ignore[no-untyped-call]
            for name, value in found.items():
                means[name] += value * share
        for name, value in means.items():
            figures[name].append(value)
        if self.target_kl is not None and means["approx_kl"] > 1.5 * self.target_kl:
            return False
        torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
        policy.optimizer.step()
        return True

    def _loss(
        self, policy: LeanPolicy, minibatch: Any, rows: slice, advantages: torch.Tensor
    ) -> tuple[torch.Tensor, dict[str, float]]:
        """Return the mean loss of some rows of a minibatch, whose advantages are given, and figures of them."""
        observations, masks = _rows_of(minibatch.observations, rows), minibatch.action_masks[rows]
        estimates, log_probabilities = policy.judged(observations, masks)
        chosen = log_probabilities.gather(1, minibatch.actions[rows].long().reshape(-1, 1))[:, 0]
        moved = chosen - minibatch.old_log_prob[rows]
        ratio = torch.exp(moved)
        clip = self.clip_range(1.0)  # type: ignore[operator]
        clipped = torch.clamp(ratio, 1 - clip, 1 + clip)
        policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
        returns = minibatch.returns[rows]
        value_losses = [torch.nn.functional.mse_loss(returns, values.flatten()) for values in estimates]
        entropy_loss = -torch.mean(entropies(log_probabilities))
        loss = policy_loss + self.ent_coef * entropy_loss
        for value_loss in value_losses:
            loss = loss + self.vf_coef * value_loss
        found = {}
        if self.magnet:
            assert self._attracting is not None, "attract_to comes first"
            with torch.no_grad():
                attracting = self._attracting.log_probabilities(observations, masks)
            divergence = divergences(log_probabilities, attracting).mean()
            loss = loss + self.magnet * divergence
            found["magnet_kl"] = divergence.item()
        with torch.no_grad():
            found["approx_kl"] = float(torch.mean((torch.exp(moved) - 1) - moved))
            found["clip_fraction"] = float(torch.mean((torch.abs(ratio - 1) > clip).float()))
        found["entropy_loss"] = entropy_loss.item()
        found["policy_gradient_loss"] = policy_loss.item()
        found["value_loss"] = value_losses[0].item()
        found["loss"] = loss.item()
        return loss, found


def _rows_of(observations: Any, rows: slice) -> Any:
    """Return some rows of observations, which may be a dictionary of arrays."""
    if isinstance(observations, dict):
        return {name: values[rows] for name, values in observations.items()}
    return observations[rows]
