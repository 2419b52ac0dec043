"""Random choices for many games at once, for tests: legal ones that bring games to an end."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.contract import GameRules, Int8Array, Int64Array


class Chooser:
    """Plays at random, but closes routes when it can and seldom throws them away.

    Purely random play would reach the end of a game only after hundreds of rounds.
    """

    def __init__(self, rules: GameRules, seed: int = 0) -> None:
        self._bias = np.ones(rules.action_size)
        self._bias[[text.startswith(("start", "administrator", "end")) for text in rules.action_texts]] = 0.01
        self._bias[rules.action_indices["close"]] = 2.0
        self._generator = np.random.default_rng(seed)

    def __call__(self, masks: Int8Array | np.ndarray[Any, np.dtype[np.bool_]]) -> Int64Array:
        """An action for every row of masks; 0 where nothing is legal."""
        actions: Int64Array = (masks * (self._bias + self._generator.random(masks.shape))).argmax(axis=1)
        return actions

    def one(self, mask: Int8Array | np.ndarray[Any, np.dtype[np.bool_]]) -> int:
        """An action for a single mask."""
        return int(self(mask[None])[0])
