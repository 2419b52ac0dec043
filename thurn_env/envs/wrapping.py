"""PettingZoo's usual wrappers around a game, extended by copying and saved positions."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from thurn_env.envs.aec import GameEnv
from thurn_env.envs.observations import Observation

ILLEGAL_REWARD = -1.0
"""Reward of an agent whose illegal action ends the game; the others get 0."""


class SavableWrapper(OrderEnforcingWrapper):  # type: ignore[misc]
    """The outermost wrapper: checks the order of calls, and copies and restores all wrappers with the game."""

    def clone(self) -> SavableWrapper:
        """Return an independent copy in the same position; equivalent to `copy.deepcopy`."""
        return copy.deepcopy(self)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation as new arrays: a wrapper below needs its own to detect illegal actions."""
        # It also needs a mask in `infos` that no caller has had or gets.
        self.unwrapped.renew_info()
        seen = super().observe(agent)
        self.unwrapped.renew_info()
        return seen.copy() if isinstance(seen, np.ndarray) else {name: array.copy() for name, array in seen.items()}

    def step(self, action: int | None) -> None:
        """Play an action; see `GameEnv.step`."""
        # Without an observation before, the wrapper below reads the mask in `infos` now.
        self.unwrapped.renew_info()
        super().step(action)

    def set_state(self, state: dict[str, Any]) -> None:
        """Restore a position of `get_state`; see `GameEnv.set_state`."""
        self.unwrapped.set_state(state)
        self._has_reset = self._has_updated = True
        # The wrapper below remembers the mask of the last observation.
        self.observe(self.agent_selection)

    def __str__(self) -> str:
        return str(self.env)


def wrapped(env: GameEnv) -> SavableWrapper:
    """Wrap a game as PettingZoo's classic environments are wrapped.

    An illegal action ends the game for all: its agent gets -1, the others 0. An action outside the action space raises
    `AssertionError`, calls in the wrong order raise errors.
    """
    return SavableWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)))
