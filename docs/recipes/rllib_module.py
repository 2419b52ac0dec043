"""A policy with action masks for RLlib's new API stack, which both recipes for RLlib train."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# --- glue ---
class MaskedModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """Policy and value for observations that are a Dict of `observation` and `action_mask`."""

    def setup(self) -> None:
        size = self.observation_space["observation"].shape[0]
        self.policy = network(size, int(self.action_space.n))
        self.value = network(size, 1)

    def _forward(self, batch: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e9)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return self.value(batch[Columns.OBS]["observation"]).squeeze(-1)

    def choose(self, observations: Any, masks: Any) -> Any:
        """Return the most probable action of every row."""
        with torch.no_grad():
            seen = {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}
            return self._forward({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].argmax(-1).numpy()


# --- training ---
def network(inputs: int, outputs: int) -> nn.Module:
    """Return two layers of 256 units."""
    return nn.Sequential(nn.Linear(inputs, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, outputs))
