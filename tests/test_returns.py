"""The sum of the learner's rewards over an episode is its seat's return, through every face of the game.

The return is worked out from the final table by the rules alone. Shaping changes when rewards come, never their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.choices import Chooser
from thurn_env import thurn_und_taxis_v0
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import REWARD_MODES, GameRules, RewardMode

Episode = tuple[float, float, bool]
"""The sum of the rewards, the return of the final table, and whether the game was cut off."""
EPISODES = 8


def expected(rules: GameRules, states: Any, index: int, seat: int, mode: str) -> float:
    assert rules.over(states, index)
    return float(rules.rewards(states, index, REWARD_MODES.index(mode))[seat])


def aec(reward: RewardMode, **arguments: Any) -> Iterator[Episode]:
    """Every agent of the PettingZoo environment in turn is the learner."""
    arguments.pop("opponents")
    env = thurn_und_taxis_v0.env(reward=reward, **arguments)
    choose, seed = Chooser(env.unwrapped.rules), 3
    for episode in range(EPISODES):
        learner = env.possible_agents[episode % len(env.possible_agents)]
        env.reset(seed=seed if episode == 0 else None)
        total = 0.0
        for agent in env.agent_iter():
            _, gain, terminated, truncated, info = env.last()
            total += gain if agent == learner else 0
            env.step(None if terminated or truncated else choose.one(info["action_mask"]))
        game = env.unwrapped.game
        seat = env.possible_agents.index(learner)
        yield total, expected(game.rules, game.states, 0, seat, reward), game.truncated


def single(reward: RewardMode, **arguments: Any) -> Iterator[Episode]:
    env = LearnerEnv(reward=reward, **arguments)
    choose = Chooser(env.rules)
    for episode in range(EPISODES):
        _, info = env.reset(seed=3 if episode == 0 else None)
        seat, total, ended = info["seat"], 0.0, False
        while not ended:
            _, gain, terminated, truncated, info = env.step(choose.one(info["action_mask"]))
            total += gain
            ended = terminated or truncated
        assert info["return"] == pytest.approx(total)
        game = env.game
        assert game.truncated == truncated
        yield total, expected(env.rules, game.states, 0, seat, reward), game.truncated


def vector(reward: RewardMode, **arguments: Any) -> Iterator[Episode]:
    env = LearnerVectorEnv(4, reward=reward, **arguments)
    choose, totals, episodes = Chooser(env.rules), np.zeros(4), 0
    _, infos = env.reset(seed=3)
    while episodes < EPISODES:
        _, gains, terminated, truncated, infos = env.step(choose(infos["action_mask"]))
        totals += gains
        for lane in np.flatnonzero(terminated | truncated):
            seat, figures = infos["final_info"]["seat"][lane], infos["final_info"]
            assert figures["return"][lane] == pytest.approx(totals[lane])
            final = env.learner.batch.lanes.final_states
            yield totals[lane], expected(env.rules, final, lane, seat, reward), truncated[lane]
            totals[lane] = 0
            episodes += 1


def stable_baselines(reward: RewardMode, **arguments: Any) -> Iterator[Episode]:
    sb3 = pytest.importorskip("thurn_env.envs.sb3")
    env = sb3.LearnerVecEnv(4, reward=reward, seed=3, **arguments)
    choose, totals, episodes = Chooser(env.rules), np.zeros(4), 0
    env.reset()
    while episodes < EPISODES:
        _, gains, dones, infos = env.step(choose(env.action_masks()))
        assert gains.dtype == np.float32
        totals += gains
        for lane in np.flatnonzero(dones):
            info = infos[lane]
            assert info["episode"]["r"] == pytest.approx(totals[lane], abs=1e-6)
            final = env.learner.batch.lanes.final_states
            yield totals[lane], expected(env.rules, final, lane, info["seat"], reward), info["truncated"]
            totals[lane] = 0
            episodes += 1


FACES: dict[str, Callable[..., Iterator[Episode]]] = {
    "aec": aec,
    "single": single,
    "vector": vector,
    "stable-baselines": stable_baselines,
}


def check(face: str, reward: RewardMode, **arguments: Any) -> list[bool]:
    """Whether games were cut off; at least some of the returns are not 0."""
    episodes = list(FACES[face](reward, **arguments))
    assert len(episodes) >= EPISODES
    for total, wanted, _ in episodes:
        assert total == pytest.approx(wanted, abs=1e-6)
    assert any(wanted for _, wanted, _ in episodes)
    return [truncated for *_, truncated in episodes]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARD_MODES)
@pytest.mark.parametrize("shaping", [0.0, 0.7])
def test_games_played_out(face: str, players: int, reward: RewardMode, shaping: float) -> None:
    opponents = ["sensible-random", "greedy", "heuristic"][: players - 1]
    cut = check(face, reward, players=players, board="tiny", opponents=opponents, shaping=shaping)
    assert not any(cut)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARD_MODES)
@pytest.mark.parametrize("shaping", [0.0, -1.5])
def test_games_cut_off(face: str, players: int, reward: RewardMode, shaping: float) -> None:
    """After four rounds, when some have closed a route and some have not; forced decisions asked."""
    cut = check(
        face,
        reward,
        players=players,
        board="tiny",
        opponents="sensible-random",
        shaping=shaping,
        max_rounds=4,
        skip_forced=False,
    )
    assert all(cut)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("max_rounds", [8, 200])
def test_the_published_board(face: str, max_rounds: int) -> None:
    cut = check(
        face,
        "margin",
        players=3,
        board="south",
        opponents="heuristic",
        shaping=0.4,
        max_rounds=max_rounds,
    )
    assert all(cut) if max_rounds == 8 else not any(cut)


class LastOfAll:
    """A guest, whose moves are played in calls of their own between the learner's."""

    name = "last"

    def act_batch(self, observations: Any, masks: Any) -> Any:
        return np.array([row.nonzero()[0][-1] for row in masks])


