"""All scripted bots by number, so that kernels can play any table of them."""

from typing import Final

import numpy as np

from thurn_env.games.thurn_und_taxis.bots.random import choose_random, choose_sensible_random
from thurn_env.games.thurn_und_taxis.legal import legal_actions
from thurn_env.kernels import rule

BOTS: Final = ("random", "sensible-random")


@rule
def choose(state, rules, bot, generator, actions):
    """The action of bot number `bot` of `BOTS` for the player to move; the game must not be over."""
    size = legal_actions(state, rules, actions)
    if size == 1:
        return np.int64(actions[0])
    if bot == 0:
        return choose_random(actions, size, generator)
    return choose_sensible_random(state, rules, actions, size, generator)
