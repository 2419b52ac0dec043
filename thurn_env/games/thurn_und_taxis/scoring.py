"""Scores, ranks and rewards (R29, R30, F13)."""

from thurn_env.games.returns import MARGIN, SCORE, reward_of_rank
from thurn_env.games.thurn_und_taxis.phases import OVER
from thurn_env.kernels import RulesRecord, State, rule


@rule
def score(state: State, rules: RulesRecord, seat: int) -> int:
    """R29: the highest carriage, all tiles, minus houses not placed."""
    points = state.tile_points[seat] - state.houses_left[seat]
    if state.carriage[seat] > 0:
        points += rules.carriage_points[state.carriage[seat] - 1]
    return points


@rule
def leads(state: State, rules: RulesRecord, seat: int, other: int) -> bool:
    """Whether `seat` ranks before `other`: by score, ties by R30 clockwise from the holder of the game-end tile."""
    own = score(state, rules, seat)
    others = score(state, rules, other)
    if own != others:
        return own > others
    if state.holder < 0:
        return False
    players = state.hand.shape[0]
    return (seat - state.holder) % players < (other - state.holder) % players


@rule
def rank(state: State, rules: RulesRecord, seat: int) -> int:
    """The rank of a seat: 1 for the winner. Without a holder equal scores share the better rank (F13)."""
    place = 1
    for other in range(state.hand.shape[0]):
        if leads(state, rules, other, seat):
            place += 1
    return place


@rule
def margin(state: State, rules: RulesRecord, seat: int) -> int:
    """The score minus the best score of the others."""
    best = -32768
    for other in range(state.hand.shape[0]):
        if other != seat:
            best = max(best, score(state, rules, other))
    return score(state, rules, seat) - best


@rule
def potential(state: State, rules: RulesRecord, seat: int) -> float:
    """A seat's shaping potential: its margin per house; 0 when the game is over."""
    if state.phase == OVER:
        return 0.0
    return margin(state, rules, seat) / rules.houses_per_player


@rule
def final_reward(state: State, rules: RulesRecord, seat: int, mode: int) -> float:
    """A seat's return for the finished game, by reward mode.

    `WIN` and `RANK`: see `reward_of_rank`. `MARGIN`: score minus the best other score; `SCORE`: the score; both divided
    by the number of houses per player.
    """
    if mode == MARGIN:
        return margin(state, rules, seat) / rules.houses_per_player
    if mode == SCORE:
        return score(state, rules, seat) / rules.houses_per_player
    players = state.hand.shape[0]
    place = rank(state, rules, seat)
    sharing = 0
    for other in range(players):
        if rank(state, rules, other) == place:
            sharing += 1
    return reward_of_rank(place, sharing, players, mode)
