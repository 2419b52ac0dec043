"""What the mover has not seen, counted from what lies open."""

from thurn_env.games.thurn_und_taxis.sets import only
from thurn_env.kernels import RulesRecord, State, inlined_rule, int64, rule


@inlined_rule
def unseen_of(state: State, rules: RulesRecord, kind: int) -> int:
    """How many cards of a kind lie in the deck or were drawn unseen by others."""
    number = int64(rules.copies[kind]) - state.discard[kind] - state.hand[state.seat, kind]
    for player in range(state.hand.shape[0]):
        if player != state.seat:
            number -= state.known[player, kind]
        for index in range(state.route_length[player]):
            if state.route[player, index] == kind:
                number -= 1
    for slot in range(state.display.shape[0]):
        if state.display[slot] == kind:
            number -= 1
    return number


@rule
def cities_to_be_had(state: State, rules: RulesRecord) -> int:
    """The cities of which a card may still come: face up, in the deck, or unseen in other hands."""
    cities = 0
    for kind in range(state.hand.shape[1]):
        if unseen_of(state, rules, kind) > 0:
            cities |= only(rules.city_of[kind])
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            cities |= only(rules.city_of[state.display[slot]])
    return cities
