"""Kernels that step many games in one call; see `thurn_env.engine.lanes` for their records and arrays.

The kernel with bots is separate, because bots take long to compile. Games are independent, so several threads can step
different lanes at the same time.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.kernels import (
    Float32Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    inlined_rule,
    kernel_of,
)
from thurn_env.engine.lane_rules import no_bot, step_chunks_of
from thurn_env.engine.lanes import Lanes
from thurn_env.engine.observation_row import scale_row


class LaneKernels(NamedTuple):
    """Kernels of one game, described below."""

    observe_lanes: Callable[..., None]
    step_lanes: Callable[..., None]
    step_lanes_with_bots: Callable[..., None]


def lane_kernels_of(game: GameFunctions, scaled: bool) -> LaneKernels:
    """Return the kernels of a game with these rules.

    Args:
        game: the rules.
        scaled: whether lanes hold scaled observations, float32; else integer counts, int8 or int16.
    """
    kernel = kernel_of(game.play)

    @inlined_rule
    def observe_scaled(state: State, rules: RulesRecord, seat: int, row: Int16Array, out: Float32Array) -> None:
        """Write a seat's observation, scaled."""
        game.write_row(state, rules, seat, row)
        scale_row(rules, row, out)

    @inlined_rule
    def observe_counts(state: State, rules: RulesRecord, seat: int, row: Int16Array, out: Any) -> None:
        """Write a seat's observation as integer counts, which need no intermediate row."""
        game.write_row(state, rules, seat, out)

    observe = observe_scaled if scaled else observe_counts

    step_chunks = step_chunks_of(game._replace(choose=no_bot), observe)
    step_chunks_with_bots = step_chunks_of(game, observe)

    @kernel
    def observe_lanes(
        states: States, selected: Int64Array, seats: Int64Array, rules: States, row: Int16Array, out: Any
    ) -> None:
        """Write the observation of one seat in each of the selected lanes; `out` has shape (selected, O)."""
        for position in range(selected.shape[0]):
            observe(states[selected[position]], rules[0], seats[position], row, out[position])

    @kernel
    def step_lanes(
        helper: int,
        mode: int,
        chunk: int,
        selected: Int64Array,
        chosen: Int64Array,
        rules: States,
        lanes: Lanes,
        share: Int64Array,
    ) -> None:
        """Step lanes without bots; see `step_chunks_of`."""
        step_chunks(helper, 1, mode, chunk, selected, chosen, rules[0], lanes, share)

    @kernel
    def step_lanes_with_bots(
        helper: int,
        mode: int,
        chunk: int,
        selected: Int64Array,
        chosen: Int64Array,
        rules: States,
        lanes: Lanes,
        share: Int64Array,
    ) -> None:
        """Step lanes and play their bots."""
        step_chunks_with_bots(helper, 2, mode, chunk, selected, chosen, rules[0], lanes, share)

    return LaneKernels(observe_lanes, step_lanes, step_lanes_with_bots)
