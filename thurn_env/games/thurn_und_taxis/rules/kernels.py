"""Kernels of this game: those of all games, made from its rules, and its own."""

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.game_kernels import kernels_of
from thurn_env.engine.kernels import (
    Int8Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    inlined_rule,
    kernel,
    rule,
)
from thurn_env.engine.lanes import Int32Array
from thurn_env.engine.weighted_kernels import weighted_kernel_of
from thurn_env.games.thurn_und_taxis.bots.choose import choose
from thurn_env.games.thurn_und_taxis.bots.heuristic import choose_heuristic
from thurn_env.games.thurn_und_taxis.bots.random import choose_sensible_random
from thurn_env.games.thurn_und_taxis.rules.hidden import redeal
from thurn_env.games.thurn_und_taxis.rules.legal import legal_actions
from thurn_env.games.thurn_und_taxis.rules.observe import write_row
from thurn_env.games.thurn_und_taxis.rules.phases import OVER
from thurn_env.games.thurn_und_taxis.rules.play import apply
from thurn_env.games.thurn_und_taxis.rules.scoring import final_reward, potential, rank, score
from thurn_env.games.thurn_und_taxis.rules.turn import deal

STATISTICS = ("score", "rank", "turns", "routes", "carriages", "tiles")
"""Statistics that `write_statistics` writes for every seat, in this order."""


@inlined_rule
def over(state: State) -> bool:
    """Return whether the game is over."""
    return state.phase == OVER


@rule
def write_statistics(state: State, rules: RulesRecord, statistics: Int32Array) -> None:
    """Write the statistics named by `STATISTICS`: int32 (players, statistics)."""
    for seat in range(statistics.shape[0]):
        tiles = 0
        for stack in range(state.tiles.shape[1]):
            tiles += state.tiles[seat, stack]
        statistics[seat, 0] = score(state, rules, seat)
        statistics[seat, 1] = rank(state, rules, seat)
        statistics[seat, 2] = state.rounds
        statistics[seat, 3] = state.routes[seat]
        statistics[seat, 4] = state.carriage[seat]
        statistics[seat, 5] = tiles


FUNCTIONS = GameFunctions(
    deal=deal,
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
play_weighted = weighted_kernel_of(FUNCTIONS, choose_heuristic)


@kernel
def play_bots(
    states: States,
    index: int,
    rules: States,
    bots: Int8Array,
    generators: UInt64Array,
    actions: Int16Array,
    moves: Int16Array,
    decks: Int8Array,
    deck_sizes: Int64Array,
) -> int:
    """Let scripted bots play on until the game is over or `moves` or `decks` is full.

    Args:
        states: state records.
        index: the game in `states`.
        rules: constant record, shape (1,).
        bots: int8 (players,), the bot of every seat.
        generators: uint64 (players, 1), random generator of every seat.
        actions: buffer, int16 (actions,).
        moves: int16, receives the actions.
        decks: int8 (n, cards), receives the decks shuffled on the way, bottom card first.
        deck_sizes: int64 (n,), their lengths; entries beyond the last deck are set to 0.

    Returns:
        the number of moves played.
    """
    state = states[index]
    deck_sizes[:] = 0
    logged = 0
    played = 0
    while played < moves.shape[0] and logged < decks.shape[0] and state.phase != OVER:
        seat = state.seat
        size = legal_actions(state, rules[0], actions)
        action = choose(state, rules[0], bots[seat], generators[seat], actions, size)
        shuffles = state.shuffles
        apply(state, rules[0], action)
        moves[played] = action
        played += 1
        if state.shuffles != shuffles:
            for position in range(state.shuffled_size):
                decks[logged, position] = state.deck[position]
            deck_sizes[logged] = state.shuffled_size
            logged += 1
    return played
