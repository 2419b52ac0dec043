"""A scripted bot as teacher: it says what it would do wherever its pupil gets to.

Half of the games are played by the pupil, half by the teacher, against the teacher in all other seats. The pupil's own
games show it the positions that its mistakes lead to, which records of good games do not have (dataset aggregation,
Ross, Gordon and Bagnell, 2011).
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
"""Games side by side, and decisions in every game between two rounds of learning."""
GAMES, WHOSE, TEACHER, MOMENTS = 1, 2, 3, 4
"""The purposes of seeds."""


class Lesson(NamedTuple):
    """Decisions of some games, with the teacher's advice.

    Attributes:
        observations: float32 (N, O), what the pupil or the teacher in its place knew.
        masks: int8 (N, A), the legal actions.
        actions: int64 (N,), what the teacher would play.
        returns: float32 (N,), what came out in the end, or what the pupil expects of a game that goes on.
    """

    observations: Float32Array
    masks: Int8Array
    actions: Int64Array
    returns: Float32Array


class Lessons:
    """Games that go on from lesson to lesson.

    Args:
        rules: the game.
        teacher: the name of a scripted bot.
        seed: of the games, and of who plays which.

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
        """Play `STEPS` decisions in every game."""
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
    """(T, N, ...) to (T * N, ...)."""
    return array.reshape(-1, *array.shape[2:])


def returns_of(rewards: Any, ended: Any, expected: Any) -> Float32Array:
    """What every decision led to, float32 (T, N).

    Args:
        rewards: float (T, N), what a finished game paid in the step in which it ended.
        ended: bool (T, N), whether the game ended in the step.
        expected: float (N,), what is expected of the games that go on after the last step.
    """
    returns = np.zeros(rewards.shape, np.float32)
    following = expected
    for step in reversed(range(len(rewards))):
        following = np.where(ended[step], rewards[step], following)
        returns[step] = following
    return returns
