"""Teachers, scripted bots or policies, that label the positions which their pupil reaches.

The pupil plays half of the games and the teacher the other half, with a scripted bot in all other seats: the teacher if
it is one, else the game's best. The pupil's own games contain positions after its mistakes, which are missing in
records of good games (dataset aggregation, Ross, Gordon and Bagnell, 2011). A bot gives its action as the label. A
policy gives the probabilities of all actions, from which a pupil learns more (distillation, Rusu et al., 2016).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.envs.learner import LearnerBatch
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.players.policy import Policy, find, load, policy_to_play, published
from thurn_env.training.cloning import Cloning
from thurn_env.training.matches import games_of
from thurn_env.training.stagger import stagger

LANES, STEPS = 512, 64
"""Number of parallel games, and decisions per game in a lesson."""
GAMES, WHOSE, TEACHER, MOMENTS = 1, 2, 3, 4
"""Numbers of the seed streams."""
PUBLISHED = "published"
"""Name of the teacher that is the published policy for a game, or the best bot if there is none."""


class Lesson(NamedTuple):
    """Decisions labelled by the teacher.

    Attributes:
        observations: float32 (N, O), observations of the pupil's seat.
        masks: int8 (N, A), legal actions.
        actions: int64 (N,), the teacher's actions.
        returns: float32 (N,), returns of finished games, or the pupil's value predictions for unfinished ones.
        probabilities: float32 (N, A), the teacher's probabilities of all actions; None if it is a scripted bot.
    """

    observations: Float32Array
    masks: Int8Array
    actions: Int64Array
    returns: Float32Array
    probabilities: Float32Array | None


class Teacher(Protocol):
    """Protocol of teachers.

    Attributes:
        opponent: name of the scripted bot in the other seats.
    """

    opponent: str

    def label(self, games: LearnerBatch) -> tuple[Int64Array, Float32Array | None]:
        """Return the actions for the positions of all games, int64 (N,), and probabilities, float32 (N, A), if any."""


class BotTeacher:
    """A scripted bot as teacher.

    Args:
        rules: rules of the game.
        name: name of the bot.
        seed: seed of its decisions.
    """

    def __init__(self, rules: GameRules, name: str, seed: int) -> None:
        self.opponent = name
        self._rules, self._bot = rules, rules.bots.index(name)
        self._generator = seeded(seed, TEACHER)

    def label(self, games: LearnerBatch) -> tuple[Int64Array, None]:
        """Return the bot's actions, int64 (N,)."""
        return self._rules.bot_actions(games.batch.lanes.states, self._bot, self._generator), None


class PolicyTeacher:
    """A policy as teacher.

    Args:
        policy: the policy.
        opponent: name of the scripted bot in the other seats.
    """

    def __init__(self, policy: Policy, opponent: str) -> None:
        self.opponent, self._policy = opponent, policy

    def label(self, games: LearnerBatch) -> tuple[Int64Array, Float32Array]:
        """Return the most probable actions, int64 (N,), and the probabilities of all actions, float32 (N, A)."""
        logits = np.where(games.masks != 0, self._policy(games.observations)[0], np.float32(-np.inf))
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return logits.argmax(axis=1), weights / weights.sum(axis=1, keepdims=True)


def resolved(rules: GameRules, name: str, before: str | None = None) -> str:
    """Return the name of a teacher, in which `published` is replaced by what it stands for in this game.

    Args:
        rules: rules of the game.
        name: the teacher's name.
        before: the teacher that a run to continue notes. For it, `published` goes on to stand for that teacher, even if
            another policy was published since.
    """
    if name != PUBLISHED:
        return name
    fitting = [f"ppo:{model}" for model in published() if not load(find(model)).fits(rules)]
    if before in (*fitting, rules.bots[-1]):
        return before
    return fitting[0] if fitting else rules.bots[-1]


def make_teacher(rules: GameRules, name: str, seed: int) -> Teacher:
    """Return the teacher of this name.

    Args:
        rules: rules of the game.
        name: name of a scripted bot, or `ppo:` and the path or name of a policy.
        seed: seed of its decisions.

    Raises:
        AgentError: there is no such teacher, or its policy is for another game.
    """
    kind, _, path = name.partition(":")
    if kind == "ppo" and path:
        return PolicyTeacher(policy_to_play(rules, path), rules.bots[-1])
    if name in rules.bots:
        return BotTeacher(rules, name, seed)
    raise AgentError(
        f"the teacher must be published, ppo: and a policy, or one of {', '.join(rules.bots)}, not {name!r}"
    )


class Lessons:
    """Games that continue from lesson to lesson.

    Args:
        rules: rules of the game.
        teacher: name of the teacher, see `make_teacher`.
        seed: seed of the games, and of the choice of who plays which.

    Raises:
        AgentError: there is no such teacher, or its policy is for another game.
    """

    def __init__(self, rules: GameRules, teacher: str, seed: int) -> None:
        self.rules, self.teacher = rules, make_teacher(rules, teacher, seed)
        self.games = games_of(rules, LANES, self.teacher.opponent)
        self.games.reset(derived_seed(seed, GAMES) % (1 << 62))
        stagger(self.games, derived_seed(seed, MOMENTS))
        self._whose = np.random.default_rng(derived_seed(seed, WHOSE))
        self._pupils = self._whose.random(LANES) < 0.5

    def next(self, pupil: Cloning) -> Lesson:
        """Play `STEPS` decisions in every game and return the lesson."""
        rules, games = self.rules, self.games
        observations = np.zeros((STEPS, LANES, rules.observation_size), np.float32)
        masks = np.zeros((STEPS, LANES, rules.action_size), np.int8)
        actions = np.zeros((STEPS, LANES), np.int64)
        rewards, ended = np.zeros((STEPS, LANES)), np.zeros((STEPS, LANES), bool)
        probabilities = []
        for step in range(STEPS):
            observations[step], masks[step] = games.observations, games.masks
            actions[step], likely = self.teacher.label(games)
            if likely is not None:
                probabilities.append(likely)
            own, _ = pupil.play(observations[step], masks[step])
            games.step(np.where(self._pupils, own, actions[step]))
            rewards[step], ended[step] = games.rewards, games.terminated | games.truncated
            self._pupils = np.where(ended[step], self._whose.random(LANES) < 0.5, self._pupils)
        _, expected = pupil.play(games.observations, games.masks)
        returns = returns_of(rewards, ended, expected)
        whole = np.concatenate(probabilities) if probabilities else None
        return Lesson(_flat(observations), _flat(masks), _flat(actions), _flat(returns), whole)


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
