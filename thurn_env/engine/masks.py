"""Conversion of lists of legal actions to action masks."""

from thurn_env.engine.kernels import Int8Array, Int16Array, loop_rule


@loop_rule
def scatter_mask(actions: Int16Array, size: int, mask: Int8Array) -> None:
    """Write the action mask of a list of legal actions."""
    mask[:] = 0
    for position in range(size):
        mask[actions[position]] = 1
