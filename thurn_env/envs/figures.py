"""Figures of finished games in the infos of environments, with the same keys, shapes and dtypes in every info."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thurn_env.engine.lanes import BoolArray
from thurn_env.envs.learner import LearnerBatch
from thurn_env.games.contract import Int64Array

Figures = dict[str, np.ndarray[Any, Any]]
OF_ALL_SEATS = ("scores", "ranks")
"""Figures with a value for every seat."""


def figures_of(learner: LearnerBatch, lanes: Int64Array) -> Figures:
    """Return `LearnerBatch.final_figures` of these lanes, and `scores` and `ranks` of all seats: int32 (lanes, P)."""
    statistics, names = learner.batch.statistics[lanes], learner.rules.statistics
    return learner.final_figures(lanes) | {
        "scores": statistics[:, :, names.index("score")],
        "ranks": statistics[:, :, names.index("rank")],
    }


def no_figures(learner: LearnerBatch) -> Figures:
    """Return the figures of games that have not ended: zeros for every lane of the batch."""
    none = figures_of(learner, np.zeros(0, np.int64))
    return {name: np.zeros((learner.batch.size, *array.shape[1:]), array.dtype) for name, array in none.items()}


def with_masks(entries: Mapping[str, Any], mask: BoolArray) -> dict[str, Any]:
    """Return Gymnasium's infos of a vector environment: every entry, and as `_name` the mask of the games it is for."""
    return {**entries, **{f"_{name}": mask.copy() for name in entries}}
