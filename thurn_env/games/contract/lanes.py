"""Many games stepped together."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from thurn_env.engine.kernels import Int64Array
from thurn_env.engine.lanes import Lanes
from thurn_env.engine.sharing import Share
from thurn_env.games.contract.rules import Records, Rules


class InLanes(Rules):
    """A game that can be stepped in lanes, see `thurn_env.engine.lanes`.

    Attributes:
        statistics: names of the statistics of every seat of a finished game.
    """

    statistics: ClassVar[tuple[str, ...]]

    @abstractmethod
    def step_lanes(
        self, lanes: Lanes, mode: int, selected: Int64Array, chosen: Int64Array, bots: bool, share: Share
    ) -> None:
        """Begin, step or continue games in the selected lanes; see `lane_rules.step_chunks_of`.

        For a helper, `selected` and `chosen` are buffers that hold the lanes and actions of every step it takes part
        in, and `mode` is ignored.

        Args:
            lanes: all lanes.
            mode: `BEGIN`, `STEP` or `GO_ON`.
            selected: int64, indices of lanes.
            chosen: int64, the action in each of them.
            bots: whether any seat may have the role of a bot.
            share: how the calling thread takes part in the step.
        """

    @abstractmethod
    def observe_lanes(
        self, states: Records, selected: Int64Array, seats: Int64Array, dtype: Any = np.float32
    ) -> np.ndarray[Any, Any]:
        """Return the observation of one seat in each of the selected games: (selected, observation_size).

        Args:
            states: state records.
            selected: int64, indices of games.
            seats: int64, the seat in each of them.
            dtype: float32 for scaled values, or `count_dtype` for integer counts.
        """
