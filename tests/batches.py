"""Batches in the middle of play, for tests, and what two of them are compared by."""

from __future__ import annotations

from typing import Any

from tests.choices import Chooser
from thurn_env.table.batch import Batch


def everything(batch: Batch) -> list[bytes]:
    return [array.tobytes() for array in batch.lanes]


def begun(size: int = 6, players: int = 3, steps: int = 7, **arguments: Any) -> tuple[Batch, Chooser]:
    """A batch on the tiny board in the middle of its first games."""
    batch = Batch(size, players, "tiny", **arguments)
    chooser = Chooser(batch.rules)
    batch.reset(30)
    for _ in range(steps):
        batch.step(chooser(batch.masks))
    return batch, chooser
