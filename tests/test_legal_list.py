"""The list of legal actions, from which the mask is made, names every action once."""

import numpy as np
import pytest

from thurn_env import make_rules
from thurn_env.games.thurn_und_taxis.rules.kernels import KERNELS


@pytest.mark.parametrize("seed", range(5))
def test_the_list_is_as_long_as_the_mask_has_ones(seed: int) -> None:
    """Two equal cards in the display are one action (F2)."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    states = rules.new_states(1)
    rules.deal(states, 0, seed)
    chance = np.random.default_rng(seed)
    actions, mask = np.zeros(rules.action_size, np.int16), np.zeros(rules.action_size, np.int8)
    doubles = 0
    while not rules.over(states, 0):
        size = KERNELS.entry.legal_mask(states, 0, rules.record, actions, mask)
        assert size == mask.sum()
        assert sorted(actions[:size]) == np.flatnonzero(mask).tolist()
        display = states[0]["display"]
        doubles += len(set(display.tolist())) < len(display)
        rules.play(states, 0, int(chance.choice(actions[:size])))
    assert doubles, "no position with two equal cards was met"
