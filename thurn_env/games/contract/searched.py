"""Tree search in compiled code, and what networks are told about the observation and the actions."""

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from thurn_env.engine.kernels import Int8Array, Int64Array
from thurn_env.engine.network_rules import Network
from thurn_env.engine.trees import Tree
from thurn_env.engine.way_rules import Ways
from thurn_env.games.contract.rules import Records, Rules


class Things(NamedTuple):
    """Values and actions of N things of one kind, such as tickets.

    Attributes:
        values: indices of the F values of each thing, int64 (N, F).
        targets: the T actions that are about each thing, all different, int64 (N, T).
    """

    values: Int64Array
    targets: Int64Array


class Searched(Rules):
    """A game that can be searched.

    Attributes:
        observation_places: place of the board that every value of the observation describes, numbered as in
            `neighbours`, or -1: int64 (observation_size,).
        action_places: place of the board that every action is about, or -1: int64 (action_size,).
        things: what actions are about, by the axis of the observation that runs over it; `values` are indices in the
            observation.
    """

    observation_places: Int64Array
    action_places: Int64Array
    things: Mapping[str, Things] = MappingProxyType({})

    @abstractmethod
    def neighbours(self) -> Int8Array:
        """Return the adjacency matrix of the places of the board: int8 (places, places), 1 for neighbours."""

    def ways(self) -> Ways | None:
        """Return how ways for tickets follow from the observation; None if the game has no tickets."""
        return None

    @abstractmethod
    def search(self, states: Records, index: int, seat: int, iterations: int, tree: Tree) -> None:
        """Run `iterations` search iterations from a game as `seat` sees it; see `search_rules`."""

    @abstractmethod
    def guided_search(
        self, states: Records, index: int, seat: int, iterations: int, tree: Tree, network: Network
    ) -> None:
        """Run a search guided by a network, see `guided_search_rules`; `tree` needs a node per iteration."""
