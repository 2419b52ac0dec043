"""Ranks, shaping potentials and returns, derived from a game's scores and tie-breaks."""

from collections.abc import Callable
from typing import Any, NamedTuple

from thurn_env.engine.kernels import RulesRecord, State, rule
from thurn_env.engine.returns import MARGIN, SCORE, reward_of_rank


class Ranking(NamedTuple):
    """Compiled functions of `(state, rules, seat)`; described in `ranking_of`."""

    rank: Callable[..., Any]
    margin: Callable[..., Any]
    potential: Callable[..., Any]
    final_reward: Callable[..., Any]


def ranking_of(score: Callable[..., Any], leads: Callable[..., Any], scale: Callable[..., Any], over: int) -> Ranking:
    """Return the ranking functions of a game whose state record has a row of `hand` for every player.

    Args:
        score: `(state, rules, seat) -> int`: current score of a seat.
        leads: `(state, rules, seat, other) -> bool`: whether `seat` ranks before `other`.
        scale: `(rules) -> number`: divisor of scores in rewards.
        over: phase of a finished game.
    """

    @rule
    def rank(state: State, rules: RulesRecord, seat: int) -> int:
        """Return the rank of a seat; 1 is best. Tied seats share the better rank."""
        place = 1
        for other in range(state.hand.shape[0]):
            if leads(state, rules, other, seat):
                place += 1
        return place

    @rule
    def margin(state: State, rules: RulesRecord, seat: int) -> int:
        """Return the score minus the best score of the others."""
        best = -32768
        for other in range(state.hand.shape[0]):
            if other != seat:
                best = max(best, score(state, rules, other))
        own: int = score(state, rules, seat)
        return own - best

    @rule
    def potential(state: State, rules: RulesRecord, seat: int) -> float:
        """Return a seat's shaping potential: its margin, scaled; 0 when the game is over."""
        if state.phase == over:
            return 0.0
        return margin(state, rules, seat) / float(scale(rules))

    @rule
    def final_reward(state: State, rules: RulesRecord, seat: int, mode: int) -> float:
        """Return a seat's return of a finished game, by reward mode.

        `WIN` and `RANK`: see `reward_of_rank`. `MARGIN`: score minus the best other score; `SCORE`: the score; both
        scaled.
        """
        if mode == MARGIN:
            return margin(state, rules, seat) / float(scale(rules))
        if mode == SCORE:
            return float(score(state, rules, seat)) / float(scale(rules))
        players = state.hand.shape[0]
        place = rank(state, rules, seat)
        sharing = 0
        for other in range(players):
            if rank(state, rules, other) == place:
                sharing += 1
        return reward_of_rank(place, sharing, players, mode)

    return Ranking(rank, margin, potential, final_reward)
