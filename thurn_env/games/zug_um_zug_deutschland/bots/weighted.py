"""Games of the heuristic against itself with different weights in every seat, for tuning."""

from thurn_env.engine.kernels import Int16Array, States, kernel
from thurn_env.games.zug_um_zug_deutschland.bots.heuristic import choose_heuristic
from thurn_env.games.zug_um_zug_deutschland.bots.weights import Weights
from thurn_env.games.zug_um_zug_deutschland.rules.legal import legal_actions
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER
from thurn_env.games.zug_um_zug_deutschland.rules.play import apply


@kernel
def play_weighted(
    states: States,
    index: int,
    rules: States,
    weights: tuple[Weights, ...],
    actions: Int16Array,
    moves: Int16Array,
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
    while played < moves.shape[0] and state.phase != OVER:
        size = legal_actions(state, rules[0], actions)
        action = actions[0]
        if size > 1:
            action = choose_heuristic(state, rules[0], weights[state.seat], actions, size)
        apply(state, rules[0], action)
        moves[played] = action
        played += 1
    return played
