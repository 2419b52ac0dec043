"""`ppo:PATH`: plays a policy that was learned, with NumPy alone."""

from __future__ import annotations

import numpy as np

from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.policy import Policy, policy_for
from thurn_env.table.game import View

__all__ = ["PolicyAgent"]


class PolicyAgent:
    """An agent that plays a policy of a file.

    Args:
        argument: what follows the colon of its spec: the path of a file, or the name of a published model; with
            `,sample` after it actions are drawn with the policy's probabilities, else the likeliest one is played.

    Raises:
        AgentError: an unknown option.
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
        self._policy = policy_for(rules, self.path)
        self._generator = np.random.default_rng(seed)

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """A new game; `AgentError` if the policy is for another one."""
        self._begin(rules, seed)

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        """Many new games."""
        self._begin(rules, seed)

    def act(self, view: View) -> int:
        """The policy's choice."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        """The policy's choice for every row."""
        assert self._policy is not None, "reset comes first"
        logits = np.where(masks != 0, self._policy(observations)[0], np.float32(-np.inf))
        choices: Int64Array
        if not self.samples:
            choices = logits.argmax(axis=1)
            return choices
        chances = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1, dtype=np.float64)
        marks = self._generator.random((len(chances), 1)) * chances[:, -1:]
        choices = (chances > marks).argmax(axis=1)
        return choices
