"""PPO with action masks in one file, in the style of CleanRL: the vector environment, torch, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from docs.recipes.scoring import Clock
from thurn_env.envs.vector import LearnerVectorEnv

ENVS, STEPS, UPDATES, EPOCHS, MINIBATCH = 64, 64, 60, 4, 512
RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 1e-3, 1.0, 0.95, 0.2, 0.01, 0.5


# --- glue ---
def environment() -> LearnerVectorEnv:
    return LearnerVectorEnv(ENVS, board="tiny", opponents="greedy", reward="margin", shaping=1.0)


# --- training ---
class Policy(nn.Module):
    """Two layers of 128 units, then logits of the actions and the value of the position."""

    def __init__(self, observation_size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observation_size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.logits, self.value = nn.Linear(128, actions), nn.Linear(128, 1)
        nn.init.orthogonal_(self.logits.weight, 0.01)

    def forward(self, observations: Any, masks: Any) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        features = self.body(observations)
        logits = self.logits(features).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(features).squeeze(-1)


def main() -> None:
    torch.manual_seed(1)
    envs = environment()
    observation, infos = envs.reset(seed=1)
    clock, games = Clock(), 0
    policy = Policy(envs.rules.observation_size, envs.rules.action_size)
    optimizer = torch.optim.Adam(policy.parameters(), RATE, eps=1e-5)
    observations = torch.zeros(STEPS, ENVS, envs.rules.observation_size)
    masks = torch.zeros(STEPS, ENVS, envs.rules.action_size, dtype=torch.int8)
    actions = torch.zeros(STEPS, ENVS, dtype=torch.int64)
    log_probabilities, rewards, values, going_on = (torch.zeros(STEPS, ENVS) for _ in range(4))
    for update in range(UPDATES):
        optimizer.param_groups[0]["lr"] = RATE * (1 - update / UPDATES)
        won = []
        for step in range(STEPS):
            observations[step], masks[step] = torch.from_numpy(observation), torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                choice, values[step] = policy(observations[step], masks[step])
                actions[step] = choice.sample()
                log_probabilities[step] = choice.log_prob(actions[step])
            observation, reward, terminated, truncated, infos = envs.step(actions[step].numpy())
            rewards[step] = torch.from_numpy(reward)
            ended = terminated | truncated  # a truncated game has paid its return, so it ends like any other
            going_on[step] = torch.from_numpy(~ended)
            if ended.any():
                won += infos["final_info"]["won"][ended].tolist()
        games += len(won)
        print(f"update {update}: won {np.mean(won):.1%} of {len(won)} games", flush=True)
        with torch.no_grad():
            value = policy(torch.from_numpy(observation), torch.from_numpy(infos["action_mask"]))[1]
            advantages, advantage = torch.zeros(STEPS, ENVS), torch.zeros(ENVS)
            for step in reversed(range(STEPS)):
                error = rewards[step] + GAMMA * value * going_on[step] - values[step]
                advantage = error + GAMMA * LAMBDA * going_on[step] * advantage
                advantages[step], value = advantage, values[step]
        batch = [part.flatten(0, 1) for part in (observations, masks, actions, log_probabilities, advantages)]
        batch.append((advantages + values).flatten())
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * ENVS).split(MINIBATCH):
                seen, legal, taken, before, gain, target = (part[rows] for part in batch)
                choice, value = policy(seen, legal)
                ratio = (choice.log_prob(taken) - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                gained = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = VALUE * (value - target).square().mean() - gained - ENTROPY * choice.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                optimizer.step()

    def choose(seen: Any, legal: Any) -> Any:
        with torch.no_grad():
            return policy(torch.from_numpy(seen), torch.from_numpy(legal))[0].logits.argmax(-1).numpy()

    clock.report(choose, UPDATES * STEPS * ENVS, games, ["torch"])


if __name__ == "__main__":
    main()
