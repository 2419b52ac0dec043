"""Two bots that choose at random."""

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, UInt64Array, inlined_rule, int64
from thurn_env.games.zug_um_zug_deutschland.rules.phases import LOCOMOTIVES, PASSENGER, TURN


@inlined_rule
def choose_random(actions: Int16Array, size: int, generator: UInt64Array) -> int:
    """Return a uniformly random legal action."""
    return int64(actions[below(generator, size)])


@inlined_rule
def choose_sensible_random(
    state: State, rules: RulesRecord, actions: Int16Array, size: int, generator: UInt64Array
) -> int:
    """Return a random action, but draw tickets only as a last resort, take passengers, and save locomotives.

    Fully random players draw ticket after ticket and end far below zero, which makes their games uninformative.
    """
    if state.phase == TURN and size > 1:
        chosen = int64(rules.first_tickets)
        while chosen == rules.first_tickets:
            chosen = choose_random(actions, size, generator)
        return chosen
    if state.phase == LOCOMOTIVES:
        return int64(actions[0])
    if state.phase == PASSENGER:
        return choose_random(actions, size - 1, generator)
    return choose_random(actions, size, generator)
