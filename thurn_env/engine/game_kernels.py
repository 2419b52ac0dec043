"""All kernels of a game, made from its rules."""

from typing import NamedTuple

from thurn_env.engine.entry_kernels import EntryKernels, entry_kernels_of
from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.lane_kernels import LaneKernels, lane_kernels_of
from thurn_env.engine.loop_kernels import LoopKernels, loop_kernels_of
from thurn_env.engine.search_kernels import SearchKernels, search_kernels_of


class Kernels(NamedTuple):
    """Kernels of a game.

    Attributes:
        entry: for one game.
        lanes: for many games, with scaled observations.
        count_lanes: for many games, with observations as integer counts.
        loops: for the benchmark.
        search: for search.
    """

    entry: EntryKernels
    lanes: LaneKernels
    count_lanes: LaneKernels
    loops: LoopKernels
    search: SearchKernels


def kernels_of(game: GameFunctions) -> Kernels:
    """Return the kernels of a game with these rules."""
    return Kernels(
        entry_kernels_of(game),
        lane_kernels_of(game, True),
        lane_kernels_of(game, False),
        loop_kernels_of(game),
        search_kernels_of(game),
    )
