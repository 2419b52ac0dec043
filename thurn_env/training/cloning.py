"""A policy that learns to do what others did: cross-entropy over the legal actions, squared error of the returns."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from thurn_env.envs.single import learner_spaces
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.policy import Policy
from thurn_env.training.config import Network
from thurn_env.training.exchange import imported
from thurn_env.training.network import ILLEGAL, LeanPolicy, policy_arguments


class Decisions(Protocol):
    """What is learned from: `thurn_env.table.transitions.Transitions`, or `Lesson`."""

    @property
    def observations(self) -> Float32Array:
        """float32 (N, O), what the seat to move knew."""

    @property
    def masks(self) -> Int8Array:
        """int8 (N, A), its legal actions."""

    @property
    def actions(self) -> Int64Array:
        """int64 (N,), what it should play."""

    @property
    def returns(self) -> Float32Array:
        """float32 (N,), what it got for the game."""


class Judged(NamedTuple):
    """How well decisions are guessed.

    Attributes:
        cross_entropy: of the actions, in nats.
        squared_error: of the returns.
        right: the share of the decisions whose likeliest action is the one that was played.
    """

    cross_entropy: float
    squared_error: float
    right: float


class Cloning:
    """A policy that learns from decisions.

    Args:
        rules: the game.
        network: mlp or city, see `thurn_env.training.network`.
        width, depth: of the hidden layers.
        learning_rate: at the beginning; it falls to nothing along a cosine.
        value: weight of the returns' squared error.
        seed: of the network and of the order of the decisions.
        start: a policy to begin with.
        bfloat16: compute with 16 bits while learning.
        device: where to compute.
    """

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
        """Compute there from now on."""
        self.policy.to(device)
        # Loading takes the optimiser's own figures to where the weights are.
        self.optimizer.load_state_dict(self.optimizer.state_dict())

    def _there(self, array: Any) -> torch.Tensor:
        """An array as a tensor on the device."""
        return torch.from_numpy(array).to(self.policy.device)

    def _ask(self, observations: Float32Array, masks: Int8Array) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the actions, and expected returns."""
        hidden = self.policy.extract_features(self._there(observations))
        logits = self.policy.action_net(hidden).masked_fill(self._there(masks == 0), ILLEGAL)
        return logits, self.policy.value_net(hidden)[:, 0]

    @torch.no_grad()
    def play(self, observations: Float32Array, masks: Int8Array) -> tuple[Int64Array, Float32Array]:
        """The likeliest actions, int64 (N,), and the returns expected, float32 (N,)."""
        logits, values = self._ask(observations, masks)
        return logits.argmax(dim=1).cpu().numpy(), values.cpu().numpy()

    def learn(self, data: Decisions, rows: Int64Array, minibatch: int, done: float) -> None:
        """Learn once from these rows in random order.

        Args:
            data: decisions.
            rows: which of them.
            minibatch: how many make a step of the optimiser.
            done: the share of all learning that came before.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate * (1 + math.cos(math.pi * min(done, 1.0))) / 2
        order = self._generator.permutation(rows)
        for start in range(0, len(order), minibatch):
            part = order[start : start + minibatch]
            logits, values = self._ask(data.observations[part], data.masks[part])
            loss = torch.nn.functional.cross_entropy(logits, self._there(data.actions[part]))
            loss = loss + self.value * torch.nn.functional.mse_loss(values, self._there(data.returns[part]))
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()

    @torch.no_grad()
    def judge(self, data: Decisions, rows: Int64Array) -> Judged:
        """How well these rows are guessed."""
        logits, values = self._ask(data.observations[rows], data.masks[rows])
        actions = self._there(data.actions[rows])
        return Judged(
            round(float(torch.nn.functional.cross_entropy(logits, actions)), 4),
            round(float(torch.nn.functional.mse_loss(values, self._there(data.returns[rows]))), 4),
            round(float((logits.argmax(dim=1) == actions).float().mean()), 4),
        )
