"""Compilation of a game's kernels."""

from abc import abstractmethod
from collections.abc import Callable

from thurn_env.games.contract.rules import Records, Rules


class Compiled(Rules):
    """A game whose kernels are compiled in stages, see `thurn_env.games.stages`."""

    @abstractmethod
    def prepare(self, stage: str) -> None:
        """Compile the kernels of a stage unless they are on disk; announce it and wait."""

    @abstractmethod
    def prepared(self, stage: str) -> bool:
        """Return whether the kernels of a stage are on disk."""

    @abstractmethod
    def benchmark_loops(self, states: Records) -> dict[str, Callable[[int], int]]:
        """Return the loops that `thurn bench` times, by name.

        `engine`, `mask` (which writes action masks) and `observation` (which writes masks and observations) take a
        number of sensible-random decisions to play in every game, and return the number of finished games. `copy`
        copies every state the given number of times.
        """
