"""Kernels for a single game. Each takes an array of states and the index of the game to work on.

Common arguments: `states`, an array of state records; `index`, the game in it; `rules`, the constant record as an
array of shape (1,); `actions`, buffer, int16 (actions,); `row`, buffer, int16 (observation size,).
"""

from collections.abc import Callable
from typing import NamedTuple

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.kernels import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    int64,
    kernel_of,
    rule,
)
from thurn_env.engine.masks import scatter_mask
from thurn_env.engine.observation_row import scale_row


class EntryKernels(NamedTuple):
    """Kernels of one game, described below."""

    deal: Callable[..., None]
    legal_mask: Callable[..., int]
    play: Callable[..., None]
    step: Callable[..., int]
    observe_seat: Callable[..., None]
    redeal_for: Callable[..., None]
    results: Callable[..., None]
    rewards: Callable[..., None]
    potentials: Callable[..., None]
    bot_actions: Callable[..., None]


def entry_kernels_of(game: GameFunctions) -> EntryKernels:
    """Return the kernels of a game with these rules."""
    kernel = kernel_of(game.play)

    @rule
    def play_action(state: State, rules: RulesRecord, action: int) -> None:
        """Play an action; compiled once for the kernels of this file, while loops over many games inline `play`."""
        game.play(state, rules, action)

    @rule
    def write_mask(state: State, rules: RulesRecord, actions: Int16Array, mask: Int8Array) -> int:
        """Write the action mask (int8) and return the number of legal actions."""
        size = game.list_actions(state, rules, actions)
        scatter_mask(actions, size, mask)
        return int64(size)

    @rule
    def observe(state: State, rules: RulesRecord, seat: int, row: Int16Array, observation: Float32Array) -> None:
        """Write a seat's observation; compiled once for the kernels of this file."""
        game.write_row(state, rules, seat, row)
        scale_row(rules, row, observation)

    @kernel
    def deal(states: States, index: int, rules: States, seed: int, start_player: int) -> None:
        """Set a game up from a generator state; a negative `start_player` is drawn at random."""
        game.deal(states[index], rules[0], seed, start_player)

    @kernel
    def legal_mask(states: States, index: int, rules: States, actions: Int16Array, mask: Int8Array) -> int:
        """Write the mask of the player to move; return the number of legal actions."""
        return write_mask(states[index], rules[0], actions, mask)

    @kernel
    def play(states: States, index: int, rules: States, action: int) -> None:
        """Play one legal action."""
        play_action(states[index], rules[0], action)

    @kernel
    def step(
        states: States,
        index: int,
        rules: States,
        action: int,
        skip_forced: bool,
        actions: Int16Array,
        mask: Int8Array,
        row: Int16Array,
        observation: Float32Array,
    ) -> int:
        """Play an action and, if `skip_forced` is set, the forced decisions after it; then write mask and observation.

        A negative `action` plays nothing. Returns the seat to move, or -1 when the game is over: then the mask is zero
        and the observation is that of the seat that would be next.
        """
        state = states[index]
        if action >= 0:
            play_action(state, rules[0], action)
        size = write_mask(state, rules[0], actions, mask)
        while skip_forced and size == 1:
            play_action(state, rules[0], actions[0])
            size = write_mask(state, rules[0], actions, mask)
        observe(state, rules[0], state.seat, row, observation)
        return -1 if game.over(state) else int64(state.seat)

    @kernel
    def observe_seat(
        states: States, index: int, rules: States, seat: int, row: Int16Array, observation: Float32Array
    ) -> None:
        """Write the observation of one seat."""
        observe(states[index], rules[0], seat, row, observation)

    @kernel
    def redeal_for(states: States, index: int, rules: States, seat: int, generator: UInt64Array) -> None:
        """Replace everything that `seat` cannot know by a random deal."""
        game.redeal(states[index], rules[0], seat, generator)

    @kernel
    def results(states: States, index: int, rules: States, scores: Int64Array, ranks: Int64Array) -> None:
        """Write the current score and rank of every seat: int64 (players,)."""
        for seat in range(scores.shape[0]):
            scores[seat] = game.score(states[index], rules[0], seat)
            ranks[seat] = game.rank(states[index], rules[0], seat)

    @kernel
    def rewards(states: States, index: int, rules: States, mode: int, out: Float64Array) -> None:
        """Write the return of every seat in a finished game: float64 (players,)."""
        for seat in range(out.shape[0]):
            out[seat] = game.final_reward(states[index], rules[0], seat, mode)

    @kernel
    def potentials(states: States, index: int, rules: States, out: Float64Array) -> None:
        """Write the shaping potential of every seat: float64 (players,)."""
        for seat in range(out.shape[0]):
            out[seat] = game.potential(states[index], rules[0], seat)

    @kernel
    def bot_actions(
        states: States, rules: States, bot: int, generator: UInt64Array, actions: Int16Array, chosen: Int64Array
    ) -> None:
        """Write the action of a scripted bot for every game; no game may be over."""
        for index in range(states.shape[0]):
            size = game.list_actions(states[index], rules[0], actions)
            chosen[index] = game.choose(states[index], rules[0], bot, generator, actions, size)

    return EntryKernels(
        deal,
        legal_mask,
        play,
        step,
        observe_seat,
        redeal_for,
        results,
        rewards,
        potentials,
        bot_actions,
    )
