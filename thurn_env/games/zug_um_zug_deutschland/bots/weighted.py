"""Games of the heuristic against itself with different weights in every seat, for tuning."""

from thurn_env.engine.kernels import Float64Array, Int16Array, RulesRecord, States, UInt64Array, kernel
from thurn_env.games.zug_um_zug_deutschland.bots.heuristic import choose_heuristic
from thurn_env.games.zug_um_zug_deutschland.bots.weights import Weights
from thurn_env.games.zug_um_zug_deutschland.rules.deal import begin_game
from thurn_env.games.zug_um_zug_deutschland.rules.legal import legal_actions
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER
from thurn_env.games.zug_um_zug_deutschland.rules.play import apply
from thurn_env.games.zug_um_zug_deutschland.rules.scoring import final_reward


@kernel
def play_weighted(
    states: States,
    rules: RulesRecord,
    seeds: UInt64Array,
    weights: tuple[Weights, ...],
    mode: int,
    actions: Int16Array,
    out: Float64Array,
) -> None:
    """Play a game from every generator state in `seeds`; write all returns, float64 (games, players).

    `weights` has those of every seat; `mode` is the number of a reward mode.
    """
    state = states[0]
    for game in range(seeds.shape[0]):
        begin_game(state, rules[0], seeds[game], -1)
        while state.phase != OVER:
            size = legal_actions(state, rules[0], actions)
            action = actions[0]
            if size > 1:
                action = choose_heuristic(state, rules[0], weights[state.seat], actions, size)
            apply(state, rules[0], action)
        for seat in range(out.shape[1]):
            out[game, seat] = final_reward(state, rules[0], seat, mode)
