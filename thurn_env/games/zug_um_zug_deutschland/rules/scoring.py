"""Scores, ranks and rewards (G14 - G16, P1, P8)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.ranking import ranking_of
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER


@inlined_rule
def colour_points(state: State, rules: RulesRecord, seat: int, colour: int) -> int:
    """G15: return the points for a colour: most passengers, or second most if only one player has more.

    A tie for most leaves no second place, since two players then have more than anybody else.
    """
    own = state.passengers[seat, colour]
    if own == 0:
        return 0
    ahead = 0
    for other in range(state.passengers.shape[0]):
        ahead += state.passengers[other, colour] > own
    if ahead == 0:
        return int64(rules.most_passengers)
    return int64(rules.second_most_passengers) if ahead == 1 else 0


@inlined_rule
def passenger_points(state: State, rules: RulesRecord, seat: int) -> int:
    """G15: return the points for all colours."""
    points = 0
    for colour in range(state.passengers.shape[1]):
        points += colour_points(state, rules, seat, colour)
    return points


@inlined_rule
def is_globetrotter(state: State, seat: int) -> bool:
    """G14, P8: return whether nobody has completed more tickets."""
    for other in range(state.completed.shape[0]):
        if state.completed[other] > state.completed[seat]:
            return False
    return True


@rule
def score(state: State, rules: RulesRecord, seat: int) -> int:
    """G7, G14, G15: return the points for tracks, tickets, Globetrotter and passengers, as if the game ended now."""
    points = int64(state.points[seat]) + int64(state.ticket_points[seat])
    if is_globetrotter(state, seat):
        points += rules.globetrotter
    return points + passenger_points(state, rules, seat)


@inlined_rule
def all_passengers(state: State, seat: int) -> int:
    """Return the number of passengers that a player has taken."""
    number = 0
    for colour in range(state.passengers.shape[1]):
        number += int64(state.passengers[seat, colour])
    return number


@rule
def leads(state: State, rules: RulesRecord, seat: int, other: int) -> bool:
    """G16: return whether `seat` ranks before `other`: by score, then completed tickets, then passengers."""
    ahead = score(state, rules, seat) - score(state, rules, other)
    if ahead == 0:
        ahead = int64(state.completed[seat]) - int64(state.completed[other])
    if ahead == 0:
        ahead = all_passengers(state, seat) - all_passengers(state, other)
    return ahead > 0


@inlined_rule
def point_scale(rules: RulesRecord) -> float:
    """Return the divisor of scores in rewards: twice the number of trains of a player."""
    return 2.0 * rules.trains_per_player


# Players who are equal in everything share the better rank (G16, P1).
rank, margin, potential, final_reward = ranking_of(score, leads, point_scale, OVER)
