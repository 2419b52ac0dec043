"""What learning libraries expect of environments, beyond the published checkers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from pettingzoo.test import api_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.choices import Chooser
from thurn_env import Batch, Game, OptionError, thurn_und_taxis_v0, zug_um_zug_deutschland_v0
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv

MODULES = [(thurn_und_taxis_v0, "tiny"), (zug_um_zug_deutschland_v0, "tiny_rails")]
FACES: dict[str, Callable[..., Any]] = {
    "Game": lambda **options: Game(2, "tiny", **options),
    "Batch": lambda **options: Batch(2, 2, "tiny", **options),
    "single": lambda **options: LearnerEnv(board="tiny", **options),
    "vector": lambda **options: LearnerVectorEnv(2, board="tiny", **options),
    "sb3": lambda **options: LearnerVecEnv(2, board="tiny", **options),
    "aec": lambda **options: thurn_und_taxis_v0.env(2, "tiny", **options),
    "aec of the second game": lambda **options: zug_um_zug_deutschland_v0.env(2, "tiny_rails", **options),
}


@pytest.mark.parametrize("face", FACES)
def test_an_unknown_keyword_is_a_type_error_too(face: str) -> None:
    """TorchRL tries `frameskip` and goes without it if Python's words for an unknown keyword come back."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as caught:
        FACES[face](frameskip=4)
    assert isinstance(caught.value, OptionError)
    assert "The options are" in str(caught.value)


def test_an_unknown_keyword_passes_through_the_registry() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gymnasium.make("thurn_env/ThurnUndTaxis-v0", frameskip=4)


@pytest.mark.parametrize("base", [VectorEnv, SyncVectorEnv])
def test_the_vector_environment_has_all_attributes_of_gymnasiums(base: type[Any]) -> None:
    ours = LearnerVectorEnv(2, board="tiny")
    theirs = base([lambda: LearnerEnv(board="tiny")] * 2) if base is SyncVectorEnv else base()
    # These are about the single environments that Gymnasium's own class consists of.
    of_parts = {"call", "copy", "env_fns", "envs", "get_attr", "observation_mode", "set_attr"}
    names = {name for name in [*dir(theirs), *VectorEnv.__annotations__] if not name.startswith("_")}
    assert [name for name in sorted(names - of_parts) if not hasattr(ours, name)] == []
    assert ours.autoreset_mode is AutoresetMode.SAME_STEP
    assert len(ours) == ours.num_envs == 2


@pytest.mark.parametrize(("module", "board"), MODULES, ids=lambda part: getattr(part, "__name__", part))
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning:pettingzoo.test.api_test")
@pytest.mark.filterwarnings("ignore:Observation space for each agent:UserWarning:pettingzoo.test.api_test")
def test_flat_observations_of_pettingzoo(module: Any, board: str) -> None:
    """The vectors of the dictionaries; the mask is in the infos."""
    api_test(module.env(2, board, observation="flat"), 100)
    flat, usual = module.env(2, board, observation="flat"), module.env(2, board)
    generator = np.random.default_rng(1)
    for env in (flat, usual):
        env.reset(seed=3)
    for agent in flat.agent_iter():
        seen, reward, terminated, truncated, info = flat.last()
        expected, *others, _ = usual.last()
        assert agent == usual.agent_selection
        assert flat.observation_space(agent) == usual.observation_space(agent)["observation"]
        assert isinstance(flat.observation_space(agent), spaces.Box)
        assert seen in flat.observation_space(agent)
        assert np.array_equal(seen, expected["observation"])
        assert np.array_equal(info["action_mask"], expected["action_mask"])
        assert [reward, terminated, truncated] == others
        legal = np.flatnonzero(info["action_mask"])
        action = None if terminated or truncated else int(generator.choice(legal))
        flat.step(action)
        usual.step(action)


def test_an_illegal_action_ends_a_game_with_flat_observations() -> None:
    env = thurn_und_taxis_v0.env(2, "tiny", observation="flat")
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(int(env.infos[mover]["action_mask"].argmin()))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards[mover] == -1.0


def test_a_copy_has_flat_observations_too() -> None:
    env = thurn_und_taxis_v0.env(2, "tiny", observation="flat")
    env.reset(seed=1)
    assert np.array_equal(env.clone().last()[0], env.last()[0])


def test_a_wrong_form_of_observations() -> None:
    with pytest.raises(OptionError, match="observation must be one of flat, dict, not 'round'"):
        thurn_und_taxis_v0.env(2, "tiny", observation="round")


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_the_parallel_interface(observation: str) -> None:
    """As on the page: all agents act in every step, and only the action of the agent to move counts."""
    env = turn_based_aec_to_parallel(thurn_und_taxis_v0.env(2, "tiny", observation=observation))
    choose = Chooser(env.unwrapped.rules)
    _, infos = env.reset(seed=1)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        masks = {agent: infos[agent]["action_mask"] for agent in env.agents}
        assert sum(mask.any() for mask in masks.values()) == 1
        actions = {agent: choose.one(mask) if mask.any() else 0 for agent, mask in masks.items()}
        _, rewards, *_, infos = env.step(actions)
        for agent, reward in rewards.items():
            returns[agent] += reward
    assert sorted(returns.values()) in ([-1.0, 1.0], [0.0, 0.0])


PLAIN = """
import sys
for module in ("resvg_py", "PIL", "pygame", "torch", "stable_baselines3"):
    sys.modules[module] = None
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if sys.modules.get(name, name) is None else found(name, *rest)
import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test
from thurn_env import thurn_und_taxis_v0, MissingExtra
env = gymnasium.make("thurn_env:thurn_env/ThurnUndTaxis-v0", board="tiny").unwrapped
print(env.metadata["render_modes"])
check_env(env)
render_test(lambda render_mode: thurn_und_taxis_v0.env(2, "tiny", render_mode=render_mode),
            {"svg": lambda result: result.startswith("<svg")})
pixels = gymnasium.make_vec("thurn_env/ThurnUndTaxis-v0", 2, board="tiny", render_mode="rgb_array")
pixels.reset(seed=1)
try:
    pixels.render()
except MissingExtra as error:
    print(error)
"""


def test_checkers_pass_without_any_extra() -> None:
    done = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modes, *_, missing = done.stdout.splitlines()
    assert modes == "['ansi', 'svg']"
    assert 'pip install "thurn-env[render]"' in missing
