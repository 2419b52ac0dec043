"""The environments: a game behind the interfaces that learning libraries expect."""

import pettingzoo


def register_environments() -> None:
    """Enter the environments into PettingZoo's registry (1.27 and later have one); they are loaded when made."""
    register = getattr(pettingzoo, "register", None)
    if register is not None and "thurn_env/thurn_und_taxis-v0" not in pettingzoo.aec_registry:
        register("aec", "thurn_env/thurn_und_taxis-v0", entry_point="thurn_env.thurn_und_taxis_v0:env")
