"""What an environment does after a failure inside a step: it refuses everything but `reset`, and shows nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.guests import last
from thurn_env import AgentError, IllegalAction, ThurnError, thurn_und_taxis_v0, zug_um_zug_deutschland_v0
from thurn_env.envs.learner import LearnerBatch
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import GameRules
from thurn_env.table.game import View

REFUSED = r"the last step failed in the middle: call reset\(\)"
BOARDS = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}


class Trouble(Exception):
    pass


def raises() -> Any:
    raise Trouble


def interrupted() -> Any:
    raise KeyboardInterrupt


FAILURES: dict[str, tuple[Callable[[], Any], type[BaseException]]] = {
    "raises": (raises, Trouble),
    "interrupted": (interrupted, KeyboardInterrupt),
    "illegal action": (lambda: 10**6, AgentError),
    "no action": (lambda: "none at all", AgentError),
}


class Failing:
    """Plays the last legal action, and fails in the decision number `at`; for one game and for many."""

    name = "failing"

    def __init__(self, answer: Callable[[], Any], at: int) -> None:
        self.answer = answer
        self.left = at

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        pass

    def act(self, view: View) -> Any:
        self.left -= 1
        return self.answer() if self.left == 0 else int(view.legal_actions[-1])


class FailingBatch(Failing):
    def act_batch(self, observations: Any, masks: Any) -> Any:
        self.left -= 1
        answer = self.answer() if self.left == 0 else None
        return last(masks) if answer is None else np.array([answer] * len(masks))


class Single:
    """The Gymnasium environment with the calls of this test."""

    agent: type[Failing] = Failing

    def __init__(self, opponent: Any, **arguments: Any) -> None:
        self.env = LearnerEnv(opponents=[opponent, "random"], **arguments)
        self.learner: LearnerBatch = self.env._learner

    def reset(self) -> Any:
        return self.env.reset()[0]

    def step(self, actions: Any) -> Any:
        observation, _, terminated, truncated, _ = self.env.step(actions[0])
        return self.env.reset()[0] if terminated or truncated else observation

    def masks(self) -> Any:
        return self.env.action_masks()[None]

    def views(self) -> list[Callable[[], Any]]:
        return [self.env.view, lambda: self.env.game]


class Many(Single):
    """The vector environment."""

    agent = FailingBatch

    def __init__(self, opponent: Any, **arguments: Any) -> None:
        self.envs = LearnerVectorEnv(3, opponents=[opponent, "random"], **arguments)
        self.learner = self.envs.learner

    def reset(self) -> Any:
        return self.envs.reset()[0]

    def step(self, actions: Any) -> Any:
        return self.envs.step(actions)[0]

    def masks(self) -> Any:
        return self.envs.action_masks()

    def views(self) -> list[Callable[[], Any]]:
        return [lambda: self.envs.view(0), lambda: self.learner.batch.game(1)]


class Baselines(Single):
    """The environment for Stable-Baselines3."""

    agent = FailingBatch

    def __init__(self, opponent: Any, **arguments: Any) -> None:
        self.vec = LearnerVecEnv(3, opponents=[opponent, "random"], **arguments)
        self.learner = self.vec.learner

    def reset(self) -> Any:
        return self.vec.reset()

    def step(self, actions: Any) -> Any:
        return self.vec.step(actions)[0]

    def masks(self) -> Any:
        return self.vec.action_masks()

    def views(self) -> list[Callable[[], Any]]:
        return [lambda: self.learner.batch.view(2)]


def play_on(env: Single) -> None:
    while True:
        env.step(last(env.masks()))


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("face", [Single, Many, Baselines])
def test_after_a_failing_opponent_only_reset_is_allowed(face: type[Single], failure: str, game: str) -> None:
    """The learner is never handed the opponent's decision, and the games that follow are those of the seed."""
    answer, error = FAILURES[failure]
    arguments = {"game": game, "board": BOARDS[game], "players": 3, "max_rounds": 12}
    env = face(face.agent(answer, 10), **arguments)
    twin = face(face.agent(lambda: None, -1), **arguments)
    for one in (env, twin):
        one.learner.reset(5)
    with pytest.raises(error):
        play_on(env)
    resets = env.learner.batch.lanes.memory["resets"].copy()
    assert not env.masks().any()
    for array in (env.learner.observations, env.learner.rewards, env.learner.terminated, env.learner.truncated):
        assert not array.any()
    for refused in (lambda: env.step(np.zeros(len(env.masks()), np.int64)), *env.views()):
        with pytest.raises(ThurnError, match=REFUSED):
            refused()
    with pytest.raises(ThurnError, match="the next reset must begin a game in every lane"):
        env.learner.batch.reset(lanes=[])
    first = env.reset()
    assert np.array_equal(env.learner.batch.lanes.memory["resets"], resets + 1)
    while not np.array_equal(twin.learner.batch.lanes.memory["resets"], resets):
        twin.step(last(twin.masks()))
    assert np.array_equal(first, twin.reset())
    for _ in range(5):
        assert np.array_equal(env.step(last(env.masks())), twin.step(last(twin.masks())))


