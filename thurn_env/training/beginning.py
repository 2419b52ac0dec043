"""What a run begins with: its games and its model."""

from __future__ import annotations

import torch

from thurn_env.engine.generator import derived_seed
from thurn_env.games.options import parse_options
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.config import Config
from thurn_env.training.every_seat import SeatBuffer
from thurn_env.training.network import JointPolicy, LeanPolicy, policy_arguments
from thurn_env.training.overlap import OverlappingPPO
from thurn_env.training.pool import PoolVecEnv

GAMES = 3
"""Number of the seed stream of the games; `thurn_env.training.run` has the others."""


def new_games(config: Config) -> PoolVecEnv:
    """Return the games of a run, before their first reset."""
    return PoolVecEnv(
        config.shares(),
        config.lanes,
        derived_seed(config.seed, GAMES),
        need=config.need,
        others=config.critic == "state",
        game=config.game,
        players=config.players,
        board=config.board,
        reward=config.reward,
        shaping=config.shaping,
        **parse_options(config.option),
    )


def new_model(config: Config, env: PoolVecEnv, device: torch.device) -> RunningPPO:
    """Return the model of a run with random weights.

    Args:
        config: configuration of the run.
        env: its games.
        device: device of the network.
    """
    algorithm = OverlappingPPO if config.overlap else RunningPPO
    return algorithm(
        JointPolicy if env.joint else LeanPolicy,
        env,
        rollout_buffer_class=SeatBuffer if env.joint else None,
        rollout_buffer_kwargs={"players": config.players} if env.joint else None,
        n_steps=config.rollout,
        batch_size=min(config.minibatch, config.lanes * config.rollout),
        n_epochs=config.epochs,
        learning_rate=config.learning_rate,
        gamma=config.discount,
        gae_lambda=config.trace,
        clip_range=config.clip,
        ent_coef=config.entropy,
        vf_coef=config.value,
        target_kl=config.most_divergence,
        policy_kwargs=policy_arguments(env.rules, config.network, config.width, config.depth, config.bfloat16),
        seed=config.seed,
        device=device,
    )
