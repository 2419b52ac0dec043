"""The kernels that step many games in one call; see `thurn_env.games.lanes` for what they read and write.

The kernels with bots are apart, because the bots take long to compile. Games do not touch each other, so several
threads may step different lanes at the same time.
"""

from thurn_env.games.lane_rules import LaneGame, no_bot, step_range_of
from thurn_env.games.lanes import Int32Array, Lanes
from thurn_env.games.thurn_und_taxis.bots.choose import choose_listed
from thurn_env.games.thurn_und_taxis.engine import apply
from thurn_env.games.thurn_und_taxis.legal import legal_actions
from thurn_env.games.thurn_und_taxis.observe import observe
from thurn_env.games.thurn_und_taxis.phases import OVER
from thurn_env.games.thurn_und_taxis.scoring import final_reward, potential, rank, score
from thurn_env.games.thurn_und_taxis.turn import deal
from thurn_env.kernels import (
    Float32Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    inlined_rule,
    kernel,
    rule,
)

STATISTICS = ("score", "rank", "turns", "routes", "carriages", "tiles")
"""What `write_statistics` writes for every seat, in this order."""


@inlined_rule
def over(state: State) -> bool:
    """Whether the game is over."""
    return state.phase == OVER


@rule
def write_statistics(state: State, rules: RulesRecord, statistics: Int32Array) -> None:
    """The figures named by `STATISTICS`; `statistics` is int32 of shape (players, figures)."""
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


WITH_BOTS = LaneGame(
    deal=deal,
    list_actions=legal_actions,
    play=apply,
    over=over,
    observe=observe,
    final_reward=final_reward,
    potential=potential,
    write_statistics=write_statistics,
    choose=choose_listed,
)
step_range_with_bots = step_range_of(WITH_BOTS)
step_range = step_range_of(WITH_BOTS._replace(choose=no_bot))


@kernel
def observe_lanes(
    states: States, selected: Int64Array, seats: Int64Array, rules: States, row: Int16Array, out: Float32Array
) -> None:
    """Write the observation of one seat in each of the selected lanes; `out` has shape (selected, O)."""
    for position in range(selected.shape[0]):
        observe(states[selected[position]], rules[0], seats[position], row, out[position])


@kernel
def step_lanes(mode: int, selected: Int64Array, chosen: Int64Array, rules: States, lanes: Lanes) -> None:
    """Step lanes none of whose seats is a bot's; see `step_range_of`."""
    step_range(0, selected.shape[0], mode, selected, chosen, rules[0], lanes)


@kernel
def step_lanes_with_bots(mode: int, selected: Int64Array, chosen: Int64Array, rules: States, lanes: Lanes) -> None:
    """Step lanes and play their bots."""
    step_range_with_bots(0, selected.shape[0], mode, selected, chosen, rules[0], lanes)
