"""Loops over many games in which the engine plays against itself: what `thurn bench` measures."""

from thurn_env.games.masks import scatter_mask
from thurn_env.games.thurn_und_taxis.bots.random import choose_sensible_random
from thurn_env.games.thurn_und_taxis.engine import apply
from thurn_env.games.thurn_und_taxis.legal import legal_actions
from thurn_env.games.thurn_und_taxis.observe import observe
from thurn_env.games.thurn_und_taxis.phases import OVER
from thurn_env.games.thurn_und_taxis.turn import set_up
from thurn_env.kernels import (
    Float32Array,
    Int8Array,
    Int16Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    inlined_rule,
    kernel,
)


@inlined_rule
def play_one(state: State, rules: RulesRecord, generator: UInt64Array, actions: Int16Array, size: int) -> int:
    """Play one sensible-random decision; a finished game begins again with its own generator."""
    apply(state, rules, choose_sensible_random(state, rules, actions, size, generator))
    if state.phase == OVER:
        set_up(state, rules, -1)
        return 1
    return 0


@kernel
def play_bare(states: States, rules: RulesRecord, decisions: int, generator: UInt64Array, actions: Int16Array) -> int:
    """Play `decisions` decisions in every game; return how many games were finished."""
    finished = 0
    for _ in range(decisions):
        for index in range(states.shape[0]):
            size = legal_actions(states[index], rules[0], actions)
            finished += play_one(states[index], rules[0], generator, actions, size)
    return finished


@kernel
def play_with_masks(
    states: States, rules: RulesRecord, decisions: int, generator: UInt64Array, actions: Int16Array, masks: Int8Array
) -> int:
    """The same, writing the action mask (int8, a row per game) before every decision."""
    finished = 0
    for _ in range(decisions):
        for index in range(states.shape[0]):
            size = legal_actions(states[index], rules[0], actions)
            scatter_mask(actions, size, masks[index])
            finished += play_one(states[index], rules[0], generator, actions, size)
    return finished


@kernel
def play_with_observations(
    states: States,
    rules: RulesRecord,
    decisions: int,
    generator: UInt64Array,
    actions: Int16Array,
    masks: Int8Array,
    row: Int16Array,
    observations: Float32Array,
) -> int:
    """The same, writing mask and observation (float32, a row per game) before every decision."""
    finished = 0
    for _ in range(decisions):
        for index in range(states.shape[0]):
            size = legal_actions(states[index], rules[0], actions)
            scatter_mask(actions, size, masks[index])
            observe(states[index], rules[0], states[index].seat, row, observations[index])
            finished += play_one(states[index], rules[0], generator, actions, size)
    return finished
