"""Loops over many games in which the engine plays against itself, for `thurn bench`."""

from collections.abc import Callable
from typing import NamedTuple

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.kernels import (
    Float32Array,
    Int8Array,
    Int16Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    inlined_rule,
    kernel_of,
)
from thurn_env.engine.masks import scatter_mask
from thurn_env.engine.observation_row import scale_row


class LoopKernels(NamedTuple):
    """Kernels of one game, described below."""

    play_bare: Callable[..., int]
    play_with_masks: Callable[..., int]
    play_with_observations: Callable[..., int]


def loop_kernels_of(game: GameFunctions) -> LoopKernels:
    """Return the kernels of a game with these rules."""
    kernel = kernel_of(game.play)

    @inlined_rule
    def play_one(state: State, rules: RulesRecord, generator: UInt64Array, actions: Int16Array, size: int) -> int:
        """Play one sensible-random decision; a finished game begins again with its own generator."""
        game.play(state, rules, game.choose_sensible_random(state, rules, actions, size, generator))
        if game.over(state):
            game.deal(state, rules, state.generator[0], -1)
            return 1
        return 0

    @kernel
    def play_bare(states: States, rules: States, decisions: int, generator: UInt64Array, actions: Int16Array) -> int:
        """Play `decisions` decisions in every game; return the number of finished games."""
        finished = 0
        for _ in range(decisions):
            for index in range(states.shape[0]):
                size = game.list_actions(states[index], rules[0], actions)
                finished += play_one(states[index], rules[0], generator, actions, size)
        return finished

    @kernel
    def play_with_masks(
        states: States, rules: States, decisions: int, generator: UInt64Array, actions: Int16Array, masks: Int8Array
    ) -> int:
        """Like `play_bare`, and write the action mask, int8 (games, actions), before every decision."""
        finished = 0
        for _ in range(decisions):
            for index in range(states.shape[0]):
                size = game.list_actions(states[index], rules[0], actions)
                scatter_mask(actions, size, masks[index])
                finished += play_one(states[index], rules[0], generator, actions, size)
        return finished

    @kernel
    def play_with_observations(
        states: States,
        rules: States,
        decisions: int,
        generator: UInt64Array,
        actions: Int16Array,
        masks: Int8Array,
        row: Int16Array,
        observations: Float32Array,
    ) -> int:
        """Like `play_bare`, and write mask and observation, float32 (games, observation), before every decision."""
        finished = 0
        for _ in range(decisions):
            for index in range(states.shape[0]):
                size = game.list_actions(states[index], rules[0], actions)
                scatter_mask(actions, size, masks[index])
                game.write_row(states[index], rules[0], states[index].seat, row)
                scale_row(rules[0], row, observations[index])
                finished += play_one(states[index], rules[0], generator, actions, size)
        return finished

    return LoopKernels(play_bare, play_with_masks, play_with_observations)
