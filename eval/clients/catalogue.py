"""The recipes of `docs/recipes/`: what each one shows, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thurn_env.files import read_text

FOLDER = Path(__file__).parents[2] / "docs" / "recipes"
GLUE, TRAINING = "# --- glue ---", "# --- training ---"
"""Comments at the beginning of the lines that adapt the environment to the library, and of the lines that train."""


@dataclass(frozen=True)
class Recipe:
    """One recipe.

    Attributes:
        name: name of its file in `docs/recipes/`.
        library: name of the file of its requirements in `docs/recipes/requirements/`.
        interface: the interface of this project that it uses.
        algorithm: what it trains, and against which opponents.
        modules: further files of `docs/recipes/` with lines that adapt the environment.
    """

    name: str
    library: str
    interface: str
    algorithm: str
    modules: tuple[str, ...] = ()

    @property
    def script(self) -> Path:
        """The recipe's file."""
        return FOLDER / f"{self.name}.py"

    @property
    def requirements(self) -> Path:
        """File of the requirements."""
        return FOLDER / "requirements" / f"{self.library}.txt"

    def glue_lines(self) -> int:
        """Count the lines of code that adapt the environment to the library; blank lines and comments do not count."""
        files = [FOLDER / f"{name}.py" for name in (self.name, *self.modules)]
        lines = [line for file in files for line in glue(read_text(file))]
        return sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#"))


def glue(text: str) -> list[str]:
    """Return the lines between the two comments; without the second one, all lines to the end."""
    return text.partition(GLUE)[2].partition(TRAINING)[0].splitlines()


VECTOR, VEC_ENV, AEC, SINGLE = "`LearnerVectorEnv`", "`LearnerVecEnv`", "AEC `raw_env`", "`LearnerEnv`"
RECIPES = (
    Recipe("cleanrl_ppo", "torch", VECTOR, "PPO against `greedy`"),
    Recipe("sb3_self_play", "sb3", VEC_ENV, "MaskablePPO against snapshots of itself"),
    Recipe("torchrl_vector", "torchrl", VECTOR, "PPO against `greedy`"),
    Recipe("torchrl_aec", "torchrl", AEC, "PPO, self-play"),
    Recipe("tianshou_self_play", "tianshou", SINGLE, "PPO, self-play"),
    Recipe("rllib_vector", "rllib", VECTOR, "PPO against `greedy`", ("rllib_module",)),
    Recipe("rllib_aec", "rllib", AEC, "PPO, self-play", ("rllib_module",)),
    Recipe("agilerl_ppo", "agilerl", VECTOR, "PPO against `greedy`"),
    Recipe("minari_cloning", "minari", SINGLE + ", data sets", "imitation of `heuristic`"),
)


def names() -> list[str]:
    """Return the names of all recipes."""
    return [recipe.name for recipe in RECIPES]
