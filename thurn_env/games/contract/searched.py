"""Search in compiled code."""

from abc import abstractmethod

from thurn_env.engine.kernels import Int8Array, Int64Array
from thurn_env.engine.network_rules import Network
from thurn_env.engine.trees import Tree
from thurn_env.games.contract.rules import Records, Rules


class Searched(Rules):
    """A game that can be searched.

    Attributes:
        observation_places: the place of the board that every value of the vector tells of, as `neighbours` numbers
            them, or -1: int64 (observation_size,).
    """

    observation_places: Int64Array

    @abstractmethod
    def neighbours(self) -> Int8Array:
        """Which places of the board are joined: int8 (places, places), 1 for neighbours."""

    @abstractmethod
    def search(self, states: Records, index: int, seat: int, iterations: int, tree: Tree) -> None:
        """Search so many iterations on from a game as `seat` sees it; see `search_rules`. The result is in the tree."""

    @abstractmethod
    def guided_search(
        self, states: Records, index: int, seat: int, iterations: int, tree: Tree, network: Network
    ) -> None:
        """The same guided by a learned policy, see `guided_search_rules`. The tree needs a node for every iteration."""
