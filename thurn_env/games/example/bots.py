"""The scripted bots, from the weakest to the strongest. Every game has bots of these names."""

from typing import Final, NamedTuple

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, UInt64Array, inlined_rule, int64, rule

BOTS: Final = ("random", "sensible-random", "greedy", "heuristic")


class Weights(NamedTuple):
    """The parameters of the heuristic.

    Attributes:
        full: the worth of a card that fills the coach.
        pair: the worth of a card that another one of the hand fills the coach with.
        room: the worth of every unit of room that is left.
    """

    full: float
    pair: float
    room: float


WEIGHTS: Final = Weights(full=10.0, pair=5.0, room=-0.2)


@inlined_rule
def choose_random(actions: Int16Array, size: int, generator: UInt64Array) -> int:
    """Any legal action, all equally likely."""
    return int64(actions[below(generator, size)])


@inlined_rule
def fits(state: State, rules: RulesRecord, action: int) -> bool:
    """Whether an action loads a card that the coach can carry."""
    if action == rules.first_depart:
        return False
    return state.load[state.seat] + rules.weight[action - rules.first_load] <= rules.capacity


@inlined_rule
def choose_sensible_random(
    state: State, rules: RulesRecord, actions: Int16Array, size: int, generator: UInt64Array
) -> int:
    """Any card that fits; departs if none does."""
    fitting = 0
    chosen = int64(rules.first_depart)
    for position in range(size):
        if fits(state, rules, int64(actions[position])):
            fitting += 1
            if below(generator, fitting) == 0:
                chosen = int64(actions[position])
    return chosen


@rule
def choose_greedy(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """The heaviest card that fits; departs if none does."""
    chosen = int64(rules.first_depart)
    for position in range(size):
        if fits(state, rules, int64(actions[position])):
            chosen = int64(actions[position])
    return chosen


@rule
def worth(state: State, rules: RulesRecord, weights: Weights, kind: int) -> float:
    """What the heuristic holds loading a card that fits to be worth."""
    left = rules.capacity - state.load[state.seat] - rules.weight[kind]
    if left == 0:
        return weights.full
    value = weights.room * left
    for other in range(rules.weight.shape[0]):
        if rules.weight[other] == left and state.hand[state.seat, other] > (other == kind):
            value += weights.pair
    return value


@rule
def choose_heuristic(state: State, rules: RulesRecord, weights: Weights, actions: Int16Array, size: int) -> int:
    """The card that fits and is worth most, see `worth`; departs if none fits."""
    chosen = int64(rules.first_depart)
    best = -1e9
    for position in range(size):
        action = int64(actions[position])
        if fits(state, rules, action):
            value = worth(state, rules, weights, action - rules.first_load)
            if value > best:
                best = value
                chosen = action
    return chosen


@rule
def choose(state: State, rules: RulesRecord, bot: int, generator: UInt64Array, actions: Int16Array, size: int) -> int:
    """The action of bot number `bot` of `BOTS` among `size` listed ones."""
    if bot == 0:
        return choose_random(actions, size, generator)
    if bot == 1:
        return choose_sensible_random(state, rules, actions, size, generator)
    if bot == 2:
        return choose_greedy(state, rules, actions, size)
    return choose_heuristic(state, rules, WEIGHTS, actions, size)
