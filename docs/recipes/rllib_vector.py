"""RLlib: PPO for one learner over the native vector environment, on the new API stack."""

from __future__ import annotations

from typing import Any

from gymnasium.wrappers.vector import RecordEpisodeStatistics
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from docs.recipes.rllib_module import MaskedModule
from docs.recipes.scoring import Clock
from thurn_env.envs.vector import LearnerVectorEnv

GAMES, BATCH, ROUNDS, EPOCHS, MINIBATCH, RATE = 64, 4096, 60, 4, 512, 1e-3


# --- glue ---
def environment(config: Any) -> Any:
    envs = LearnerVectorEnv(
        config["num_envs"],
        board="tiny",
        opponents="greedy",
        reward="margin",
        shaping=1.0,
        observation="dict",
        autoreset_mode="NextStep",  # RLlib expects the first observation of a game one step after the last one
    )
    return RecordEpisodeStatistics(envs)


def games_finished(env: Any) -> int:
    """Return the number of finished games that Gymnasium's wrapper counted, to compare it with RLlib's number."""
    while not isinstance(env, RecordEpisodeStatistics):
        env = env.env
    return int(env.episode_count)


register_env("thurn-vector", environment)


# --- training ---
def main() -> None:
    config = (
        PPOConfig()
        .environment("thurn-vector")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=GAMES, gym_env_vectorize_mode="vector_entry_point")
        .learners(num_learners=0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .training(
            train_batch_size_per_learner=BATCH,
            minibatch_size=MINIBATCH,
            num_epochs=EPOCHS,
            lr=RATE,
            gamma=1.0,
            lambda_=0.95,
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
        print(f"{figures['num_episodes_lifetime']} games, mean return {figures.get('episode_return_mean')}", flush=True)
    choose = algorithm.get_module().choose
    recorded = int(figures["num_episodes_lifetime"])
    clock.report(
        choose,
        figures["num_env_steps_sampled_lifetime"],
        recorded,
        ["ray", "torch", "gymnasium"],
        games_finished=games_finished(algorithm.env_runner.env),
    )
    algorithm.stop()


if __name__ == "__main__":
    main()
