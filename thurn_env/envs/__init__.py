"""The environments: a game behind the interfaces that learning libraries expect."""

import gymnasium
import pettingzoo

GYMNASIUM_IDS = {"thurn_env/ThurnUndTaxis-v0": "thurn_und_taxis"}
"""The games in Gymnasium's registry."""


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
    if register is not None and "thurn_env/thurn_und_taxis-v0" not in pettingzoo.aec_registry:
        register("aec", "thurn_env/thurn_und_taxis-v0", entry_point="thurn_env.thurn_und_taxis_v0:env")
