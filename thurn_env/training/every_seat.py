"""Games in which the learner plays every seat, the views of all seats, and advantages of all decisions.

Stable-Baselines3 expects one decision per environment and step. A lane of these games keeps to that: each step is one
decision, of whichever seat is to move. So the shape of a rollout stays (steps, lanes), such games share a rollout with
games against other opponents, and only the advantages need code of our own: a decision is followed by the next one of
the same seat, which lies a few steps later in the lane, and its rewards are those of its seat until then.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer

from thurn_env.engine.lanes import LEARNER, BoolArray
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.games.contract import Float32Array, Int8Array
from thurn_env.table.batch import Batch


class EverySeatVecEnv(LearnerVecEnv):
    """N games in which the learner plays every seat; observations and masks are those of the seat to move.

    Statistics of an ended game are those of one seat, which changes from game to game.
    """

    def __init__(self, num_envs: int, **arguments: Any) -> None:
        super().__init__(num_envs, **arguments)
        self.learner.batch.seat_opponents([LEARNER] * (self.rules.players - 1), None)


def views_of_others(batch: Batch) -> Float32Array:
    """Return the views of the seats that are not to move, clockwise: float32 (N, (P - 1) * O)."""
    rules, lanes, movers = batch.rules, np.arange(batch.size), batch.seats.astype(np.int64)
    views = [
        rules.observe_lanes(batch.lanes.states, lanes, (movers + step) % rules.players)
        for step in range(1, rules.players)
    ]
    joined: Float32Array = np.concatenate(views, axis=1)
    return joined


def advantages_of_seats(
    values: Float32Array,
    rewards: Float32Array,
    seats: Int8Array,
    ended: BoolArray,
    last_values: Float32Array,
    last_seats: Int8Array,
    discount: float,
    trace: float,
) -> Float32Array:
    """Return the advantages of all decisions, float32 (T, N): generalised advantage estimation for every seat.

    A seat that is not to move when the rollout ends has no next decision with a known value. Its estimate is cut off
    at its last decision, whose advantage is 0.

    Args:
        values: value estimate of every decision, float32 (T, N).
        rewards: rewards of all seats in every step, float32 (T, N, P).
        seats: seat of every decision, int8 (T, N).
        ended: whether the game ended in the step, bool (T, N).
        last_values: value estimate of the decision after the rollout, float32 (N,).
        last_seats: seat of that decision, int8 (N,).
        discount: discount factor from one decision of a seat to its next one.
        trace: lambda.
    """
    lanes = np.arange(values.shape[1])
    following, ahead, pending = (np.zeros(rewards.shape[1:], np.float32) for _ in range(3))
    known = np.zeros(rewards.shape[1:], bool)
    following[lanes, last_seats], known[lanes, last_seats] = last_values, True
    advantages = np.zeros_like(values)
    for step in reversed(range(len(values))):
        # Nothing follows the end of a game, and that is known for all seats.
        for array in (following, ahead, pending):
            array[ended[step]] = 0
        known[ended[step]] = True
        pending += rewards[step]
        mover = lanes, seats[step]
        advantage = pending[mover] + discount * (following[mover] + trace * ahead[mover]) - values[step]
        advantages[step] = np.where(known[mover], advantage, 0)
        following[mover], ahead[mover], pending[mover], known[mover] = values[step], advantages[step], 0, True
    return advantages


class SeatBuffer(MaskableDictRolloutBuffer):
    """A rollout whose decisions come from several seats; observations have the key `seat`.

    Args:
        arguments, keywords: those of `MaskableDictRolloutBuffer`.
        players: number of seats.
    """

    rewards: Float32Array

    def __init__(self, *arguments: Any, players: int, **keywords: Any) -> None:
        self.players = players
        super().__init__(*arguments, **keywords)

    def reset(self) -> None:
        """Empty the buffer; it takes rewards of all seats, (lanes, players) per step."""
        super().reset()
        self.rewards = np.zeros((self.buffer_size, self.n_envs, self.players), np.float32)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Keep what the library knows at the end of a rollout until `complete` adds the seats to move."""
        self._end = last_values.clone().cpu().numpy().flatten(), np.asarray(dones, bool)

    def complete(self, last_seats: Int8Array) -> None:
        """Compute advantages and returns.

        Args:
            last_seats: seat to move in every lane after the rollout, int8 (lanes,).
        """
        last_values, dones = self._end
        self.advantages = advantages_of_seats(
            self.values,
            self.rewards,
            self.observations["seat"][:, :, 0],
            np.concatenate([self.episode_starts[1:] != 0, dones[None]]),
            last_values,
            last_seats,
            self.gamma,
            self.gae_lambda,
        )
        self.returns = self.advantages + self.values
