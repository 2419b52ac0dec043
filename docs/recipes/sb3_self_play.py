"""Stable-Baselines3: MaskablePPO of sb3-contrib against snapshots of itself, over the native `VecEnv`."""

from __future__ import annotations

from typing import Any

from sb3_contrib import MaskablePPO

from docs.recipes.scoring import Clock
from thurn_env.envs.sb3 import LearnerVecEnv

GAMES, BATCH, ROUNDS = 32, 2048, 60


# --- glue ---
def environment() -> LearnerVecEnv:
    return LearnerVecEnv(GAMES, board="tiny", opponents="self", reward="margin", shaping=1.0, seed=1)


# --- training ---
def main() -> None:
    envs = environment()
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        learning_rate=lambda left: 1e-3 * left,
        n_steps=BATCH // GAMES,
        batch_size=256,
        n_epochs=6,
        gamma=1.0,
        gae_lambda=0.8,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=1,
        device="cpu",
    )
    clock, games = Clock(), 0

    def at_every_round(values: dict[str, Any], _: dict[str, Any]) -> bool:
        nonlocal games
        games += int(values["dones"].sum())
        if values["n_steps"] == 1:  # the first step of a round: the opponent becomes the learner as it is now
            envs.refresh_opponents(model)
            print(f"{games} games", flush=True)
        return True

    model.learn(ROUNDS * BATCH, callback=at_every_round)

    def choose(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    clock.report(choose, model.num_timesteps, games, ["sb3-contrib", "stable-baselines3", "torch"])


if __name__ == "__main__":
    main()
