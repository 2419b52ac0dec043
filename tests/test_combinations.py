"""What docs/learning.md and docs/environment.md document side by side works together: options are tried in combination.

Every combination is compared with what has tests of its own: single environments for the vector environment, the vector
environment for the one of Stable-Baselines3, the return of the rules for PettingZoo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import util
from itertools import count, product
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from tests.choices import Chooser
from tests.guests import Last
from tests.infos import check_infos, same
from thurn_env import thurn_und_taxis_v0
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.games.contract import REWARD_MODES, reward_mode
from thurn_env.table.replay import verify

pytestmark = pytest.mark.usefixtures("quickly_drawn")
GAMES, PLAYERS = 3, 3
OPPONENTS: dict[str, Callable[[], Any]] = {
    "bot": lambda: "greedy",
    "bot and agent": lambda: ["random", Last()],
    "spec": lambda: "tests.guests:Last",
}
RENDER_MODES = [None, "ansi", "svg"] + ["rgb_array"] * (util.find_spec("resvg_py") is not None)


def turns(number: int) -> dict[str, Any]:
    """Options that take turns from combination to combination, because all of them with all would be too many."""
    return {
        "render_mode": RENDER_MODES[number % len(RENDER_MODES)],
        "reward": REWARD_MODES[number // 2 % 4],
        "shaping": [0.0, 0.5][number % 2],
        "skip_forced": [True, False][number // 3 % 2],
        "illegal": ["penalise", "replace", "raise"][number % 3],
        "learner_seat": ["rotate", 1][number // 5 % 2],
    }


def combinations(*axes: Any) -> Iterator[tuple[Any, ...]]:
    for number, chosen in zip(count(), product(*axes), strict=False):
        yield (*chosen, turns(number))


def check_shown(shown: Any, mode: str | None, expected: Any) -> None:
    """Pictures or texts of all games."""
    if mode is None:
        assert shown is None
        return
    assert len(shown) == GAMES
    for one, other in zip(shown, expected, strict=True):
        assert isinstance(one, np.ndarray if mode == "rgb_array" else str)
        assert np.array_equal(one, other)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize("opponents", OPPONENTS)
# Gymnasium's, of the environments without a render mode.
@pytest.mark.filterwarnings("ignore:.*without a render mode")
def test_the_vector_environment(mode: AutoresetMode, opponents: str) -> None:
    """Observation forms, copies, threads and the options that take turns."""
    for observation, copies, threads, options in combinations(["flat", "dict"], [True, False], [1, 2]):
        arguments = {"players": PLAYERS, "board": "tiny", "max_rounds": 3, "observation": observation, **options}
        ours = LearnerVectorEnv(
            GAMES, opponents=OPPONENTS[opponents](), copy=copies, threads=threads, autoreset_mode=mode, **arguments
        )
        theirs = SyncVectorEnv(
            [lambda arguments=arguments: LearnerEnv(opponents=OPPONENTS[opponents](), **arguments)] * GAMES,
            autoreset_mode=mode,
        )
        choose, ended, games = Chooser(ours.rules), np.zeros(GAMES, np.bool_), 0
        seen, infos = ours.reset(seed=6)
        their_seen, their_infos = theirs.reset(seed=6)
        check_infos(infos, their_infos)
        for step in range(24):
            if mode == AutoresetMode.DISABLED and ended.any():
                seen, _ = ours.reset(options={"reset_mask": ended.copy()})
                their_seen, _ = theirs.reset(options={"reset_mask": ended.copy()})
            assert same(seen, their_seen)
            if step in (0, 20):
                check_shown(ours.render(), options["render_mode"], theirs.render())
            actions = choose(ours.action_masks())
            seen, *arrays, infos = ours.step(actions)
            their_seen, *others, their_infos = theirs.step(actions)
            for one, other in zip(arrays, others, strict=True):
                assert np.array_equal(one, other)
            check_infos(infos, their_infos)
            ended = np.logical_or(arrays[1], arrays[2])
            games += int(ended.sum())
        assert games
        ours.close()
        theirs.close()


@pytest.mark.parametrize("opponents", [*OPPONENTS, "self"])
def test_the_environment_of_stable_baselines3(opponents: str) -> None:
    """Threads, render modes and the options that take turns."""
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.vec_env.base_vec_env import tile_images

    from thurn_env.envs.sb3 import LearnerVecEnv
    from thurn_env.envs.self_play import PolicySnapshot

    for threads, render_mode, options in combinations([1, 2], RENDER_MODES):
        arguments = {"players": PLAYERS, "board": "tiny", "max_rounds": 3, **options, "render_mode": render_mode}
        chosen: list[Any] = [OPPONENTS[opponents]() if opponents in OPPONENTS else each for each in ("self", None)]
        if opponents == "self":
            chosen[1] = PolicySnapshot()
        ours = LearnerVecEnv(GAMES, opponents=chosen[0], threads=threads, seed=6, **arguments)
        other = LearnerVectorEnv(GAMES, opponents=chosen[1], **arguments)
        choose = Chooser(ours.rules)
        seen: Any = ours.reset()
        expected, _ = other.reset(seed=6)
        for step in range(24):
            assert np.array_equal(seen, expected)
            if step == 20 and render_mode == "rgb_array":
                assert np.array_equal(ours.render(), tile_images(other.render()))
            elif step == 20 and render_mode:
                check_shown(ours.render(), render_mode, other.render())
            actions = choose(ours.action_masks())
            seen, rewards, dones, _ = ours.step(actions)
            expected, gains, terminated, truncated, _ = other.step(actions)
            assert np.array_equal(rewards, gains.astype(np.float32))
            assert np.array_equal(dones, terminated | truncated)


@pytest.mark.parametrize("wrapped", [True, False])
def test_pettingzoo(wrapped: bool) -> None:
    """Rewards, forced decisions, shaping and render modes, with the usual wrappers and without."""
    make = thurn_und_taxis_v0.env if wrapped else thurn_und_taxis_v0.raw_env
    for reward, skip_forced, shaping, render_mode in product(REWARD_MODES, [True, False], [0.0, 0.5], RENDER_MODES):
        env: Any = make(
            PLAYERS,
            "tiny",
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            render_mode=render_mode,
            max_rounds=3,
        )
        env.reset(seed=6)
        choose, sums = Chooser(env.unwrapped.rules), dict.fromkeys(env.possible_agents, 0.0)
        if render_mode:
            assert isinstance(env.render(), np.ndarray if render_mode == "rgb_array" else str)
        for agent in env.agent_iter():
            _, gain, over, cut, info = env.last()
            sums[agent] += gain
            env.step(None if over or cut else choose.one(info["action_mask"]))
        raw = env.unwrapped
        game = raw.game
        assert game.over
        assert list(sums.values()) == pytest.approx(game.rules.rewards(game.states, 0, reward_mode(reward)).tolist())
        verify(raw.record())
