"""Teachers, scripted bots, policies or searches, that label the positions which their pupil reaches.

The pupil plays half of the games and the teacher the other half, with a scripted bot in all other seats: the teacher if
it is one, else the game's best; for search also with the policy that guides it. The pupil's own games contain positions
after its mistakes, which are missing in records of good games (dataset aggregation, Ross, Gordon and Bagnell, 2011). A
bot gives its action as the label. A policy gives the probabilities of all actions, from which a pupil learns more
(distillation, Rusu et al., 2016), and a search those that it has improved, see `thurn_env.training.search_teacher`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.envs.learner import LearnerBatch
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array, RewardMode
from thurn_env.players.policy import find, load, policy_to_play, published
from thurn_env.players.search_options import GuidedOptions
from thurn_env.training.cloning import Cloning
from thurn_env.training.matches import games_of
from thurn_env.training.search_teacher import SearchTeacher
from thurn_env.training.stagger import stagger

LANES, STEPS = 512, 64
"""Usual number of parallel games, and of decisions per game in a lesson."""
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
        lanes, steps: number of parallel games, and decisions per game in a lesson.
        opponents: names of the agents in the other seats, which take turns lesson by lesson.
        rival: name of the agent that the pupil plays against at the end.
    """

    lanes: int
    steps: int
    opponents: tuple[str, ...]
    rival: str

    def label(self, games: LearnerBatch) -> tuple[Int64Array, Float32Array | None]:
        """Return the actions for the positions of all games, int64 (N,), and probabilities, float32 (N, A), if any."""


class BotTeacher:
    """A scripted bot as teacher.

    Args:
        rules: rules of the game.
        name: name of the bot.
        seed: seed of its decisions.
    """

    lanes, steps = LANES, STEPS
    opponents: tuple[str, ...]

    def __init__(self, rules: GameRules, name: str, seed: int) -> None:
        self.opponents, self.rival = (name,), name
        self._rules, self._bot = rules, rules.bots.index(name)
        self._generator = seeded(seed, TEACHER)

    def label(self, games: LearnerBatch) -> tuple[Int64Array, None]:
        """Return the bot's actions, int64 (N,)."""
        return self._rules.bot_actions(games.batch.lanes.states, self._bot, self._generator), None


class PolicyTeacher:
    """A policy as teacher.

    Args:
        rules: rules of the game.
        path: path or name of the policy.
    """

    lanes, steps = LANES, STEPS
    opponents: tuple[str, ...]

    def __init__(self, rules: GameRules, path: str) -> None:
        self.opponents, self.rival = (rules.bots[-1],), f"ppo:{path}"
        self._policy = policy_to_play(rules, path)

    def label(self, games: LearnerBatch) -> tuple[Int64Array, Float32Array]:
        """Return the most probable actions, int64 (N,), and the probabilities of all actions, float32 (N, A)."""
        probabilities = self._policy.probabilities(games.observations, games.masks)
        return probabilities.argmax(axis=1), probabilities


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
        name: name of a scripted bot, `ppo:` and the path or name of a policy, or `ppo+mcts:` and a policy with the
            options of its search.
        seed: seed of its decisions.

    Raises:
        AgentError: there is no such teacher, its policy is for another game, or an option of its search is invalid.
    """
    kind, _, path = name.partition(":")
    if kind == "ppo" and path:
        return PolicyTeacher(rules, path)
    if kind == GuidedOptions.agent and path:
        return SearchTeacher(rules, path, derived_seed(seed, TEACHER))
    if name in rules.bots:
        return BotTeacher(rules, name, seed)
    raise AgentError(
        "the teacher must be published, ppo: and a policy, ppo+mcts: and a policy with a number of iterations, or one "
        f"of {', '.join(rules.bots)}, not {name!r}"
    )


class Lessons:
    """Games that continue from lesson to lesson.

    Args:
        rules: rules of the game.
        teacher: name of the teacher, see `make_teacher`.
        seed: seed of the games, and of the choice of who plays which.
        reward: reward mode of the returns.

    Raises:
        AgentError: there is no such teacher, or its policy is for another game.
    """

    def __init__(self, rules: GameRules, teacher: str, seed: int, reward: RewardMode = "win") -> None:
        self.rules, self.teacher = rules, make_teacher(rules, teacher, seed)
        lanes = self.teacher.lanes
        self.games = [games_of(rules, lanes, opponent, reward=reward) for opponent in self.teacher.opponents]
        for number, games in enumerate(self.games):
            games.reset(derived_seed(seed + number, GAMES) % (1 << 62))
            stagger(games, derived_seed(seed + number, MOMENTS))
        self._whose = np.random.default_rng(derived_seed(seed, WHOSE))
        self._pupils = [self._whose.random(self.teacher.lanes) < 0.5 for _ in self.games]
        self._given = 0

    @property
    def size(self) -> int:
        """Number of decisions in a lesson."""
        return self.teacher.lanes * self.teacher.steps

    def next(self, pupil: Cloning) -> Lesson:
        """Play the lesson's decisions in every game and return the lesson."""
        rules, shape = self.rules, (self.teacher.steps, self.teacher.lanes)
        place = self._given % len(self.games)
        games, pupils = self.games[place], self._pupils[place]
        observations = np.zeros((*shape, rules.observation_size), np.float32)
        masks = np.zeros((*shape, rules.action_size), np.int8)
        actions = np.zeros(shape, np.int64)
        rewards, ended = np.zeros(shape), np.zeros(shape, bool)
        probabilities = []
        for step in range(self.teacher.steps):
            observations[step], masks[step] = games.observations, games.masks
            actions[step], likely = self.teacher.label(games)
            if likely is not None:
                probabilities.append(likely)
            own, _ = pupil.play(observations[step], masks[step])
            games.step(np.where(pupils, own, actions[step]))
            rewards[step], ended[step] = games.rewards, games.terminated | games.truncated
            pupils = np.where(ended[step], self._whose.random(shape[1]) < 0.5, pupils)
        self._pupils[place] = pupils
        self._given += 1
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
