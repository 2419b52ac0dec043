"""Cards that the mover has not seen, counted from public information."""

from thurn_env.engine.kernels import Int64Array, RulesRecord, State, rule
from thurn_env.games.sets import only
from thurn_env.games.thurn_und_taxis.rules.horses import plays_with_horses


@rule
def count_unseen(state: State, rules: RulesRecord, unseen: Int64Array) -> None:
    """Write the number of cards of every kind in the deck or drawn unseen by others: int64 (kinds,)."""
    seat = state.seat
    for kind in range(state.hand.shape[1]):
        unseen[kind] = rules.copies[kind] - state.discard[kind] - state.hand[seat, kind]
    for player in range(state.hand.shape[0]):
        if player != seat:
            for kind in range(state.hand.shape[1]):
                unseen[kind] -= state.known[player, kind]
        for index in range(state.route_length[player]):
            unseen[state.route[player, index]] -= 1
        if plays_with_horses(rules):
            for kind in range(state.hand.shape[1]):
                unseen[kind] -= state.harnessed[player, kind]
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            unseen[state.display[slot]] -= 1


@rule
def cities_to_be_had(state: State, rules: RulesRecord, unseen: Int64Array) -> int:
    """Return the cities of which a card may still come: face up, in the deck, or unseen in other hands."""
    cities = 0
    for kind in range(state.hand.shape[1]):
        if unseen[kind] > 0:
            cities |= only(rules.city_of[kind])
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            cities |= only(rules.city_of[state.display[slot]])
    return cities