@pytest.mark.parametrize("method", ["reset", "reset_batch"])
def test_an_opponent_that_fails_in_reset(method: str) -> None:
    agent = FailingBatch(lambda: None, -1) if method == "reset_batch" else Failing(lambda: None, -1)
    setattr(agent, method, lambda *_: raises())
    env = LearnerEnv(board="tiny", opponents=agent, learner_seat=1)
    with pytest.raises(Trouble):
        env.reset(seed=1)
    with pytest.raises(ThurnError, match=REFUSED):
        env.step(0)
    setattr(agent, method, lambda *_: None)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()


@pytest.mark.parametrize("game", BOARDS)
def test_a_picture_that_fails_ends_the_game_of_the_single_environment(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = LearnerEnv(game, board=BOARDS[game], opponents="random", render_mode="human")
    monkeypatch.setattr(env, "render", lambda: None)
    _, info = env.reset(seed=1)
    monkeypatch.setattr(env, "render", raises)
    with pytest.raises(Trouble):
        env.step(info["action_mask"].argmax())
    with pytest.raises(ThurnError, match=REFUSED):
        env.step(info["action_mask"].argmax())
    with pytest.raises(Trouble):
        env.reset()
    with pytest.raises(ThurnError, match=REFUSED):
        env.step(info["action_mask"].argmax())


@pytest.mark.parametrize("version", [thurn_und_taxis_v0, zug_um_zug_deutschland_v0])
@pytest.mark.parametrize("make", ["raw_env", "env"])
def test_a_picture_that_fails_ends_the_game_of_the_pettingzoo_environment(
    version: Any, make: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = getattr(version, make)(board=BOARDS[version.__name__.rpartition(".")[2][:-3]], render_mode="human")
    game = env.unwrapped
    monkeypatch.setattr(game, "render", lambda: None)
    env.reset(seed=1)
    action = int(game.observe(env.agent_selection)["action_mask"].argmax())
    monkeypatch.setattr(game, "render", raises)
    with pytest.raises(Trouble):
        env.step(action)
    assert env.agents == []
    with pytest.raises(IllegalAction, match=r"call reset\(\)"):
        game.step(action)
    for refused in (game.state, game.view, lambda: game.observe("player_0")):
        with pytest.raises(ThurnError, match=r"call reset\(\)"):
            refused()
    monkeypatch.setattr(game, "render", lambda: None)
    env.reset()
    assert env.agents == env.possible_agents
    assert game.get_state()["resets"] == 1


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("shaping", [1.0, -0.25])
def test_shaping_changes_no_return_where_an_illegal_action_ends_the_game(game: str, shaping: float) -> None:
    """The potential counts as 0 at every end: quitting costs 1, whatever was paid on the way."""
    paid = 0
    env = LearnerEnv(game, board=BOARDS[game], opponents="random", shaping=shaping)
    envs = LearnerVectorEnv(1, game, board=BOARDS[game], opponents="random", shaping=shaping)
    vec = LearnerVecEnv(1, game, board=BOARDS[game], opponents="random", shaping=shaping)
    for seed in range(5, 12):
        generator = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        envs.reset(seed=seed)
        vec.seed(seed)
        vec.reset()
        totals, over = np.zeros(3), False
        for step in range(26):
            legal = np.flatnonzero(info["action_mask"])
            action = int(generator.choice(legal)) if step < 25 else -1
            _, single, terminated, truncated, info = env.step(action)
            many, baselines = envs.step(np.array([action]))[1][0], vec.step(np.array([action]))[1][0]
            totals += [single, many, baselines]
            over = terminated or truncated
            paid += step < 25 and totals[0] != 0
            if over:
                break
        if step == 25:
            assert totals == pytest.approx([-1.0] * 3, abs=1e-6)
            assert info["return"] == pytest.approx(-1.0)
    assert paid


@pytest.mark.parametrize("version", [thurn_und_taxis_v0, zug_um_zug_deutschland_v0])
def test_shaping_changes_no_return_where_the_wrapper_ends_the_game(version: Any) -> None:
    env = version.env(board=BOARDS[version.__name__.rpartition(".")[2][:-3]], players=3, shaping=0.5)
    paid = 0.0
    for seed in range(4):
        env.reset(seed=seed)
        totals, generator, quitter = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(seed), ""
        for step, agent in enumerate(env.agent_iter()):
            _, gain, terminated, truncated, info = env.last()
            totals[agent] += gain
            if terminated or truncated:
                env.step(None)
                continue
            legal = info["action_mask"]
            if step == 60:
                quitter, action = agent, int(np.flatnonzero(legal == 0)[0])
            else:
                action = int(generator.choice(np.flatnonzero(legal)))
                paid += abs(gain)
            env.step(action)
        if quitter:
            assert totals == pytest.approx({agent: -1.0 * (agent == quitter) for agent in totals})
    assert paid
