"""The Stable-Baselines3 environment: its contract, action masks, training, and models that are saved and loaded."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.choices import Chooser
from thurn_env import MissingExtra, OptionError
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv

pytest.importorskip("sb3_contrib")

from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecCheckNan,
    VecEnv,
    VecEnvWrapper,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

from thurn_env.envs.sb3 import LearnerVecEnv


def tiny(number: int = 4, **arguments: Any) -> LearnerVecEnv:
    return LearnerVecEnv(number, board="tiny", **({"opponents": "random", "seed": 1} | arguments))


def small_model(env: VecEnv, **arguments: Any) -> MaskablePPO:
    sizes = {"n_steps": 16, "batch_size": 32, "n_epochs": 1}
    return MaskablePPO("MlpPolicy", env, seed=1, device="cpu", **(sizes | arguments))


def test_what_is_given() -> None:
    env = tiny(6, players=3, reward="rank", max_rounds=8)
    assert env.num_envs == 6
    assert env.observation_space == spaces.Box(-1, 1, (166,), np.float32)
    assert env.action_space == spaces.Discrete(47)
    seen: Any = env.reset()
    choose, decisions, sums, games = Chooser(env.rules), np.zeros(6, int), np.zeros(6), 0
    start, cut_off = time.perf_counter(), 0
    while games < 30:
        assert (seen.dtype, seen.shape) == (np.float32, (6, 166))
        assert all(row in env.observation_space for row in seen)
        masks = env.action_masks()
        assert (masks.dtype, masks.shape) == (np.bool_, (6, 47))
        seats = env.learner.batch.lanes.memory["learner"].copy()
        kept = seen.copy()
        after, rewards, dones, infos = env.step(choose(masks))
        assert np.array_equal(seen, kept)
        assert (rewards.dtype, rewards.shape) == (np.float32, (6,))
        assert (dones.dtype, dones.shape) == (np.bool_, (6,))
        assert isinstance(infos, list)
        decisions += 1
        sums += rewards
        for index, (done, info) in enumerate(zip(dones, infos, strict=True)):
            assert bool(info) == done
            if not done:
                continue
            games += 1
            final = env.learner.batch.final_observations(np.array([index]), seats[[index]])[0]
            assert np.array_equal(info["terminal_observation"], final)
            assert info["terminal_observation"] in env.observation_space
            assert set(info["episode"]) == {"r", "l", "t"}
            assert info["episode"]["r"] == info["return"] == pytest.approx(sums[index])
            assert info["episode"]["l"] == info["decisions"] == decisions[index]
            assert 0 < info["episode"]["t"] < time.perf_counter() - start + 60
            assert info["seat"] == seats[index]
            assert info["TimeLimit.truncated"] is False
            assert info["truncated"] is env.rules.truncated(env.learner.batch.lanes.final_states, index)
            cut_off += info["truncated"]
            decisions[index], sums[index] = 0, 0
        seen = after
    assert 0 < cut_off < games
    env.close()


def test_games_are_those_of_the_vector_environment() -> None:
    arguments: dict[str, Any] = {"players": 3, "opponents": ["greedy", "random"], "shaping": 0.5, "board": "tiny"}
    ours, other = LearnerVecEnv(5, seed=9, **arguments), LearnerVectorEnv(5, **arguments)
    seen: Any = ours.reset()
    expected: Any = other.reset(seed=9)[0]
    choose = Chooser(ours.rules)
    for _ in range(150):
        assert np.array_equal(seen, expected)
        actions = choose(ours.action_masks())
        seen, rewards, dones, infos = ours.step(actions)
        expected, gains, terminated, truncated, more = other.step(actions)
        assert np.array_equal(rewards, gains.astype(np.float32))
        assert np.array_equal(dones, terminated | truncated)
        for index in np.flatnonzero(dones):
            assert np.array_equal(infos[index]["terminal_observation"], more["final_obs"][index])
            for name in ("return", "score", "rank", "won", "margin", "seat"):
                assert infos[index][name] == more["final_info"][name][index]


def test_methods_and_attributes() -> None:
    env = tiny(5)
    env.reset()
    masks = env.action_masks()
    assert is_masking_supported(env)
    assert get_action_masks(env).shape == (5, 47)
    assert np.array_equal(get_action_masks(env), masks)
    for indices, expected in ((None, range(5)), (2, [2]), ([3, 1], [3, 1]), (range(2), [0, 1]), (np.array([4]), [4])):
        found = env.env_method("action_masks", indices=indices)
        assert np.array_equal(found, masks[list(expected)])
        assert env.get_attr("rules", indices) == [env.rules] * len(list(expected))
        assert env.env_is_wrapped(Monitor, indices) == [True] * len(list(expected))
    assert env.env_is_wrapped(VecMonitor) == [False] * 5
    assert env.has_attr("action_masks")
    assert not env.has_attr("nothing")
    assert env.env_method("render") == [None] * 5
    with pytest.raises(AttributeError, match="no method 'act', only action_masks and render"):
        env.env_method("act")
    env.set_attr("note", "kept")
    assert env.get_attr("note", 0) == ["kept"]
    with pytest.raises(OptionError, match="attributes can only be set for all games"):
        env.set_attr("note", "lost", indices=[0, 1])
    assert env.get_attr("note", 0) == ["kept"]


def test_seeds() -> None:
    first = tiny(seed=4).reset()
    env = tiny(seed=None)
    fresh = env.reset()
    assert not np.array_equal(fresh, tiny(seed=None).reset())
    env.seed(4)
    assert np.array_equal(env.reset(), first)
    second = env.reset()
    assert not np.array_equal(second, first)
    env.seed(4)
    env.reset()
    assert np.array_equal(env.reset(), second)
    env.seed(4)
    env.set_options({"start_player": 1})
    env.reset()
    assert {env.learner.batch.game(index).start_player for index in range(4)} == {1}
    # Options hold for one reset.
    starts = set()
    for _ in range(8):
        env.reset()
        starts |= {env.learner.batch.game(index).start_player for index in range(4)}
    assert starts == {0, 1}
    env.set_options([{"start_player": 1}, {}, {}, {}])
    with pytest.raises(OptionError, match="start_player must be the same in all games"):
        env.reset()
    with pytest.raises(OptionError, match="a seed is a whole number from 0 up, not -1"):
        tiny(seed=-1).reset()
    # A seed that no game can have is forgotten once it has been refused.
    env.set_options({})
    env.seed(2**64)
    with pytest.raises(OptionError, match="the seed of a lane is a whole number from 0 to 2"):
        env.reset()
    env.reset()


def test_equal_seeds_give_equal_games_side_by_side() -> None:
    """Two at once, stepped by turns, see what one alone sees."""

    def steps(env: LearnerVecEnv, number: int) -> list[Any]:
        results = []
        for _ in range(number):
            seen, rewards, dones, infos = env.step(last_legal(env))
            figures = [(info.get("score"), info.get("margin")) for info in infos]
            results.append((np.array(seen).tobytes(), rewards.tobytes(), dones.tobytes(), figures))
        return results

    def last_legal(env: LearnerVecEnv) -> Any:
        masks = env.action_masks()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    alone = tiny(players=3, opponents="self", max_rounds=5)
    alone.reset()
    expected = steps(alone, 60)
    one, two = (tiny(players=3, opponents="self", max_rounds=5) for _ in range(2))
    one.reset()
    two.reset()
    found = [(steps(one, 1)[0], steps(two, 1)[0]) for _ in range(60)]
    assert [first for first, _ in found] == expected
    assert [second for _, second in found] == expected


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_go_on_alike(way: str) -> None:
    env = tiny(players=3, opponents=["self", "random"], max_rounds=6)
    env.reset()
    env.refresh_opponents(small_model(env))
    choose = Chooser(env.rules)
    for _ in range(10):
        env.step(choose(env.action_masks()))
    twin = COPIES[way](env)
    plan = [(actions := choose(env.action_masks()), env.step(actions)) for _ in range(60)]
    for actions, (seen, rewards, dones, infos) in plan:
        other_seen, other_rewards, other_dones, other_infos = twin.step(actions)
        assert np.array_equal(seen, other_seen)
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(dones, other_dones)
        assert [info.get("margin") for info in infos] == [info.get("margin") for info in other_infos]


def check_predictions(model: MaskablePPO, env: VecEnv, steps: int = 60) -> None:
    """Sampled or not, for rows or for one, no prediction is ever illegal."""
    seen: Any = env.reset()
    for step in range(steps):
        masks = get_action_masks(env)
        actions, _ = model.predict(seen, action_masks=masks, deterministic=step % 2 == 0)
        assert masks[np.arange(len(actions)), actions].all()
        single, _ = model.predict(seen[0], action_masks=masks[0], deterministic=step % 3 == 0)
        assert masks[0, single]
        seen, _, dones, infos = env.step(actions)
        for done, info in zip(dones, infos, strict=True):
            assert not (done and info.get("illegal"))


class NothingIllegal(BaseCallback):
    """Looks at every finished game of a training run."""

    games = 0

    def _on_step(self) -> bool:
        for info in filter(None, self.locals["infos"]):
            assert not info["illegal"]
            self.games += 1
        return True


def test_training_and_evaluation(tmp_path: Path) -> None:
    """With a callback that evaluates, and without a single illegal action."""
    env, other = tiny(seed=3, max_rounds=10), tiny(2, seed=4, learner_seat=0)
    evaluation = MaskableEvalCallback(other, eval_freq=40, n_eval_episodes=4, log_path=str(tmp_path), verbose=0)
    watch = NothingIllegal()
    model = small_model(env).learn(640, callback=[evaluation, watch])
    assert watch.games > 5
    assert len(evaluation.evaluations_results) >= 3
    rewards, lengths = evaluate_policy(model, other, n_eval_episodes=6, return_episode_rewards=True)
    assert isinstance(rewards, list)
    assert set(rewards) <= {1.0, -1.0}
    assert len(rewards) == len(lengths) == 6
    check_predictions(model, env)


def normalized(env: VecEnv) -> VecNormalize:
    return VecNormalize(env, norm_obs=False)


class Doubled(VecEnvWrapper):
    """A wrapper that changes observations, which nobody can see from outside."""

    def reset(self) -> Any:
        return self.venv.reset() * 2  # type: ignore[operator]

    def step_wait(self) -> Any:
        seen, *rest = self.venv.step_wait()
        return seen * 2, *rest  # type: ignore[operator]


@pytest.mark.parametrize(
    "wrap", [VecMonitor, normalized, lambda env: VecMonitor(normalized(env))], ids=["monitor", "normalized", "both"]
)
# A second monitor is not needed, but does no harm.
@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor` wrapper:UserWarning")
def test_wrappers(wrap: Callable[[VecEnv], Any]) -> None:
    """Masks go through them, and the actions stay the same set."""
    env = wrap(tiny(reward="margin", max_rounds=5))
    assert env.action_space == spaces.Discrete(47)
    assert is_masking_supported(env)
    model = small_model(env).learn(128)
    check_predictions(model, env)
    episodes = list(model.ep_info_buffer)
    assert episodes
    assert all(set(episode) >= {"r", "l", "t"} for episode in episodes)


OBSERVATION_WRAPPERS: dict[str, tuple[Callable[[VecEnv], VecEnv], str]] = {
    "normalized": (VecNormalize, "VecNormalize"),
    "below a monitor": (lambda env: VecMonitor(VecNormalize(env)), "VecNormalize"),
    "stacked": (lambda env: VecFrameStack(env, 2), "VecFrameStack"),
    "of somebody": (Doubled, "Doubled"),
}


@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor` wrapper:UserWarning")
@pytest.mark.parametrize("wrapper", OBSERVATION_WRAPPERS)
def test_wrappers_of_observations_that_snapshots_do_not_see(wrapper: str) -> None:
    """One warning, at the first refresh."""
    wrap, name = OBSERVATION_WRAPPERS[wrapper]
    env = tiny(opponents="self")
    model = small_model(wrap(env))
    with pytest.warns(UserWarning, match=f"^{name} may change the observations .* the opponents called 'self'") as seen:
        env.refresh_opponents(model)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.refresh_opponents(model)


@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor` wrapper:UserWarning")
@pytest.mark.parametrize(
    "wrap", [lambda env: env, VecMonitor, normalized, lambda env: VecCheckNan(VecMonitor(normalized(env)))]
)
def test_wrappers_that_keep_observations_are_no_reason_to_warn(wrap: Callable[[VecEnv], VecEnv]) -> None:
    env = tiny(opponents="self")
    model = small_model(wrap(env))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.refresh_opponents(model)
        env.refresh_opponents(model.policy)


def test_saved_models(tmp_path: Path) -> None:
    """The set of actions and the masks survive; predictions of a loaded model are the same and never illegal."""
    env = tiny(players=3, max_rounds=10)
    model = small_model(env).learn(64)
    model.save(tmp_path / "model")
    for loaded in (
        MaskablePPO.load(tmp_path / "model", device="cpu"),
        MaskablePPO.load(tmp_path / "model", env=tiny(2, players=3), device="cpu"),
    ):
        assert loaded.action_space == env.action_space == spaces.Discrete(47)
        assert loaded.observation_space == env.observation_space
        seen: Any = env.reset()
        for _ in range(30):
            masks = env.action_masks()
            first = model.predict(seen, action_masks=masks, deterministic=True)[0]
            assert np.array_equal(first, loaded.predict(seen, action_masks=masks, deterministic=True)[0])
            seen = env.step(first)[0]
        check_predictions(loaded, env)
    assert loaded.learn(64).num_timesteps > 0
    with pytest.raises(ValueError, match="Observation spaces do not match"):
        MaskablePPO.load(tmp_path / "model", env=tiny(players=2), device="cpu")


@pytest.mark.parametrize("vector", [DummyVecEnv, SubprocVecEnv])
def test_single_environments_in_their_own_vectors(vector: type[VecEnv], tmp_path: Path) -> None:
    """The masks of `LearnerEnv` reach the model through these too, after loading as well."""
    single = LearnerEnv(board="tiny", opponents="random", illegal="raise")
    env = vector([lambda: Monitor(copy.deepcopy(single))] * 2)  # type: ignore[call-arg]
    try:
        assert is_masking_supported(env)
        env.seed(5)
        env.reset()
        assert get_action_masks(env).shape == (2, 47)
        model = small_model(env).learn(64)
        check_predictions(model, env, 30)
        model.save(tmp_path / "model")
        check_predictions(MaskablePPO.load(tmp_path / "model", device="cpu"), env, 30)
    finally:
        env.close()


def test_training_is_reproducible() -> None:
    weights = [small_model(tiny(opponents="sensible-random")).learn(128).get_parameters()["policy"] for _ in range(2)]
    assert all(bool((weights[0][name] == weights[1][name]).all()) for name in weights[0])


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to install it, and is an ImportError too."""
    for name in list(sys.modules):
        if name.split(".")[0] == "stable_baselines3":
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "thurn_env.envs.sb3")
    with pytest.raises(MissingExtra, match=r'pip install "thurn-env\[train\]"') as caught:
        importlib.import_module("thurn_env.envs.sb3")
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"number": 0}, OptionError, "num_envs must be from 1 to 1,048,576, not 0"),
        ({"opponents": "selfie"}, OptionError.__base__, "there is no agent 'selfie'"),
        ({"opponents": ["self", "self"]}, OptionError, "2 opponents for 1 seats"),
        ({"autoreset": False}, TypeError, "multiple values for keyword argument 'autoreset'"),
        ({"max_round": 3}, OptionError, "unknown option 'max_round'"),
        ({"render_mode": "human"}, OptionError, "render_mode must be None or 'ansi', 'svg', 'rgb_array', not 'human'"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        tiny(**arguments)
