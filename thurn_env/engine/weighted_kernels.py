"""Games of the heuristic against itself with different weights in every seat, for tuning."""

from collections.abc import Callable
from typing import Any

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.kernels import Int16Array, States, kernel_of


def weighted_kernel_of(game: GameFunctions, choose_heuristic: Callable[..., Any]) -> Callable[..., int]:
    """Return the kernel that plays a game with given weights.

    Args:
        game: rules of the game.
        choose_heuristic: `(state, rules, weights, actions, number) -> action`: action of the heuristic.
    """
    kernel = kernel_of(game.play)

    @kernel
    def play_weighted(
        states: States, index: int, rules: States, weights: tuple[Any, ...], actions: Int16Array, moves: Int16Array
    ) -> int:
        """Let the heuristic play on, with given weights for every seat, until the game is over or `moves` is full.

        Args:
            states: state records.
            index: the game in `states`.
            rules: constant record, shape (1,).
            weights: weights of every seat.
            actions: buffer, int16 (actions,).
            moves: int16, receives the actions.

        Returns:
            the number of moves played.
        """
        state = states[index]
        played = 0
        while played < moves.shape[0] and not game.over(state):
            size = game.list_actions(state, rules[0], actions)
            action = actions[0]
            if size > 1:
                action = choose_heuristic(state, rules[0], weights[state.seat], actions, size)
            game.play(state, rules[0], action)
            moves[played] = action
            played += 1
        return played

    return play_weighted
