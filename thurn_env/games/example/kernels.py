"""The functions that are handed to the kernels of all games, and two kernels that every game writes itself."""

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.game_kernels import kernels_of
from thurn_env.engine.kernels import (
    Int8Array,
    Int16Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    kernel,
    rule,
)
from thurn_env.engine.lanes import Int32Array
from thurn_env.engine.weighted_kernels import weighted_kernel_of
from thurn_env.games.example.bots import choose, choose_heuristic, choose_sensible_random
from thurn_env.games.example.phases import OVER
from thurn_env.games.example.rules import (
    apply,
    begin_game,
    begin_with_deck,
    final_reward,
    legal_actions,
    over,
    potential,
    rank,
    redeal,
    score,
    write_row,
)

STATISTICS = ("score", "rank", "load")
"""What `write_statistics` writes for every seat, in this order."""


@rule
def write_statistics(state: State, rules: RulesRecord, statistics: Int32Array) -> None:
    """The figures named by `STATISTICS`; `statistics` is int32 of shape (players, figures)."""
    for seat in range(statistics.shape[0]):
        statistics[seat, 0] = score(state, rules, seat)
        statistics[seat, 1] = rank(state, rules, seat)
        statistics[seat, 2] = state.load[seat]


FUNCTIONS = GameFunctions(
    deal=begin_game,
    list_actions=legal_actions,
    play=apply,
    over=over,
    write_row=write_row,
    redeal=redeal,
    score=score,
    rank=rank,
    final_reward=final_reward,
    potential=potential,
    write_statistics=write_statistics,
    choose=choose,
    choose_sensible_random=choose_sensible_random,
)
KERNELS = kernels_of(FUNCTIONS)


@kernel
def deal_from(states: States, index: int, rules: States, deck: Int8Array, start_player: int) -> None:
    """Deal from a deck in the given order, top card last; its cards must be those of the game."""
    state = states[index]
    state.deck[:] = deck
    state.deck_size = deck.shape[0]
    begin_with_deck(state, rules[0], start_player)


@kernel
def play_bots(
    states: States,
    index: int,
    rules: States,
    bots: Int8Array,
    generators: UInt64Array,
    actions: Int16Array,
    moves: Int16Array,
) -> int:
    """Let scripted bots (int8, by seat) finish the game; write the moves and return their number."""
    state = states[index]
    played = 0
    while state.phase != OVER:
        seat = state.seat
        size = legal_actions(state, rules[0], actions)
        action = choose(state, rules[0], bots[seat], generators[seat], actions, size)
        apply(state, rules[0], action)
        moves[played] = action
        played += 1
    return played


play_weighted = weighted_kernel_of(FUNCTIONS, choose_heuristic)
