"""Opponents that are snapshots of the learner."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np

from thurn_env.errors import OptionError
from thurn_env.games.contract import Float32Array, Int8Array, Int64Array, Rules

__all__ = ["PolicySnapshot"]

SELF = "self"
"""Name of the opponent that is a snapshot of the learner."""


class PolicySnapshot:
    """A frozen copy of a masked policy of sb3-contrib that samples its actions with its own random generator.

    It plays at random before the first `refresh`.
    """

    name = SELF
    takes_learner_observations = True

    def __init__(self) -> None:
        self._policy: Any = None
        self._generator = np.random.default_rng(0)

    def refresh(self, model: Any) -> None:
        """Copy a `MaskablePPO` or its policy; raise `OptionError` if it does not accept masks."""
        policy = getattr(model, "policy", model)
        method = getattr(policy, "get_distribution", None)
        if method is None or "action_masks" not in inspect.signature(method).parameters:
            raise OptionError(f"a snapshot needs a policy that takes action masks, not {type(policy).__name__}")
        # The distribution still holds tensors of the last training step, which cannot be copied and are not needed.
        distribution = policy.action_dist
        self._policy = copy.deepcopy(policy, {id(distribution): copy.copy(distribution)})
        self._policy.set_training_mode(False)

    def reset_batch(self, rules: Rules, seed: int) -> None:
        """Reset the random generator when all games begin."""
        self._generator = np.random.default_rng(seed)

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        """Sample an action for every row.

        Args:
            observations: float32 (batch, O).
            masks: int8 (batch, A).

        Returns:
            actions, int64 (batch,).
        """
        scores: Any = np.zeros(masks.shape)
        if self._policy is not None:
            import torch

            with torch.no_grad():
                tensor = self._policy.obs_to_tensor(observations)[0]
                scores = self._policy.get_distribution(tensor, action_masks=masks).distribution.logits.cpu().numpy()
        # Gumbel-max trick: the argmax of logits plus Gumbel noise is a sample of the softmax.
        noisy = np.where(masks != 0, scores + self._generator.gumbel(size=masks.shape), -np.inf)
        choices: Int64Array = noisy.argmax(axis=1)
        return choices
