"""Writing observations.

It goes in two steps, which is what makes it fast: whole numbers go into a small `row` that stays in the processor's
cache, then one loop scales them all into the float32 vector. The pieces have the names that are declared in the game's
`observation.py`; the rules record says where they start, see `ObservationTable.fields`.
"""

import numpy as np

from thurn_env.engine.kernels import Float32Array, Int8Array, Int16Array, RulesRecord, inlined_rule, loop_rule


@inlined_rule
def put(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Write one number. Unsigned indices spare the check for negative ones."""
    row[at + np.uint64(index)] = value


@inlined_rule
def add(row: Int16Array, at: np.uint64, index: int, value: int) -> None:
    """Add to one number."""
    row[at + np.uint64(index)] += value


@loop_rule
def put_counts(row: Int16Array, at: np.uint64, counts: Int8Array) -> None:
    """A row of counts."""
    for index in range(counts.shape[0]):
        put(row, at, index, counts[index])


@loop_rule
def scale_row(rules: RulesRecord, row: Int16Array, out: Float32Array) -> None:
    """The second step: the whole numbers, scaled, into the vector."""
    for index in range(rules.scale.shape[0]):
        out[index] = np.float32(row[index]) * rules.scale[index]
