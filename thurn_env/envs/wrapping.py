"""The usual PettingZoo wrappers around a game, with copies and saved positions that hold through them."""

from __future__ import annotations

import copy
from typing import Any

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from thurn_env.envs.aec import GameEnv, Observation

ILLEGAL_REWARD = -1.0
"""What an agent gets whose illegal action ends the game; the others get 0."""


class SavableWrapper(OrderEnforcingWrapper):  # type: ignore[misc]
    """The outermost wrapper: checks the order of calls, and copies and restores all wrappers with the game."""

    def clone(self) -> SavableWrapper:
        """An independent copy in exactly the same position; the same as `copy.deepcopy`."""
        return copy.deepcopy(self)

    def observe(self, agent: str) -> Observation:
        """What an agent may know, as new arrays: a wrapper below keeps its own, to tell illegal actions by the mask."""
        return {name: array.copy() for name, array in super().observe(agent).items()}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go to a position of `get_state`; see `GameEnv.set_state`."""
        self.unwrapped.set_state(state)
        self._has_reset = self._has_updated = True
        # The wrapper below remembers the mask of the last observation.
        self.observe(self.agent_selection)

    def __str__(self) -> str:
        return str(self.env)


def wrapped(env: GameEnv) -> SavableWrapper:
    """The game in the wrappers of PettingZoo's classic environments.

    An illegal action ends the game for all: its agent gets -1, the others 0. An action outside the action space is
    an `AssertionError`, calls in the wrong order are errors.
    """
    return SavableWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)))
