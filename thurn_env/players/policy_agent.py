"""`ppo:PATH`: an agent that plays a learned policy, with NumPy only."""

from __future__ import annotations

import numpy as np

from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.agent import check_asked
from thurn_env.players.policy import Policy, policy_to_play
from thurn_env.table.game import View

__all__ = ["PolicyAgent"]


class PolicyAgent:
    """An agent that plays the policy in a file.

    Args:
        argument: part of the spec after the colon: the path of a file or the name of a published model. With `,sample`
            after it, actions are drawn from the policy's distribution; otherwise the most probable action is played.

    Raises:
        AgentError: an option is unknown.
    """

    def __init__(self, argument: str = "") -> None:
        self.path, _, option = argument.partition(",")
        if not self.path:
            raise AgentError("ppo needs a model: ppo:PATH, the path of a file or the name of a published model")
        if option not in ("", "sample"):
            raise AgentError(f"ppo has no option {option!r}; it has sample")
        self.samples = option == "sample"
        self.name = f"ppo:{argument}"
        self._policy: Policy | None = None

    def _begin(self, rules: GameRules, seed: int) -> None:
        self._policy = policy_to_play(rules, self.path)
        self._generator = np.random.default_rng(seed)

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game; raise `AgentError` if the policy is for another game."""
        self._begin(rules, seed)

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        """Begin a batch of new games."""
        self._begin(rules, seed)

    def act(self, view: View) -> int:
        """Return the policy's action."""
        check_asked(self.name, self._policy is not None, view)
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        """Return actions, int64 (rows,), for observations, float32 (rows, O), and masks, int8 (rows, A)."""
        check_asked(self.name, self._policy is not None)
        assert self._policy is not None
        logits = np.where(masks != 0, self._policy(observations)[0], np.float32(-np.inf))
        choices: Int64Array
        if not self.samples:
            choices = logits.argmax(axis=1)
            return choices
        cumulative = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1, dtype=np.float64)
        marks = self._generator.random((len(cumulative), 1)) * cumulative[:, -1:]
        choices = (cumulative > marks).argmax(axis=1)
        return choices
