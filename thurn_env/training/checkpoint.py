"""The state of a training run in one file, written atomically."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from thurn_env.files import write_bytes
from thurn_env.players.policy import Policy
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.folder import CHECKPOINT, unpickled
from thurn_env.training.overlap import OverlappingPPO
from thurn_env.training.pool import PoolVecEnv

FORMAT = "thurn-training/7"


@dataclass
class Progressed:
    """Progress of a run, besides its model and games.

    Attributes:
        past: snapshots of the learner, oldest first: those kept by `thurn_env.training.pool.kept`, and the newest.
        taken: number of snapshots taken; the first is taken before the run begins.
        evaluations: results of all evaluations.
        best: the best policy so far, and its number of steps.
        mean: running mean of the weights.
        evaluated: policy of the last evaluation; before the first evaluation the initial policy.
    """

    past: list[Policy]
    taken: int
    evaluations: list[dict[str, Any]]
    best: tuple[Policy, int] | None
    mean: Policy
    evaluated: Policy


def save(folder: Path, config: dict[str, Any], model: RunningPPO, env: PoolVecEnv, progressed: Progressed) -> None:
    """Write the checkpoint of a run; the previous one is kept until the new one is complete."""
    content = io.BytesIO()
    model.save(content)
    document = {
        "format": FORMAT,
        "config": config,
        "model": content.getvalue(),
        "env": env,
        "observations": model._last_obs,
        "starts": model._last_episode_starts,
        "progressed": progressed,
        "torch": torch.get_rng_state(),
        "numpy": np.random.get_state(),  # noqa: NPY002 - Stable-Baselines3 shuffles with the global generator
    }
    write_bytes(folder / CHECKPOINT, pickle.dumps(document))


def load(folder: Path) -> dict[str, Any]:
    """Read the checkpoint of a run.

    Raises:
        ThurnError: there is no checkpoint, or it is damaged.
    """
    return unpickled(folder / CHECKPOINT, FORMAT, "is no run", "start again in another folder")


def restore(document: dict[str, Any], device: torch.device | str) -> tuple[RunningPPO, PoolVecEnv, Progressed]:
    """Restore model, games and progress from a checkpoint, with the states of all random generators."""
    env: PoolVecEnv = document["env"]
    algorithm = OverlappingPPO if document["config"].get("overlap") else RunningPPO
    model = algorithm.load(io.BytesIO(document["model"]), env=env, device=device, force_reset=False)
    model._last_obs = document["observations"]
    model._last_episode_starts = document["starts"]
    torch.set_rng_state(document["torch"])
    np.random.set_state(document["numpy"])  # noqa: NPY002
    return model, env, document["progressed"]
