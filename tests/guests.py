"""An agent for many games at once that is as simple as can be, for tests."""

from __future__ import annotations

from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array


def last(masks: Int8Array) -> Int64Array:
    """The last legal action of every row."""
    actions: Int64Array = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return actions


class Last:
    """A guest who plays the last legal action, and remembers what it was asked."""

    def __init__(self, name: str = "last") -> None:
        self.name = name
        self.calls: list[tuple[Float32Array, Int8Array]] = []
        self.seeds: list[int] = []

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        self.seeds.append(seed)

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        self.calls.append((observations, masks))
        return last(masks)
