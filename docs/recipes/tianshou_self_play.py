"""Tianshou: PPO with a masked actor that plays against itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

from docs.recipes.scoring import Clock
from thurn_env.envs.single import LearnerEnv

GAMES, BATCH, DECISIONS, REPEATS, MINIBATCH, RATE = 32, 2048, 60 * 2048, 6, 256, 1e-3


# --- glue ---
class Actor(nn.Module):
    """Masked logits of the actions; observations are a `Batch` of `observation` and `action_mask`."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        logits = self.body(torch.as_tensor(obs.observation))
        return logits.masked_fill(torch.as_tensor(obs.action_mask) == 0, -1e9), state


class Critic(nn.Module):
    """The value of positions, from the same observations."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        return self.body(torch.as_tensor(obs.observation))


class Opponent:
    """The actor in the other seat: it draws its actions from the logits of the policy that learns."""

    name = "self"

    def __init__(self, body: nn.Module) -> None:
        self.body = body

    def act_batch(self, observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = self.body(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -1e9)
        return torch.distributions.Categorical(logits=logits).sample().numpy()


def environments(opponent: Opponent) -> Any:
    def environment() -> LearnerEnv:
        return LearnerEnv(board="tiny", opponents=opponent, reward="margin", shaping=1.0, observation="dict")

    envs = DummyVectorEnv([environment] * GAMES)
    envs.seed(1)
    return envs


# --- training ---
def network(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, outputs))


def main() -> None:
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002 - Tianshou draws from NumPy's global generator
    rules = LearnerEnv(board="tiny").rules
    body = network(rules.observation_size, rules.action_size)
    envs = environments(Opponent(body))
    policy = ProbabilisticActorPolicy(
        actor=Actor(body),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=envs.action_space[0],
        action_scaling=False,
        action_bound_method=None,
    )
    algorithm: Any = PPO(
        policy=policy,
        critic=Critic(network(rules.observation_size, 1)),
        optim=AdamOptimizerFactory(lr=RATE),
        gamma=1.0,
        gae_lambda=0.8,
        ent_coef=0.01,
        max_grad_norm=0.5,
    )
    collector = Collector(algorithm, envs, VectorReplayBuffer(BATCH, GAMES))
    clock = Clock()
    result = algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=DECISIONS // BATCH // 10,
            epoch_num_steps=10 * BATCH,
            collection_step_num_env_steps=BATCH,
            update_step_num_repetitions=REPEATS,
            batch_size=MINIBATCH,
            show_progress=False,
        )
    )

    def choose(observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = body(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        return logits.argmax(-1).numpy()

    clock.report(choose, result.train_step, result.train_episode, ["tianshou", "torch", "gymnasium"])


if __name__ == "__main__":
    main()
