"""All scripted bots by number, so that kernels can play any combination of them."""

from typing import Final

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, UInt64Array, int64, rule
from thurn_env.games.thurn_und_taxis.bots.greedy import choose_greedy
from thurn_env.games.thurn_und_taxis.bots.heuristic import choose_heuristic
from thurn_env.games.thurn_und_taxis.bots.random import choose_random, choose_sensible_random
from thurn_env.games.thurn_und_taxis.bots.weights import SETTLER, WEIGHTS, WEIGHTS_WITH_HORSES, Weights
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses

BOTS: Final = ("random", "sensible-random", "greedy", "settler", "heuristic")


@rule
def choose(state: State, rules: RulesRecord, bot: int, generator: UInt64Array, actions: Int16Array, size: int) -> int:
    """Return the action of bot number `bot` of `BOTS` among `size` listed ones."""
    if size == 1:
        return int64(actions[0])
    if bot == 0:
        return choose_random(actions, size, generator)
    if bot == 1:
        return choose_sensible_random(state, rules, actions, size, generator)
    if bot == 2:
        return choose_greedy(state, rules, actions, size, generator)
    return choose_heuristic(state, rules, weights_of(state, rules, bot), actions, size)


@rule
def weights_of(state: State, rules: RulesRecord, bot: int) -> Weights:
    """Return the weights with which `settler` or `heuristic` plays this game."""
    players = state.hand.shape[0]
    if bot == 3:
        return SETTLER[players - 2]
    if plays_with_horses(rules):
        return WEIGHTS_WITH_HORSES[players - 2]
    return WEIGHTS[players - 2]
