"""Values of passengers."""

import numpy as np

from thurn_env.engine.kernels import RulesRecord, State, int64, rule
from thurn_env.games.zug_um_zug_deutschland.bots.plan import Plan


@rule
def chance_ahead(lead: float, spread: float) -> float:
    """Return the probability of ending ahead, given the current lead."""
    return 1.0 / (1.0 + np.exp(-lead / spread))


@rule
def worth_of_colour(rules: RulesRecord, own: int, best: int, second: int, others: int, spread: float) -> float:
    """Return the expected points for `own` passengers of a colour against the best two of the others (G15)."""
    if own == 0:
        return 0.0
    first = chance_ahead(float(own - best), spread)
    not_third = chance_ahead(float(own - second), spread) if others > 1 else 1.0
    return first * rules.most_passengers + (1.0 - first) * not_third * rules.second_most_passengers


@rule
def appraise_passengers(state: State, rules: RulesRecord, plan: Plan, spread: float, per_waiting: float) -> None:
    """Write the value of one more passenger of each colour for the mover.

    The current lead predicts the final one, with less certainty the more passengers still wait.
    """
    seat = state.seat
    players = state.passengers.shape[0]
    for colour in range(state.passengers.shape[1]):
        best, second = int64(0), int64(0)
        for other in range(players):
            if other != seat:
                count = int64(state.passengers[other, colour])
                if count > best:
                    best, second = count, best
                elif count > second:
                    second = count
        waiting = 0
        for place in range(state.waiting.shape[0]):
            waiting += state.waiting[place, colour]
        open_race = spread + per_waiting * waiting
        own = int64(state.passengers[seat, colour])
        more = worth_of_colour(rules, own + 1, best, second, players - 1, open_race)
        plan.passenger[colour] = more - worth_of_colour(rules, own, best, second, players - 1, open_race)


@rule
def best_passenger(state: State, plan: Plan, place: int) -> int:
    """Return the colour of the most valuable passenger in a place; -1 if nobody waits there."""
    found = -1
    best = -1.0
    for colour in range(state.waiting.shape[1]):
        if state.waiting[place, colour] > 0 and plan.passenger[colour] > best:
            best = plan.passenger[colour]
            found = colour
    return found


@rule
def worth_at_ends(state: State, rules: RulesRecord, plan: Plan, claim: int) -> float:
    """Return the value of the passengers at both ends of a track for the mover."""
    total = 0.0
    for end in range(2):
        colour = best_passenger(state, plan, int64(rules.claim_places[claim, end]))
        if colour >= 0:
            total += plan.passenger[colour]
    return total
