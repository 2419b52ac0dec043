"""Evaluations during a run, on paired decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from thurn_env.games.contract import GameRules
from thurn_env.players.policy import Policy
from thurn_env.training.matches import Greedy, play_paired


class Evaluated(NamedTuple):
    """Results of an evaluation.

    Attributes:
        shares: share of games won by opponent, from 0 to 1.
        entry: the same with half-widths of intervals and mean scores, by the names in the file of evaluations.
        better: whether the policy is better than the best one so far.
    """

    shares: dict[str, float]
    entry: dict[str, Any]
    better: bool


def games_of_evaluation(rules: GameRules, opponents: tuple[str, ...], decks: int, best: Policy | None) -> int:
    """Return the number of games of an evaluation."""
    return (len(opponents) * (2 if best else 1) + bool(best)) * decks * rules.players


def evaluate(
    rules: GameRules,
    policy: Policy,
    best: Policy | None,
    opponents: tuple[str, ...],
    decks: int,
    seed: int,
    watch: Callable[[int, int], None] | None = None,
) -> Evaluated:
    """Play a policy against opponents, and with the same decks the best policy so far, and both against each other.

    Args:
        rules: rules of the game.
        policy: the policy.
        best: the best policy so far; None if there is none.
        opponents: names of the opponents, which count equally.
        decks: number of decks, each played from every seat.
        seed: seed of the decks.
        watch: see `play_paired`.
    """
    entry, shares = dict[str, Any](), dict[str, float]()
    mine, others = [], []
    for opponent in opponents:
        played = play_paired(rules, policy, opponent, decks, seed, watch)
        mine.append(played.won)
        shares[opponent] = float(played.won.mean())
        entry[opponent] = round(shares[opponent], 4)
        entry[f"{opponent} interval"] = round(played.half_width, 4)
        entry[f"{opponent} score"] = round(played.score, 2)
        if best:
            others.append(play_paired(rules, best, opponent, decks, seed, watch).won)
    if best:
        duel = play_paired(rules, policy, Greedy(best), decks, seed, watch)
        mine.append(duel.won)
        others.append(np.full(len(duel.won), 1 / rules.players))
        entry["best so far"] = round(float(duel.won.mean()), 4)
    return Evaluated(shares, entry, not best or float(np.mean(mine)) > float(np.mean(others)))
