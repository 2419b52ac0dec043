"""Scores, ranks and rewards (R29, R30, F13)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, rule
from thurn_env.games.ranking import ranking_of
from thurn_env.games.thurn_und_taxis.rules.phases import OVER


@rule
def score(state: State, rules: RulesRecord, seat: int) -> int:
    """R29: return the highest carriage plus all tiles minus houses not placed."""
    points = state.tile_points[seat] - state.houses_left[seat]
    if state.carriage[seat] > 0:
        points += rules.carriage_points[state.carriage[seat] - 1]
    return points


@rule
def leads(state: State, rules: RulesRecord, seat: int, other: int) -> bool:
    """Return whether `seat` ranks before `other`: by score, ties by R30 clockwise from the game-end tile."""
    own = score(state, rules, seat)
    others = score(state, rules, other)
    if own != others:
        return own > others
    if state.holder < 0:
        return False
    players = state.hand.shape[0]
    return (seat - state.holder) % players < (other - state.holder) % players


@inlined_rule
def point_scale(rules: RulesRecord) -> int:
    """Return the divisor of scores in rewards: the number of houses of a player."""
    return rules.houses_per_player


# Without a holder of the game-end tile equal scores share the better rank (F13).
rank, margin, potential, final_reward = ranking_of(score, leads, point_scale, OVER)
