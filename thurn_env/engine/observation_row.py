"""Writing of observations.

Two steps make it fast: integers go into a small `row` that stays in the processor's cache, then one loop scales them
into the float32 vector. The pieces have the names that are declared in the game's `observation.py`; the rules record
holds their starts, see `ObservationTable.fields`.
"""

import numpy as np

from thurn_env.engine.kernels import Float32Array, Int8Array, Int16Array, RulesRecord, inlined_rule, loop_rule


@inlined_rule
def put(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Write one integer. Unsigned indices avoid the check for negative ones."""
    row[at + np.uint64(index)] = value


@inlined_rule
def add(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Add to one integer."""
    row[at + np.uint64(index)] += value


@loop_rule
def put_counts(row: Int16Array, at: np.uint64, counts: Int8Array) -> None:
    """Write a row of counts."""
    for index in range(counts.shape[0]):
        put(row, at, index, counts[index])


@loop_rule
def scale_row(rules: RulesRecord, row: Int16Array, out: Float32Array) -> None:
    """Scale the integers of `row` into the vector `out`."""
    for index in range(rules.scale.shape[0]):
        out[index] = np.float32(row[index]) * rules.scale[index]
