"""An agent that looks one move ahead: `thurn watch --agents agents.one_move_ahead:OneMoveAhead greedy`."""

from __future__ import annotations

import numpy as np

from thurn_env import View
from thurn_env.games.contract import GameRules


class OneMoveAhead:
    """Plays the action after which its own score leads by most, and draws lots between equals.

    Copy this file to begin with an agent of your own. A view holds a copy of the game in which the hidden cards lie at
    random, so the agent may play on in it.
    """

    name = "one-move-ahead"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game; all randomness comes from the seed."""
        self.seat = seat
        self.random = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Try every legal action in a copy of the game."""
        actions = view.legal_actions
        leads = [self.lead_after(view, int(action)) for action in actions]
        return int(self.random.choice(actions[np.flatnonzero(np.array(leads) == max(leads))]))

    def lead_after(self, view: View, action: int) -> int:
        """Return how far the own score is ahead of the best other one after an action."""
        game = view.game.copy()
        game.play(action)
        scores = game.scores
        return scores.pop(self.seat) - max(scores)
