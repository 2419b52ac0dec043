"""Passengers at the ends of a claimed track (G8, P7)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule
from thurn_env.games.zug_um_zug_deutschland.rules.phases import PASSENGER


@inlined_rule
def somebody_waits(state: State, place: int) -> bool:
    """Return whether a passenger stands in a place."""
    waiting = 0
    for colour in range(state.waiting.shape[1]):
        waiting += state.waiting[place, colour]
    return waiting > 0


@inlined_rule
def ask_for_passenger(state: State, rules: RulesRecord, end: int) -> bool:
    """P7: let the player decide at this end of the track, or at the next one; return False if nobody waits there."""
    for later in range(end, 2):
        if somebody_waits(state, rules.claim_places[state.claim, later]):
            state.end = later
            state.phase = PASSENGER
            return True
    return False


@inlined_rule
def take_passenger(state: State, rules: RulesRecord, colour: int) -> None:
    """G8: move a passenger from the current end of the track to the mover."""
    state.waiting[rules.claim_places[state.claim, state.end], colour] -= 1
    state.passengers[state.seat, colour] += 1
