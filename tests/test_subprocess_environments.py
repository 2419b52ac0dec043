"""Vector environments of other libraries with a process for each game, as docs/learning.md shows them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.choices import Chooser
from tests.infos import check_infos, same
from thurn_env.envs.vector import LearnerVectorEnv

ROOT = Path(__file__).parents[1]
ID = "thurn_env:thurn_env/ThurnUndTaxis-v0"
STABLE_BASELINES3 = """
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

if __name__ == "__main__":
    env = make_vec_env(
        "thurn_env:thurn_env/ThurnUndTaxis-v0",
        n_envs=2,
        seed=1,
        env_kwargs={"board": "tiny", "opponents": "random"},
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": "spawn"},
    )
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=1)
    model.learn(32)
    env.close()
"""
"""What the page says of Stable-Baselines3."""
EXAMPLES = [
    example
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "learning.md").read_text("utf-8"), re.DOTALL)
    if "__main__" in example
]


@pytest.mark.parametrize(("context", "observation"), [("spawn", "flat"), ("forkserver", "dict")])
def test_games_in_processes_are_those_of_the_vector_environment(context: str, observation: str) -> None:
    arguments: dict[str, Any] = {"board": "tiny", "opponents": "greedy", "observation": observation, "max_rounds": 4}
    theirs = gymnasium.make_vec(
        ID, num_envs=2, vectorization_mode="async", vector_kwargs={"context": context}, **arguments
    )
    ours = LearnerVectorEnv(2, autoreset_mode="NextStep", **arguments)
    choose = Chooser(ours.rules)
    try:
        their_seen, their_infos = theirs.reset(seed=4)
        seen, infos = ours.reset(seed=4)
        for _ in range(40):
            assert same(seen, their_seen)
            check_infos(infos, their_infos)
            assert np.array_equal(theirs.call("action_masks"), ours.action_masks())  # type: ignore[attr-defined]
            actions = choose(infos["action_mask"])
            their_seen, *others, their_infos = theirs.step(actions)
            seen, *arrays, infos = ours.step(actions)
            for one, other in zip(arrays, others, strict=True):
                assert np.array_equal(one, other)
    finally:
        theirs.close()


@pytest.mark.parametrize("example", [*EXAMPLES, STABLE_BASELINES3], ids=["gymnasium", "stable_baselines3"])
def test_examples_run_as_scripts(example: str, tmp_path: Path) -> None:
    """In a fresh Python, whose children run the script again: nothing but the id imports the package."""
    assert "import thurn_env" not in example
    assert '"spawn"' in example
    if "sb3_contrib" in example:
        pytest.importorskip("sb3_contrib")
    script = tmp_path / "example.py"
    script.write_text(example, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
