"""AgileRL: its PPO over the native vector environment, whose infos hold the action masks that it looks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

from docs.recipes.scoring import Clock
from thurn_env.envs.vector import LearnerVectorEnv

GAMES, BATCH, ROUNDS, EPOCHS, MINIBATCH, RATE = 64, 4096, 60, 4, 512, 1e-3


# --- glue ---
def environment() -> LearnerVectorEnv:
    return LearnerVectorEnv(GAMES, board="tiny", opponents="greedy", reward="margin", shaping=1.0)


# --- training ---
def main() -> None:
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002 - AgileRL shuffles with NumPy's global generator
    envs = environment()
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config={
            "latent_dim": 128,
            "encoder_config": {"hidden_size": [128], "activation": "Tanh"},
            "head_config": {"hidden_size": [128], "activation": "Tanh"},
        },
        num_envs=GAMES,
        learn_step=BATCH,
        batch_size=MINIBATCH,
        update_epochs=EPOCHS,
        lr=RATE,
        gamma=1.0,
        share_encoders=False,
    )
    agent.set_training_mode(True)
    seen, infos = envs.reset(seed=1)
    state: Any = (seen, np.zeros(GAMES), np.zeros(GAMES), infos)
    clock, games = Clock(), 0
    for _ in range(ROUNDS):
        seen, done, scores, infos = state
        ended, *state = collect_rollouts(
            agent, envs, last_obs=seen, last_done=done, last_scores=scores, last_info=infos
        )
        games += len(ended)
        print(f"{games} games, mean return {np.mean(ended):.2f}", flush=True)
        agent.learn()

    def choose(observations: Any, masks: Any) -> Any:
        agent.set_training_mode(False)
        return agent.get_action(observations, action_mask=masks)[0]

    clock.report(choose, ROUNDS * BATCH, games, ["agilerl", "torch", "gymnasium"])


if __name__ == "__main__":
    main()
