"""TorchRL: its PPO loss over the native vector environment."""

from __future__ import annotations

from typing import Any

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from docs.recipes.scoring import Clock
from thurn_env.envs.vector import LearnerVectorEnv

GAMES, BATCH, DECISIONS, EPOCHS, MINIBATCH, RATE = 64, 4096, 60 * 4096, 4, 512, 1e-3


# --- glue ---
def environment() -> Any:
    envs = LearnerVectorEnv(
        GAMES,
        board="tiny",
        opponents="greedy",
        reward="margin",
        shaping=1.0,
        observation="dict",  # TorchRL turns the entries into keys of its tensordicts
        autoreset_mode="Disabled",  # TorchRL resets finished games itself
    )
    wrapped = GymWrapper(envs, categorical_action_encoding=True)
    env = TransformedEnv(wrapped, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    env.set_seed(1)
    return env


# --- training ---
def main() -> None:
    torch.manual_seed(1)
    env = environment()
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    body = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, actions))
    actor = ProbabilisticActor(
        TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        spec=env.action_spec,
        return_log_prob=True,
    )
    critic = ValueOperator(
        nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1)),
        in_keys=["observation"],
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), RATE)
    collector = Collector(
        env, actor, frames_per_batch=BATCH, total_frames=DECISIONS, auto_register_policy_transforms=False
    )
    clock, games = Clock(), 0
    for data in collector:
        ended = data["next", "done"].squeeze(-1)
        games += int(ended.sum())
        print(f"{games} games, mean reward {data['next', 'reward'].sum() / ended.sum():.3f}", flush=True)
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantage(data)
            rows = data.reshape(-1)
            for chosen in torch.randperm(len(rows)).split(MINIBATCH):
                parts = loss(rows[chosen])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        optimizer.param_groups[0]["lr"] -= RATE * BATCH / DECISIONS

    def choose(observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = body(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        return logits.argmax(-1).numpy()

    clock.report(choose, DECISIONS, games, ["torchrl", "tensordict", "torch", "gymnasium"])


if __name__ == "__main__":
    main()
