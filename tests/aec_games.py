"""Games in the PettingZoo environment, and all that its agents are given in them."""

from __future__ import annotations

from typing import Any

import numpy as np


class Player:
    """Plays at random, but closes routes and keeps them, so that games come to an end."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        texts = env.unwrapped.rules.action_texts
        self._unwise = np.array([text.startswith(("start", "administrator", "end")) for text in texts])
        self._close = env.unwrapped.rules.action_indices["close"]
        self._generator = np.random.default_rng(seed)

    def act(self, mask: np.ndarray[Any, Any]) -> int:
        if mask[self._close]:
            return int(self._close)
        wise = np.flatnonzero(mask.astype(bool) & ~self._unwise)
        return int(self._generator.choice(wise if len(wise) else np.flatnonzero(mask)))


def play(env: Any, player: Player, decisions: int = 10**9) -> list[Any]:
    """Play on for some decisions or to the end; everything that the agents were given, in order."""
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        ended = terminated or truncated
        action = None if ended else player.act(info["action_mask"])
        seen.append(
            (
                agent,
                observation["observation"].tobytes(),
                observation["action_mask"].tobytes(),
                info["action_mask"].tobytes(),
                reward,
                terminated,
                truncated,
                action,
            )
        )
        env.step(action)
        if len(seen) >= decisions:
            break
    return seen
