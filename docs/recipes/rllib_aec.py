"""RLlib: self-play in PettingZoo's AEC environment with one masked policy for all seats, on the new API stack."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from docs.recipes.rllib_module import MaskedModule
from docs.recipes.scoring import Clock
from thurn_env import thurn_und_taxis_v0

GAMES, BATCH, ROUNDS, EPOCHS, MINIBATCH, RATE = 16, 2048, 60, 6, 256, 1e-3


# --- glue ---
def environment(config: Any) -> Any:
    return PettingZooEnv(thurn_und_taxis_v0.raw_env(board="tiny", reward="margin", shaping=1.0))


def policy_of(agent: str, episode: Any, **arguments: Any) -> str:
    return "shared"


register_env("thurn-aec", environment)


# --- training ---
def main() -> None:
    modules = MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(module_class=MaskedModule)})
    config = (
        PPOConfig()
        # The check plays an action without looking at the mask.
        .environment("thurn-aec", disable_env_checking=True)
        .multi_agent(policies={"shared"}, policy_mapping_fn=policy_of)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=GAMES)
        .learners(num_learners=0)
        .rl_module(rl_module_spec=modules)
        .training(
            train_batch_size_per_learner=BATCH,
            minibatch_size=MINIBATCH,
            num_epochs=EPOCHS,
            lr=RATE,
            gamma=1.0,
            lambda_=0.8,
            clip_param=0.2,
            entropy_coeff=0.01,
            vf_loss_coeff=0.5,
            vf_clip_param=float("inf"),
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=1, log_level="ERROR")
    )
    algorithm = config.build_algo()
    clock = Clock()
    for _ in range(ROUNDS):
        figures = algorithm.train()["env_runners"]
        print(f"{figures.get('num_episodes_lifetime', 0)} games", flush=True)
    choose = algorithm.get_module("shared").choose
    decisions, games = figures["num_env_steps_sampled_lifetime"], figures["num_episodes_lifetime"]
    clock.report(choose, decisions, games, ["ray", "torch", "pettingzoo"])
    algorithm.stop()


if __name__ == "__main__":
    main()
