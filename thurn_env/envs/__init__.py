"""The environments: a game behind the interfaces that learning libraries expect."""

import gymnasium
import pettingzoo

from thurn_env.games import GAMES

GYMNASIUM_IDS = {f"thurn_env/{game.title().replace('_', '')}-v0": game for game in GAMES}
"""The games in Gymnasium's registry, such as `thurn_env/ThurnUndTaxis-v0`."""
PETTINGZOO_IDS = {f"thurn_env/{game}-v0": game for game in GAMES}
"""The games in PettingZoo's registry, such as `thurn_env/thurn_und_taxis-v0`."""


def register_environments() -> None:
    """Enter the environments into the registries of Gymnasium and PettingZoo; they are loaded when made."""
    for name, game in GYMNASIUM_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="thurn_env.envs.single:LearnerEnv",
                vector_entry_point="thurn_env.envs.vector:LearnerVectorEnv",
                kwargs={"game": game},
            )
    # PettingZoo has a registry from 1.27 on.
    register = getattr(pettingzoo, "register", None)
    for name, game in PETTINGZOO_IDS.items():
        if register is not None and name not in pettingzoo.aec_registry:
            register("aec", name, entry_point=f"thurn_env.{game}_v0:env")
