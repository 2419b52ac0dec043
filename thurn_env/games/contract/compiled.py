"""When the kernels of a game are compiled."""

from abc import abstractmethod
from collections.abc import Callable

from thurn_env.games.contract.rules import Records, Rules


class Compiled(Rules):
    """A game whose kernels are compiled in stages, see `thurn_env.games.stages`."""

    @abstractmethod
    def prepare(self, stage: str) -> None:
        """Compile the kernels of a stage, see `thurn_env.games.stages`, unless they are on disk; say so and wait."""

    @abstractmethod
    def prepared(self, stage: str) -> bool:
        """Whether the kernels of a stage are on disk."""

    @abstractmethod
    def benchmark_loops(self, states: Records) -> dict[str, Callable[[int], int]]:
        """What `thurn bench` times: by name, a function that plays so many sensible-random decisions in every game.

        The names are `engine`, `mask` (writing action masks) and `observation` (writing masks and observations);
        each returns the number of finished games. `copy` copies every state so many times.
        """
