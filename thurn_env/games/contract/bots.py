"""The scripted bots of a game."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from thurn_env.engine.kernels import Float64Array, Int8Array, Int16Array, Int64Array, UInt64Array
from thurn_env.games.contract.chance import Chance
from thurn_env.games.contract.rules import Records, Rules


class WithBots(Rules):
    """A game with scripted bots.

    Attributes:
        bots: the names of the scripted bots, in the order of their numbers; the best comes last.
    """

    bots: ClassVar[tuple[str, ...]]

    @abstractmethod
    def bot_action(self, states: Records, index: int, bot: int, generator: UInt64Array) -> int:
        """The action of scripted bot number `bot` for the player to move."""

    @abstractmethod
    def bot_actions(self, states: Records, bot: int, generator: UInt64Array) -> Int64Array:
        """The action (int64) of scripted bot number `bot` for every game, none of which may be over."""

    @abstractmethod
    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        """Let scripted bots finish the game; add the outcomes of chance to `chance`, return the moves (int16)."""

    @abstractmethod
    def heuristic_weights(self) -> dict[str, float]:
        """The parameters that the heuristic plays this game with, by name."""

    @abstractmethod
    def play_weighted(self, seeds: Sequence[int], weights: Sequence[Mapping[str, float]], mode: int) -> Float64Array:
        """Games of the heuristic against itself with weights of its own in every seat.

        Args:
            seeds: a game is played from each.
            weights: for every seat, as `heuristic_weights` gives them.
            mode: the number of the reward mode.

        Returns:
            every seat's return in every game: float64 (games, players).
        """
