r"""How even the priors of a policy are made for search.

Training by policy gradients leaves policies very sure of their choice. As priors, they keep search from ever looking at
other actions. Dividing the logits by a temperature makes priors more even; too even ones waste the search on bad
actions. How sure a policy is depends on its game and its training, so the temperature is found by playing it.

Search ranked before a policy for two players of south in 63.3, 66.7, 68.7, 70.3 and 54.0 % of 300 games (± 5) with the
temperatures 1, 2, 4, 8 and 16. That policy raced and had no lessons from search; docs/training_results.md tells how to
train it:

    thurn tournament --format ladder --agents ppo:runs/racer/best.npz \
        ppo+mcts:runs/racer/best.npz,200,temperature=4 --games 150 --seed 2024 --out runs/temperature

*Zug um Zug* gained by 4 and not by 8. Less sure policies of the north board, which had learned from `heuristic`, gained
nothing by 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np

from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.players.policy import Policy
from thurn_env.table.game import Game

__all__ = ["prior_temperature"]

TEMPERATURES = (4.0, 2.0, 1.0)
"""Temperatures from which one is chosen, the highest first. With 16, search was much weaker."""
MOST_ENTROPY = 0.5
"""Largest mean entropy of the priors, as a share of that of equal ones. With more, search gained nothing."""
DECISIONS = 300
"""Number of decisions that are looked at."""


@lru_cache(maxsize=32)
def prior_temperature(policy: Policy, rules: GameRules) -> float:
    """Return the highest temperature at which the priors of a policy keep enough of what the policy knows.

    The policy plays itself with its most probable actions; the same policy gets the same temperature.
    """
    looked_at = list(islice(_decisions(policy, rules), DECISIONS))
    for temperature in TEMPERATURES:
        if np.mean([_entropy(logits / np.float32(temperature)) for logits in looked_at]) <= MOST_ENTROPY:
            return temperature
    return TEMPERATURES[-1]


def _decisions(policy: Policy, rules: GameRules) -> Iterator[Float32Array]:
    """Yield the logits of the legal actions of every decision with a choice, game after game: float32 (actions,)."""
    seed = 0
    while True:
        game = Game.from_rules(rules, seed)
        while not game.over:
            view = game.view()
            legal = view.legal_actions
            logits = policy(view.observation[None])[0][0, legal]
            if len(legal) > 1:
                yield logits
            game.play(int(legal[logits.argmax()]))
        seed += 1


def _entropy(logits: Float32Array) -> float:
    """Return the entropy of the probabilities as a share of the largest one, from 0 to 1."""
    probabilities = np.exp(logits - logits.max())
    probabilities /= probabilities.sum()
    return float(-(probabilities * np.log(np.maximum(probabilities, 1e-30))).sum() / np.log(len(logits)))
