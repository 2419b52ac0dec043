"""Two bots that choose at random."""

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, UInt64Array, inlined_rule, int64, rule
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import END, PLAY


@inlined_rule
def choose_random(actions: Int16Array, size: int, generator: UInt64Array) -> int:
    """Return a uniformly random legal action."""
    return int64(actions[below(generator, size)])


@rule
def card_fits_later(state: State, rules: RulesRecord) -> bool:
    """Return whether the hand holds a card that would extend the route."""
    seat = state.seat
    length = state.route_length[seat]
    left = rules.adjacent[rules.city_of[state.route[seat, 0]]]
    right = rules.adjacent[rules.city_of[state.route[seat, length - 1]]]
    fitting = (left | right) & ~state.route_cities[seat]
    fits = int64(0)
    for kind in range(state.hand.shape[1]):
        fits |= int64(state.hand[seat, kind] > 0) & (fitting >> rules.city_of[kind])
    return fits != 0


@inlined_rule
def choose_sensible_random(
    state: State, rules: RulesRecord, actions: Int16Array, size: int, generator: UInt64Array
) -> int:
    """Return a random action, but never abandon a route that can be extended or closed.

    A card that fits is laid, or with horses any card harnessed, rather than a new route started; and a route that may
    be closed is closed when the hand holds nothing that could extend it next turn. All other choices are random.
    """
    seat = state.seat
    if state.phase == PLAY and state.route_length[seat] > 0:
        others = 0
        starts = 0
        for position in range(size):
            starts += actions[position] >= rules.first_start
            others += actions[position] >= rules.first_left
        if plays_with_horses(rules):
            for position in range(size):
                starts -= actions[position] >= rules.first_harness
        others -= starts
        if others > 0:
            # `start` actions are last in the list.
            size -= starts
    elif state.phase == END and actions[size - 1] == rules.first_close:
        if not card_fits_later(state, rules):
            return int64(rules.first_close)
    return choose_random(actions, size, generator)
