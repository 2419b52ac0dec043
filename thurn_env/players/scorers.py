"""Layers of policies that score actions about things: cities, tracks, tickets, cards or passengers.

All things of one kind share the layers, so that a network need not learn for every single one what makes its actions
good. A pointer network (Vinyals, Fortunato and Jaitly, 2015) chooses among its inputs in this way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thurn_env.engine.network_rules import Scores
from thurn_env.games.contract import Float32Array, Int64Array


class Scorer(NamedTuple):
    """A hidden layer of H neurons that takes F values of a thing and the U outputs of the trunk.

    It scores the T actions about each of N things; a score is added to the logit of its action.

    Attributes:
        values: int64 (N, F), where the things' values are among the inputs of the trunk followed by the values of all
            cities.
        targets: int64 (N, T), the actions, all different.
        seen: float32 (F, H), weights from the values.
        names: float32 (N, H), bias of every single thing.
        context: float32 (U, H), weights from the outputs of the trunk.
        scores: float32 (H, T), weights of the scores.
    """

    values: Int64Array
    targets: Int64Array
    seen: Float32Array
    names: Float32Array
    context: Float32Array
    scores: Float32Array


INDICES = ("values", "targets")
"""Fields of a scorer that describe the game."""
WEIGHTS = ("seen", "names", "context", "scores")
"""Fields that are trained."""


def scored(scorer: Scorer, told: Float32Array, outputs: Float32Array) -> Float32Array:
    """Return the scores, float32 (P, N * T), of P positions: `network_rules.add_scores` for a batch.

    Args:
        scorer: the layer.
        told: inputs of the trunk, and after them the values of the cities, float32 (P, J + C * W).
        outputs: outputs of the trunk, float32 (P, U).
    """
    positions, (things, values), units = len(told), scorer.values.shape, scorer.names.shape[1]
    known = told[:, scorer.values.ravel()].reshape(positions * things, values)
    hidden = (known @ scorer.seen).reshape(positions, things, units)
    hidden += (outputs @ scorer.context)[:, None] + scorer.names
    scores: Float32Array = np.maximum(hidden, 0).reshape(positions * things, units) @ scorer.scores
    return scores.reshape(positions, scorer.targets.size)


def for_kernels(scorers: tuple[Scorer, ...]) -> Scores:
    """Return the scorers of a policy in the form that kernels take."""
    sizes = [(*scorer.values.shape, *scorer.scores.shape) for scorer in scorers]
    indices = [getattr(scorer, name).ravel() for scorer in scorers for name in INDICES]
    weights = [getattr(scorer, name).ravel() for scorer in scorers for name in WEIGHTS]
    return Scores(
        sizes=np.array(sizes, np.int64).reshape(len(sizes), 4),
        indices=np.concatenate([np.zeros(0, np.int64), *indices]),
        weights=np.concatenate([np.zeros(0, np.float32), *weights]),
        hidden=np.zeros((3, max((max(values, units) for _, values, units, _ in sizes), default=0)), np.float32),
    )


def check_scorer(scorer: Scorer, told: int, outputs: int, actions: int) -> None:
    """Raise `ValueError` if a scorer fits neither the trunk nor the actions.

    Args:
        scorer: the scorer.
        told: number of the trunk's inputs and of the values of all cities.
        outputs: number of the trunk's outputs.
        actions: number of actions.
    """
    things, values = scorer.values.shape
    hidden, kinds = scorer.scores.shape
    wanted: dict[str, tuple[int, ...]] = {
        "values": (things, values),
        "targets": (things, kinds),
        "seen": (values, hidden),
        "names": (things, hidden),
        "context": (outputs, hidden),
        "scores": (hidden, kinds),
    }
    for name, shape in wanted.items():
        array = getattr(scorer, name)
        kind = np.int64 if name in INDICES else np.float32
        if array.shape != shape or array.dtype != kind or not (array.size and np.isfinite(array).all()):
            raise ValueError(f"a scorer's {name} has a wrong shape or wrong numbers")
    # Kernels do not check indices.
    for name, end in (("values", told), ("targets", actions)):
        if getattr(scorer, name).min() < 0 or getattr(scorer, name).max() >= end:
            raise ValueError(f"a scorer's {name} has wrong numbers")
    if len(np.unique(scorer.targets)) < scorer.targets.size:
        raise ValueError("a scorer's targets must be different actions")
