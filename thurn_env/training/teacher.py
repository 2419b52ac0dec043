"""A scripted bot as teacher, which labels the positions that its pupil reaches.

The pupil plays half of the games and the teacher the other half, with the teacher in all other seats. The pupil's own
games contain positions after its mistakes, which are missing in records of good games (dataset aggregation, Ross,
Gordon and Bagnell, 2011).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.training.cloning import Cloning
from thurn_env.training.matches import games_of
from thurn_env.training.stagger import stagger

LANES, STEPS = 512, 64
"""Number of parallel games, and decisions per game in a lesson."""
GAMES, WHOSE, TEACHER, MOMENTS = 1, 2, 3, 4
"""Numbers of the seed streams."""


class Lesson(NamedTuple):
    """Decisions labelled by the teacher.

    Attributes:
        observations: float32 (N, O), observations of the pupil's seat.
        masks: int8 (N, A), legal actions.
        actions: int64 (N,), the teacher's actions.
        returns: float32 (N,), returns of finished games, or the pupil's value predictions for unfinished ones.
    """

    observations: Float32Array
    masks: Int8Array
    actions: Int64Array
    returns: Float32Array


class Lessons:
    """Games that continue from lesson to lesson.

    Args:
        rules: rules of the game.
        teacher: name of a scripted bot.
        seed: seed of the games, and of the choice of who plays which.

    Raises:
        AgentError: there is no such bot.
    """

    def __init__(self, rules: GameRules, teacher: str, seed: int) -> None:
        if teacher not in rules.bots:
            raise AgentError(f"the teacher must be one of {', '.join(rules.bots)}, not {teacher!r}")
        self.rules = rules
        self.games = games_of(rules, LANES, teacher)
        self.bot = rules.bots.index(teacher)
        self.games.reset(derived_seed(seed, GAMES) % (1 << 62))
        stagger(self.games, derived_seed(seed, MOMENTS))
        self._advice = seeded(seed, TEACHER)
        self._whose = np.random.default_rng(derived_seed(seed, WHOSE))
        self._pupils = self._whose.random(LANES) < 0.5

    def next(self, pupil: Cloning) -> Lesson:
        """Play `STEPS` decisions in every game and return the lesson."""
        rules, games = self.rules, self.games
        observations = np.zeros((STEPS, LANES, rules.observation_size), np.float32)
        masks = np.zeros((STEPS, LANES, rules.action_size), np.int8)
        actions = np.zeros((STEPS, LANES), np.int64)
        rewards, ended = np.zeros((STEPS, LANES)), np.zeros((STEPS, LANES), bool)
        for step in range(STEPS):
            observations[step], masks[step] = games.observations, games.masks
            actions[step] = rules.bot_actions(games.batch.lanes.states, self.bot, self._advice)
            own, _ = pupil.play(observations[step], masks[step])
            games.step(np.where(self._pupils, own, actions[step]))
            rewards[step], ended[step] = games.rewards, games.terminated | games.truncated
            self._pupils = np.where(ended[step], self._whose.random(LANES) < 0.5, self._pupils)
        _, expected = pupil.play(games.observations, games.masks)
        returns = returns_of(rewards, ended, expected)
        return Lesson(_flat(observations), _flat(masks), _flat(actions), _flat(returns))


def _flat(array: Any) -> Any:
    """Reshape (T, N, ...) to (T * N, ...)."""
    return array.reshape(-1, *array.shape[2:])


def returns_of(rewards: Any, ended: Any, expected: Any) -> Float32Array:
    """Return the return of every decision, float32 (T, N).

    Args:
        rewards: float (T, N), reward of the game that ended in the step.
        ended: bool (T, N), whether the game ended in the step.
        expected: float (N,), predicted returns of the games that continue after the last step.
    """
    returns = np.zeros(rewards.shape, np.float32)
    following = expected
    for step in reversed(range(len(rewards))):
        following = np.where(ended[step], rewards[step], following)
        returns[step] = following
    return returns
