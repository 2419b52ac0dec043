"""Horses: cards turned over onto the carriage (H1 - H5)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule
from thurn_env.games.thurn_und_taxis.rules.cards import card_played


@inlined_rule
def plays_with_horses(rules: RulesRecord) -> bool:
    """Return whether the game has horses, a constant for the compiler, which omits unused code."""
    return rules.horses_on.shape[0] > 1


@inlined_rule
def room_on_carriage(state: State, rules: RulesRecord) -> bool:
    """H2: return whether another card may be turned over onto the mover's carriage."""
    return state.harnessed_size[state.seat] < rules.most_harnessed


@inlined_rule
def enough_horses(state: State, rules: RulesRecord) -> bool:
    """H4: a route needs as many horses as it has cities."""
    return not plays_with_horses(rules) or state.horses[state.seat] >= state.route_length[state.seat]


@inlined_rule
def harness_card(state: State, rules: RulesRecord, kind: int) -> None:
    """H2, H3: turn a card of the hand over onto the carriage."""
    card_played(state, kind)
    state.harnessed[state.seat, kind] += 1
    state.harnessed_size[state.seat] += 1
    state.horses[state.seat] += rules.horses_on[kind]


@inlined_rule
def empty_carriage(state: State, rules: RulesRecord) -> None:
    """H4, H5: the horse cards go to the discard pile; the carriage keeps its own horses."""
    seat = state.seat
    for kind in range(state.harnessed.shape[1]):
        state.discard[kind] += state.harnessed[seat, kind]
        state.harnessed[seat, kind] = 0
    state.harnessed_size[seat] = 0
    state.horses[seat] = rules.own_horses
