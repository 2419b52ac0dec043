"""The second step of a turn: laying cards on the route (R10 - R14), and how a route ends."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, rule
from thurn_env.games.sets import only
from thurn_env.games.thurn_und_taxis.rules.cards import after_discarding, card_played
from thurn_env.games.thurn_und_taxis.rules.horses import empty_carriage, plays_with_horses


@inlined_rule
def fitting_left(state: State, rules: RulesRecord) -> int:
    """R11: return the cities that may be laid at the left end. A route of one card is extended at the right only."""
    seat = state.seat
    if state.route_length[seat] < 2:
        return 0
    return rules.adjacent[rules.city_of[state.route[seat, 0]]] & ~state.route_cities[seat]


@inlined_rule
def fitting_right(state: State, rules: RulesRecord) -> int:
    """R11: return the cities that may be laid at the right end."""
    seat = state.seat
    length = state.route_length[seat]
    if length == 0:
        return 0
    return rules.adjacent[rules.city_of[state.route[seat, length - 1]]] & ~state.route_cities[seat]


@inlined_rule
def card_laid(state: State, rules: RulesRecord, kind: int) -> None:
    """Move a laid card from the hand to the route."""
    card_played(state, kind)
    state.route_cities[state.seat] |= only(rules.city_of[kind])
    state.route_length[state.seat] += 1


@inlined_rule
def extend_left(state: State, rules: RulesRecord, kind: int) -> None:
    """R11: lay a card at the left end."""
    seat = state.seat
    for index in range(state.route_length[seat], 0, -1):
        state.route[seat, index] = state.route[seat, index - 1]
    state.route[seat, 0] = kind
    card_laid(state, rules, kind)


@inlined_rule
def extend_right(state: State, rules: RulesRecord, kind: int) -> None:
    """R11: lay a card at the right end."""
    state.route[state.seat, state.route_length[state.seat]] = kind
    card_laid(state, rules, kind)


@inlined_rule
def start_route(state: State, rules: RulesRecord, kind: int) -> None:
    """R12, H5: start a new route; an old one is discarded without score."""
    if state.route_length[state.seat] > 0:
        discard_route(state, rules, not rules.horses_kept)
    state.route[state.seat, 0] = kind
    card_laid(state, rules, kind)


@rule
def discard_route(state: State, rules: RulesRecord, horses_too: bool) -> None:
    """Move the mover's route, with `horses_too` also the horse cards, to the discard pile, as one event (F3)."""
    seat = state.seat
    for index in range(state.route_length[seat]):
        state.discard[state.route[seat, index]] += 1
    state.route_length[seat] = 0
    state.route_cities[seat] = 0
    if plays_with_horses(rules) and horses_too:
        empty_carriage(state, rules)
    after_discarding(state)
