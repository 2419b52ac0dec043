"""Environments for PettingZoo, Gymnasium and Stable-Baselines3."""

import gymnasium
import pettingzoo

from thurn_env.games import GAMES

GYMNASIUM_IDS = {f"thurn_env/{game.title().replace('_', '')}-v0": game for game in GAMES}
"""Gymnasium ids of the games, such as `thurn_env/ThurnUndTaxis-v0`."""
PETTINGZOO_IDS = {f"thurn_env/{game}-v0": game for game in GAMES}
"""PettingZoo ids of the games, such as `thurn_env/thurn_und_taxis-v0`."""


def register_environments() -> None:
    """Register the environments with Gymnasium and PettingZoo, which import their modules on first use."""
    for name, game in GYMNASIUM_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="thurn_env.envs.single:LearnerEnv",
                vector_entry_point="thurn_env.envs.vector:LearnerVectorEnv",
                kwargs={"game": game},
            )
    # PettingZoo has a registry since 1.27.
    register = getattr(pettingzoo, "register", None)
    for name, game in PETTINGZOO_IDS.items():
        if register is not None and name not in pettingzoo.aec_registry:
            register("aec", name, entry_point=f"thurn_env.{game}_v0:env")
