"""Copying of game states, as a reference speed for `thurn bench`."""

from thurn_env.engine.kernels import States, kernel


@kernel
def copy_states(states: States, twins: States, times: int) -> int:
    """Copy every state record `times` times; return a value that depends on the copies."""
    total = 0
    for _ in range(times):
        for index in range(states.shape[0]):
            twins[index] = states[index]
            total += twins[index].seat
    return total
