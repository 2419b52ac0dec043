"""Behaviour cloning: cross-entropy over the legal actions, squared error of the returns."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from thurn_env.envs.observations import learner_spaces
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.policy import Network, Policy
from thurn_env.training.exchange import imported
from thurn_env.training.network import ILLEGAL, LeanPolicy, policy_arguments
from thurn_env.training.parts import parts


class Decisions(Protocol):
    """Protocol of training data: `thurn_env.table.transitions.Transitions` or `Lesson`."""

    @property
    def observations(self) -> Float32Array:
        """Observations of the seat to move, float32 (N, O)."""

    @property
    def masks(self) -> Int8Array:
        """Masks of its legal actions, int8 (N, A)."""

    @property
    def actions(self) -> Int64Array:
        """Target actions, int64 (N,)."""

    @property
    def returns(self) -> Float32Array:
        """Returns of the games, float32 (N,)."""


class Judged(NamedTuple):
    """Quality of a policy's predictions.

    Attributes:
        cross_entropy: cross-entropy of the actions, in nats.
        squared_error: mean squared error of the returns.
        right: share of the decisions whose most probable action is the target.
    """

    cross_entropy: float
    squared_error: float
    right: float


class Cloning:
    """A policy that is trained on decisions by behaviour cloning.

    Args:
        rules: rules of the game.
        network: mlp, city or ways, see `thurn_env.training.trunks`.
        width, depth: size of the hidden layers.
        learning_rate: initial learning rate; it decreases to 0 along a cosine.
        value: weight of the squared error of the returns.
        seed: seed of the network and of the order of the decisions.
        start: initial policy, or None.
        bfloat16: compute in bfloat16 while training.
        device: device of the network.

    Attributes:
        begun_with: how the initial policy was made, see `thurn_env.engine.provenance.earlier`, or None.
    """

    begun_with: dict[str, Any] | None = None

    def __init__(
        self,
        rules: GameRules,
        network: Network,
        width: int,
        depth: int,
        learning_rate: float,
        value: float,
        seed: int,
        start: Policy | None = None,
        *,
        bfloat16: bool = False,
        device: torch.device | str = "cpu",
    ) -> None:
        torch.manual_seed(seed)
        self.rules, self.value, self.learning_rate = rules, value, learning_rate
        space, actions = learner_spaces(rules, "flat")
        keywords = policy_arguments(rules, network, width, depth, bfloat16)
        self.policy = LeanPolicy(space, actions, lambda _: learning_rate, **keywords)
        if start:
            imported(self.policy, start)
        self.policy.to(device)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), learning_rate, weight_decay=1e-4)
        self._generator = np.random.default_rng(seed)

    def move(self, device: torch.device | str) -> None:
        """Move the network and the optimiser to a device."""
        self.policy.to(device)
        # Loading moves the optimiser's state to the device of the weights.
        self.optimizer.load_state_dict(self.optimizer.state_dict())

    def _there(self, array: Any) -> torch.Tensor:
        """Return an array as a tensor on the device."""
        return torch.from_numpy(array).to(self.policy.device)

    def _forward(self, observations: Float32Array, masks: Int8Array) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of the actions, (N, A), and the predicted returns, (N,)."""
        hidden = self.policy.extract_features(self._there(observations))
        logits = self.policy.action_net(hidden).masked_fill(self._there(masks == 0), ILLEGAL)
        return logits, self.policy.value_net(hidden)[:, 0]

    @torch.no_grad()
    def play(self, observations: Float32Array, masks: Int8Array) -> tuple[Int64Array, Float32Array]:
        """Return the most probable actions, int64 (N,), and the predicted returns, float32 (N,)."""
        logits, values = self._forward(observations, masks)
        return logits.argmax(dim=1).cpu().numpy(), values.cpu().numpy()

    def learn(
        self,
        data: Decisions,
        rows: Int64Array,
        minibatch: int,
        done: float,
        probabilities: Float32Array | None = None,
    ) -> None:
        """Train for one epoch on these rows in random order.

        Args:
            data: decisions.
            rows: indices of the decisions to train on, int64.
            minibatch: decisions per step of the optimiser.
            done: share of the whole training that is done, from 0 to 1.
            probabilities: targets instead of the actions, float32 (N, A).
        """
        targets = data.actions if probabilities is None else probabilities
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate * (1 + math.cos(math.pi * min(done, 1.0))) / 2
        order = self._generator.permutation(rows)
        for start in range(0, len(order), minibatch):
            chosen = order[start : start + minibatch]
            self.optimizer.zero_grad()
            for part, share in parts(len(chosen), self.policy.device, self.policy.network):
                there = chosen[part]
                logits, values = self._forward(data.observations[there], data.masks[there])
                loss = torch.nn.functional.cross_entropy(logits, self._there(targets[there]))
                loss = loss + self.value * torch.nn.functional.mse_loss(values, self._there(data.returns[there]))
                (loss * share).backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()

    @torch.no_grad()
    def judge(self, data: Decisions, rows: Int64Array) -> Judged:
        """Measure how well the policy predicts these rows."""
        logits, values = self._forward(data.observations[rows], data.masks[rows])
        actions = self._there(data.actions[rows])
        return Judged(
            round(float(torch.nn.functional.cross_entropy(logits, actions)), 4),
            round(float(torch.nn.functional.mse_loss(values, self._there(data.returns[rows]))), 4),
            round(float((logits.argmax(dim=1) == actions).float().mean()), 4),
        )
