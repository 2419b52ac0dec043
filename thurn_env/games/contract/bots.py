"""Scripted bots of a game."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from thurn_env.engine.kernels import Int8Array, Int16Array, Int64Array, UInt64Array
from thurn_env.games.contract.chance import Chance
from thurn_env.games.contract.rules import Records, Rules


class WithBots(Rules):
    """A game with scripted bots.

    Attributes:
        bots: names of the scripted bots, in the order of their numbers; the strongest is last.
    """

    bots: ClassVar[tuple[str, ...]]

    @abstractmethod
    def bot_action(self, states: Records, index: int, bot: int, generator: UInt64Array) -> int:
        """Return the action of scripted bot number `bot` for the player to move.

        Args:
            states: state records.
            index: the game in `states`.
            bot: number of the bot.
            generator: random generator, uint64 (1,); it advances.
        """

    @abstractmethod
    def bot_actions(self, states: Records, bot: int, generator: UInt64Array) -> Int64Array:
        """Return the action of scripted bot number `bot` for every game: int64 (games,). No game may be over."""

    @abstractmethod
    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        """Let scripted bots finish a game.

        Args:
            states: state records.
            index: the game in `states`.
            bots: number of a bot for every seat, int8 (players,).
            generators: random generator of every seat, uint64 (players, 1).
            chance: outcomes of chance are added to it.

        Returns:
            the moves, int16 (moves,).
        """

    @abstractmethod
    def heuristic_weights(self) -> dict[str, float]:
        """Return the parameters of the heuristic for this game, by name."""

    @abstractmethod
    def play_weighted(self, states: Records, index: int, weights: Sequence[Mapping[str, float]]) -> Int16Array:
        """Let the heuristic finish a game, with given weights for every seat.

        Args:
            states: state records.
            index: the game in `states`.
            weights: weights by name, as in `heuristic_weights`, for every seat.

        Returns:
            the moves, int16 (moves,).
        """
