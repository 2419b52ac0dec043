"""Rules by which threads share the lanes of a step: every thread takes the next chunk until none is left.

The calling thread opens a step, takes chunks like the others, closes the step, and returns when no helper is still at
work. A helper waits in compiled code for the next step, because waking a sleeping thread takes as long as a large part
of a step; after `MOST_SPINS` looks it returns, and its thread may sleep.

All threads of a batch pass the same array of int64 fields, numbered below, which are accessed atomically.
"""

from __future__ import annotations

import platform
from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as numba_builders
from numba.extending import intrinsic

from thurn_env.engine.kernels import JIT_DISABLED, Int64Array, rule

cgutils: Any = numba_builders

OPEN: Final = 0
"""Field: number of the kernel whose step is open; 0 while none is."""
NEXT: Final = 16
"""Field: first position that no thread has taken. The fields that threads write lie on different cache lines."""
BUSY: Final = 32
"""Field: number of helpers that may be at work."""
COUNT: Final = 48
"""Field: number of positions of the step."""
MODE: Final = 49
"""Field: mode of the step, see `thurn_env.engine.lanes`."""
CHUNK: Final = 50
"""Field: number of positions that a thread takes at once."""
FIELDS: Final = 64

MOST_SPINS: Final = 20_000
"""Number of looks before a helper stops waiting: about 0.5 ms."""
X86 = ("x86_64", "amd64")
"""Names of processors with an instruction for waiting loops."""


class Share(NamedTuple):
    """How a thread takes part in a step.

    Attributes:
        fields: int64 (FIELDS,), shared by all threads of a batch.
        chunk: number of lanes that a thread takes at once. If these are all lanes, the step is not shared.
        helper: whether the thread waits for steps of the calling thread.
    """

    fields: Int64Array
    chunk: int
    helper: bool


def new_fields() -> Int64Array:
    """Return the fields for the threads of one batch; no step is open."""
    return np.zeros(FIELDS, np.int64)


def alone(size: int) -> Share:
    """Return how a single thread steps at most `size` lanes."""
    return Share(new_fields(), size, helper=False)


if JIT_DISABLED:
    # Without compiled code, every batch has one thread.

    def load(share: Int64Array, field: int) -> int:
        """Return a field."""
        return int(share[field])

    def store(share: Int64Array, field: int, value: int) -> None:
        """Write a field."""
        share[field] = value

    def add(share: Int64Array, field: int, value: int) -> int:
        """Add to a field and return its value before."""
        share[field] += value
        return int(share[field]) - value

    def pause() -> None:
        """Tell the processor that this is a waiting loop."""

else:

    def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
        view = context.make_array(kind)(context, builder, array)
        return cgutils.get_item_pointer(context, builder, kind, view, [index], wraparound=False)

    @intrinsic
    def load(_context: Any, share: Any, field: Any) -> Any:
        """Return a field."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = _pointer(context, builder, signature.args[0], values[0], values[1])
            return builder.load_atomic(pointer, "seq_cst", 8)

        return types.int64(share, types.int64), code

    @intrinsic
    def store(_context: Any, share: Any, field: Any, value: Any) -> Any:
        """Write a field."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = _pointer(context, builder, signature.args[0], values[0], values[1])
            builder.store_atomic(values[2], pointer, "seq_cst", 8)
            return context.get_dummy_value()

        return types.void(share, types.int64, types.int64), code

    @intrinsic
    def add(_context: Any, share: Any, field: Any, value: Any) -> Any:
        """Add to a field and return its value before."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = _pointer(context, builder, signature.args[0], values[0], values[1])
            return builder.atomic_rmw("add", pointer, values[2], "seq_cst")

        return types.int64(share, types.int64, types.int64), code

    @intrinsic
    def pause(_context: Any) -> Any:
        """Tell the processor that this is a waiting loop."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            if platform.machine().lower() in X86:
                kind = ir.FunctionType(ir.VoidType(), [])
                builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
            return context.get_dummy_value()

        return types.void(), code


@rule
def first_chunk(helper: int, kernel: int, mode: int, count: int, chunk: int, share: Int64Array) -> int:
    """Open a step or, as a helper, wait for one; return the first position to step, or -1.

    Args:
        helper: whether the calling thread is a helper; mode, count and chunk are then ignored.
        kernel: number of the calling kernel, from 1.
        mode: mode of the step.
        count: number of positions of the step.
        chunk: number of positions that a thread takes at once.
        share: fields, see `Share`.
    """
    if helper:
        return chunk_of_next_step(kernel, share)
    store(share, MODE, mode)
    store(share, COUNT, count)
    store(share, CHUNK, chunk)
    store(share, NEXT, 0)
    store(share, OPEN, kernel if chunk < count else 0)
    return next_chunk(helper, kernel, share)


@rule
def next_chunk(helper: int, kernel: int, share: Int64Array) -> int:
    """Return the first position of the next chunk; -1 to return from the kernel.

    If there is none, the calling thread closes the step and waits for the helpers; a helper waits for the next step.
    """
    first = add(share, NEXT, load(share, CHUNK))
    if first < load(share, COUNT):
        return first
    if helper:
        add(share, BUSY, -1)
        return chunk_of_next_step(kernel, share)
    store(share, OPEN, 0)
    while load(share, BUSY) > 0:
        pause()
    return -1


@rule
def chunk_of_next_step(kernel: int, share: Int64Array) -> int:
    """Wait for a chunk of a step of this kernel; return its first position, or -1 if there is none for too long."""
    for _ in range(MOST_SPINS):
        opened = load(share, OPEN)
        if opened == kernel and load(share, NEXT) < load(share, COUNT):
            # The step may be closed by now: its end waits only for helpers that were busy before.
            add(share, BUSY, 1)
            if load(share, OPEN) == kernel:
                first = add(share, NEXT, load(share, CHUNK))
                if first < load(share, COUNT):
                    return first
            add(share, BUSY, -1)
        elif opened != 0 and opened != kernel:
            return -1
        pause()
    return -1