@pytest.mark.parametrize("face", ["single", "vector", "stable-baselines"])
@pytest.mark.parametrize("shaping", [0.0, 0.7])
@pytest.mark.parametrize("max_rounds", [6, 200])
def test_opponents_who_act_from_outside(face: str, shaping: float, max_rounds: int) -> None:
    for opponents in (LastOfAll(), [LastOfAll(), "heuristic"]):
        check(face, "margin", players=3, board="tiny", opponents=opponents, shaping=shaping, max_rounds=max_rounds)


EARLY: dict[str, Any] = {
    **{"game": "zug_um_zug_deutschland", "players": 2, "board": "tiny_rails"},
    **{"opponents": LastOfAll(), "shaping": 1.0},
}
"""A game in which margins change before the learner's first decision: tickets that are kept cost points at first."""


def test_shaping_for_moves_before_the_first_decision_comes_with_it() -> None:
    env, random = LearnerEnv(**EARLY), np.random.default_rng(1)
    for seed in range(30):
        _, info = env.reset(seed=seed)
        total, ended = 0.0, False
        while not ended:
            _, gain, terminated, truncated, info = env.step(random.choice(info["action_mask"].nonzero()[0]))
            total += gain
            ended = terminated or truncated
        assert total == pytest.approx(info["return"])


@pytest.mark.parametrize("mode", AutoresetMode)
def test_shaping_before_the_first_decision_in_many_games(mode: AutoresetMode) -> None:
    env, random = LearnerVectorEnv(8, autoreset_mode=mode, **EARLY), np.random.default_rng(1)
    totals, games = np.zeros(8), 0
    _, infos = env.reset(seed=3)
    while games < 60:
        masks = infos["action_mask"]
        _, gains, terminated, truncated, infos = env.step((random.random(masks.shape) * masks).argmax(axis=1))
        totals += gains
        ended = terminated | truncated
        figures = infos["final_info"] if mode is AutoresetMode.SAME_STEP and ended.any() else infos
        for lane in np.flatnonzero(ended):
            assert figures["return"][lane] == pytest.approx(totals[lane])
            totals[lane] = 0
            games += 1
        if mode is AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended})


@pytest.mark.parametrize("illegal", ["penalise", "replace"])
@pytest.mark.parametrize("shaping", [0.0, 0.5])
def test_illegal_actions(illegal: str, shaping: float) -> None:
    """One that is replaced changes no return; one that ends the game makes it -1, with or without shaping."""
    env = LearnerVectorEnv(20, board="tiny", reward="margin", shaping=shaping, illegal=illegal, max_rounds=40)
    choose, generator, totals = Chooser(env.rules), np.random.default_rng(1), np.zeros(20)
    _, infos = env.reset(seed=1)
    broken_off = games = 0
    while games < 40:
        wrong = generator.random(20) < 0.02
        _, gains, terminated, truncated, infos = env.step(np.where(wrong, -1, choose(infos["action_mask"])))
        totals += gains
        for lane in np.flatnonzero(terminated | truncated):
            figures = {name: values[lane] for name, values in infos["final_info"].items()}
            seat, final = figures["seat"], env.learner.batch.lanes.final_states
            assert figures["return"] == pytest.approx(totals[lane])
            assert figures["illegal"] == wrong[lane]
            if illegal == "penalise" and wrong[lane]:
                assert totals[lane] == pytest.approx(-1)
                broken_off += 1
            else:
                assert totals[lane] == pytest.approx(expected(env.rules, final, lane, seat, "margin"))
            totals[lane] = 0
            games += 1
    assert (broken_off > 5) == (illegal == "penalise")
