"""Kernels of this game: those of all games, made from its rules, and its own."""

from thurn_env.engine.functions import GameFunctions
from thurn_env.engine.game_kernels import kernels_of
from thurn_env.engine.kernels import (
    Int8Array,
    Int16Array,
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
from thurn_env.games.zug_um_zug_deutschland.bots.choose import choose
from thurn_env.games.zug_um_zug_deutschland.bots.heuristic import choose_heuristic
from thurn_env.games.zug_um_zug_deutschland.bots.random import choose_sensible_random
from thurn_env.games.zug_um_zug_deutschland.rules.deal import begin_game, let_chance, set_up
from thurn_env.games.zug_um_zug_deutschland.rules.hidden import redeal
from thurn_env.games.zug_um_zug_deutschland.rules.legal import legal_actions
from thurn_env.games.zug_um_zug_deutschland.rules.observe import write_row
from thurn_env.games.zug_um_zug_deutschland.rules.phases import NOTHING, OVER
from thurn_env.games.zug_um_zug_deutschland.rules.play import apply, decide
from thurn_env.games.zug_um_zug_deutschland.rules.scoring import all_passengers, final_reward, potential, rank, score

STATISTICS = ("score", "rank", "turns", "trains", "tickets", "completed", "passengers")
"""Statistics that `write_statistics` writes for every seat, in this order."""


@inlined_rule
def over(state: State) -> bool:
    """Return whether the game is over."""
    return state.phase == OVER


@rule
def write_statistics(state: State, rules: RulesRecord, statistics: Int32Array) -> None:
    """Write the statistics named by `STATISTICS`: int32 (players, statistics)."""
    for seat in range(statistics.shape[0]):
        statistics[seat, 0] = score(state, rules, seat)
        statistics[seat, 1] = rank(state, rules, seat)
        statistics[seat, 2] = state.rounds
        statistics[seat, 3] = state.trains[seat]
        statistics[seat, 4] = state.ticket_count[seat, 0] + state.ticket_count[seat, 1]
        statistics[seat, 5] = state.completed[seat]
        statistics[seat, 6] = all_passengers(state, seat)


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
play_weighted = weighted_kernel_of(FUNCTIONS, choose_heuristic)


@kernel
def begin_deal(states: States, index: int, rules: States, generator: int, start_player: int) -> None:
    """Set a game up to the first pending chance event: passengers and ticket piles are laid out, cards are not."""
    state = states[index]
    state.generator[0] = generator
    set_up(state, rules[0], start_player)


@kernel
def begin_play(states: States, index: int, rules: States, action: int) -> None:
    """Play one legal action, up to a pending chance event."""
    decide(states[index], rules[0], action)


@kernel
def go_on(states: States, index: int, rules: States, order: Int8Array) -> None:
    """Resolve the pending chance event, with `order` if that is not empty, and continue; see `let_chance`."""
    let_chance(states[index], rules[0], order)


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
    """Let scripted bots play on until the game is over, a chance event is pending, or `moves` is full.

    Args:
        states: state records.
        index: the game in `states`.
        rules: constant record, shape (1,).
        bots: int8 (players,), the bot of every seat.
        generators: uint64 (players, 1), random generator of every seat.
        actions: buffer, int16 (actions,).
        moves: int16, receives the actions.

    Returns:
        the number of moves played.
    """
    state = states[index]
    played = 0
    while played < moves.shape[0] and state.due == NOTHING and state.phase != OVER:
        seat = state.seat
        size = legal_actions(state, rules[0], actions)
        action = choose(state, rules[0], bots[seat], generators[seat], actions, size)
        decide(state, rules[0], action)
        moves[played] = action
        played += 1
    return played
