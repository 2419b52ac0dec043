"""Games of the heuristic against itself with different weights in every seat, for tuning."""

from thurn_env.engine.kernels import Float64Array, Int16Array, RulesRecord, States, UInt64Array, kernel
from thurn_env.games.thurn_und_taxis.bots.heuristic import choose_heuristic
from thurn_env.games.thurn_und_taxis.bots.weights import Weights
from thurn_env.games.thurn_und_taxis.rules.legal import legal_actions
from thurn_env.games.thurn_und_taxis.rules.phases import OVER
from thurn_env.games.thurn_und_taxis.rules.play import apply
from thurn_env.games.thurn_und_taxis.rules.scoring import final_reward
from thurn_env.games.thurn_und_taxis.rules.turn import set_up


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
        state.next_deck_size = 0
        state.generator[0] = seeds[game]
        set_up(state, rules[0], -1)
        while state.phase != OVER:
            size = legal_actions(state, rules[0], actions)
            action = actions[0]
            if size > 1:
                action = choose_heuristic(state, rules[0], weights[state.seat], actions, size)
            apply(state, rules[0], action)
        for seat in range(out.shape[1]):
            out[game, seat] = final_reward(state, rules[0], seat, mode)
