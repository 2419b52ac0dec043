"""How a game in a lane begins, proceeds and ends; the same for every game.

These rules take the rules of a game, see `thurn_env.engine.functions`, and are compiled into its lane kernels.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.generator import (
    ACTION_STREAM,
    AGENT_STREAM,
    RESET_STREAM,
    below,
    kernel_derived_seed,
    kernel_seeded,
)
from thurn_env.engine.kernels import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    UInt64Array,
    allocating_rule,
    inlined_rule,
    int64,
    kernel,
    rule,
)
from thurn_env.engine.lanes import BEGIN, GO_ON, LEARNER, OVER, PENALISE, REPLACE, STUCK, Int32Array, Lanes
from thurn_env.engine.masks import scatter_mask
from thurn_env.engine.sharing import CHUNK, COUNT, MODE, first_chunk, next_chunk

MOST_EMPTY_GAMES = 1000
"""Maximum number of consecutive games without a decision of a learner before the lane is given up."""

Lane = State
Settings = State


@rule
def no_bot(state: State, rules: RulesRecord, bot: int, generator: Any, actions: Int16Array, size: int) -> int:
    """Replace `GameFunctions.choose` where no seat has a bot, which avoids compiling the bots."""
    return int64(actions[0])


@rule
def random_action(mask: Int8Array, generator: UInt64Array) -> int:
    """Return a random legal action."""
    left = below(generator, int64(mask.sum()))
    action = 0
    while mask[action] == 0 or left > 0:
        left -= mask[action]
        action += 1
    return action


@kernel
def first_illegal(selected: Int64Array, chosen: Int64Array, masks: Int8Array) -> int:
    """Return the position of the first action in `chosen` that is not legal in its lane; -1 if all are."""
    for position in range(selected.shape[0]):
        action = chosen[position]
        if action < 0 or action >= masks.shape[1] or masks[selected[position], action] == 0:
            return position
    return -1


def step_chunks_of(game: GameFunctions, observe: Callable[..., None]) -> Callable[..., None]:
    """Return the function that steps a range of lanes: `step_chunks`, described inside.

    Args:
        game: rules of the game.
        observe: `(state, rules, seat, row, observation)`: writes a seat's observation.
    """

    @rule
    def begin_game(state: State, rules: RulesRecord, lane: Lane, settings: Settings) -> None:
        """Deal the lane's next game and assign its roles."""
        seed = lane.seed
        if lane.resets > 0:
            seed = kernel_derived_seed(lane.seed, RESET_STREAM, lane.resets)
        game.deal(state, rules, kernel_seeded(seed), int64(lane.start_player))
        lane.start_player = -1
        players = lane.roles.shape[0]
        learner = int64(lane.first_learner)
        if learner < 0:
            learner = (int64(lane.seed % np.uint64(players)) + lane.resets) % players
        lane.learner = learner
        lane.roles[learner] = LEARNER
        for step in range(1, players):
            seat = (learner + step) % players
            role = settings.opponents[step - 1]
            lane.roles[seat] = role
            if role >= 0:
                lane.generators[seat, 0] = kernel_seeded(kernel_derived_seed(seed, AGENT_STREAM, seat))
        if settings.illegal == REPLACE:
            lane.chance[0] = kernel_seeded(kernel_derived_seed(seed, ACTION_STREAM, 0))
        lane.potentials[:] = 0
        lane.returns[:] = 0
        lane.moves = 0
        lane.decisions = 0

    @rule
    def shape_rewards(state: State, rules: RulesRecord, lane: Lane, settings: Settings, rewards: Float64Array) -> None:
        """Add shaping rewards: the change of the potentials since the last call."""
        for seat in range(rewards.shape[0]):
            potential = game.potential(state, rules, seat)
            gain = settings.shaping * (potential - lane.potentials[seat])
            rewards[seat] += gain
            lane.returns[seat] += gain
            lane.potentials[seat] = potential

    @rule
    def take_shaping_back(lane: Lane, settings: Settings, rewards: Float64Array) -> None:
        """Take shaping rewards back when a game ends early: its potentials count as 0, as at every end."""
        for seat in range(rewards.shape[0]):
            gain = -settings.shaping * lane.potentials[seat]
            rewards[seat] += gain
            lane.returns[seat] += gain

    @rule
    def store_results(state: State, rules: RulesRecord, lane: Lane, statistics: Int32Array) -> None:
        """Store the results that are read after the next game has begun."""
        game.write_statistics(state, rules, statistics)
        for seat in range(lane.returns.shape[0]):
            lane.last_returns[seat] = lane.returns[seat]
        lane.last_decisions = lane.decisions

    @rule
    def finish_game(
        state: State,
        rules: RulesRecord,
        lane: Lane,
        settings: Settings,
        rewards: Float64Array,
        statistics: Int32Array,
    ) -> None:
        """Write the rewards and statistics of a finished game."""
        if settings.shaping != 0.0:
            shape_rewards(state, rules, lane, settings, rewards)
        for seat in range(rewards.shape[0]):
            gain = game.final_reward(state, rules, seat, int64(settings.reward))
            rewards[seat] += gain
            lane.returns[seat] += gain
        store_results(state, rules, lane, statistics)

    @inlined_rule
    def write_view(
        state: State,
        rules: RulesRecord,
        lane: Lane,
        actions: Int16Array,
        size: int,
        row: Int16Array,
        mask: Int8Array,
        observation: Float32Array,
    ) -> int:
        """Write mask and observation of the player to move, after the end those of the learner; return the seat."""
        scatter_mask(actions, size, mask)
        seat = int64(state.seat) if size > 0 else int64(lane.learner)
        observe(state, rules, seat, row, observation)
        return seat if size > 0 else OVER

    @rule
    def step_each(
        first: int,
        last: int,
        mode: int,
        selected: Int64Array,
        chosen: Int64Array,
        rules: RulesRecord,
        lanes: Lanes,
        actions: Int16Array,
        row: Int16Array,
    ) -> None:
        """Step a range of lanes, see `step_chunks`, with buffers for the list of actions and the observation row."""
        settings = lanes.settings[0]
        # Reading them from the tuple once is faster.
        states, final_states, memory = lanes.states, lanes.final_states, lanes.memory
        observations, masks, all_rewards = lanes.observations, lanes.masks, lanes.rewards
        terminated, truncated, seats, statistics = lanes.terminated, lanes.truncated, lanes.seats, lanes.statistics
        for position in range(first, last):
            index = selected[position]
            state, lane = states[index], memory[index]
            rewards = all_rewards[index]
            if mode != GO_ON:
                rewards[:] = 0.0
                terminated[index] = truncated[index] = False
                lane.illegal = 0
            begin = mode == BEGIN
            action = int64(-1)
            size = -1
            if mode != BEGIN:
                action = chosen[position]
                lane.decisions += lane.roles[state.seat] == LEARNER
                if action < 0 or action >= masks.shape[1] or masks[index, action] == 0:
                    lane.illegal = 1
                    if settings.illegal == PENALISE:
                        rewards[state.seat] -= 1.0
                        lane.returns[state.seat] -= 1.0
                        if settings.shaping != 0.0:
                            take_shaping_back(lane, settings, rewards)
                        store_results(state, rules, lane, statistics[index])
                        final_states[index] = states[index]
                        terminated[index] = True
                        begin = settings.autoreset != 0
                        lane.resets += begin
                        size = -1 if begin else 0
                    else:
                        action = random_action(masks[index], lane.chance)
            empty_games = 0
            while size < 0:
                if begin:
                    begin_game(state, rules, lane, settings)
                    begin = False
                else:
                    game.play(state, rules, action)
                    lane.moves += 1
                if game.over(state):
                    if lane.decisions > 0:
                        finish_game(state, rules, lane, settings, rewards, statistics[index])
                        final_states[index] = states[index]
                        terminated[index] = state.truncated == 0
                        truncated[index] = state.truncated != 0
                        if not settings.autoreset:
                            size = 0
                            continue
                    elif empty_games == MOST_EMPTY_GAMES:
                        break
                    empty_games += 1
                    lane.resets += 1
                    begin = True
                    continue
                size = game.list_actions(state, rules, actions)
                bot = int64(lane.roles[state.seat])
                if bot >= 0:
                    action = int64(game.choose(state, rules, bot, lane.generators[state.seat], actions, size))
                    size = -1
                elif settings.skip_forced and size == 1:
                    action = int64(actions[0])
                    size = -1
            if settings.shaping != 0.0 and mode != BEGIN and not (terminated[index] or truncated[index]):
                shape_rewards(state, rules, lane, settings, rewards)
            seats[index] = STUCK
            if size >= 0:
                seats[index] = write_view(state, rules, lane, actions, size, row, masks[index], observations[index])

    @allocating_rule
    def step_chunks(
        helper: int,
        kernel: int,
        mode: int,
        chunk: int,
        selected: Int64Array,
        chosen: Int64Array,
        rules: RulesRecord,
        lanes: Lanes,
        share: Int64Array,
    ) -> None:
        """Begin, step or continue games in the lanes `selected`, chunk by chunk; see `thurn_env.engine.sharing`.

        `mode` is `BEGIN` for a new game, `STEP` for an action of the player to move, `GO_ON` for one more action of the
        same step: then rewards add up, and a lane that ended stays marked as ended.
        """
        actions = np.empty(lanes.masks.shape[1], np.int16)
        row = np.empty(lanes.observations.shape[1], np.int16)
        first = first_chunk(helper, kernel, mode, selected.shape[0], chunk, share)
        while first >= 0:
            last = min(first + share[CHUNK], share[COUNT])
            step_each(first, last, share[MODE], selected, chosen, rules, lanes, actions, row)
            first = next_chunk(helper, kernel, share)

    return step_chunks
