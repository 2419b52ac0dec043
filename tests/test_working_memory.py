"""The arrays that rules work with: who may make them, and that bots hold on to theirs while they choose."""

import threading

import numpy as np
import pytest
from numba.core.errors import NumbaError

from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import UInt64Array, allocating_rule, rule
from thurn_env.games import make_rules


@pytest.mark.parametrize("bot", ["greedy", "heuristic"])
@pytest.mark.parametrize("title", ["thurn_und_taxis", "zug_um_zug_deutschland"])
def test_a_bot_chooses_alike_in_every_thread(title: str, bot: str) -> None:
    """A thread begins with fresh memory of its own, where what was given back too early is overwritten at once."""
    rules = make_rules(title, 2)
    number = rules.bots.index(bot)
    states = rules.new_states(1)
    rules.deal(states, 0, 1)
    decision = 0
    while not rules.over(states, 0):
        chosen: list[int] = []
        generators = [seeded(decision), seeded(decision)]

        def choose(generators: list[UInt64Array] = generators, chosen: list[int] = chosen) -> None:
            chosen.append(rules.bot_action(states, 0, number, generators.pop()))

        choose()
        thread = threading.Thread(target=choose)
        thread.start()
        thread.join()
        assert chosen[0] == chosen[1], f"decision {decision}"
        rules.play(states, 0, chosen[0])
        decision += 1


def room(size: int) -> int:
    return np.empty(size).shape[0]


def test_only_an_allocating_rule_makes_arrays() -> None:
    """In other rules nothing counts references, so an array would never be given back."""
    assert allocating_rule(room)(3) == 3
    with pytest.raises(NumbaError, match="array passed into the function"):
        rule(room)(3)
