"""Gymnasium's vector wrappers, in the autoreset modes in which docs/learning.md says that they work."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from tests.choices import Chooser
from thurn_env.envs.vector import LearnerVectorEnv

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"
GAMES, SIZE, ACTIONS = 3, 129, 47
NEW_GYMNASIUM = tuple(map(int, gymnasium.__version__.split(".")[:2])) >= (1, 4)


def doubled(env: LearnerVectorEnv) -> Any:
    single = spaces.Box(-2, 2, (SIZE,), np.float32)
    batch = spaces.Box(-2, 2, (GAMES, SIZE), np.float32)
    return wrappers.TransformObservation(
        env, lambda rows: rows * 2, observation_space=batch, single_observation_space=single
    )


OBSERVATIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "TransformObservation": (doubled, lambda rows, masks: rows * 2),
    "RescaleObservation": (lambda env: wrappers.RescaleObservation(env, 0, 1), lambda rows, masks: (rows + 1) / 2),
    "ReshapeObservation": (
        lambda env: wrappers.ReshapeObservation(env, (3, 43)),
        lambda rows, masks: rows.reshape(-1, 3, 43),
    ),
    "DtypeObservation": (lambda env: wrappers.DtypeObservation(env, np.float64), lambda rows, masks: rows.astype("f8")),
    "FlattenObservation": (wrappers.FlattenObservation, lambda rows, masks: np.concatenate([masks, rows], axis=1)),
    "FilterObservation": (
        lambda env: wrappers.FilterObservation(env, ["observation"]),
        lambda rows, masks: {"observation": rows},
    ),
}
"""Wrappers of observations: how they are made, and what becomes of observations and masks."""
OTHERS: dict[str, Callable[[Any], Any]] = {
    "NormalizeObservation": wrappers.NormalizeObservation,
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "NormalizeReward": wrappers.NormalizeReward,
    "ClipReward": lambda env: wrappers.ClipReward(env, -0.25, 0.25),
    "TransformReward": lambda env: wrappers.TransformReward(env, lambda rewards: rewards * 2),
    "DictInfoToList": wrappers.DictInfoToList,
}
MODES = [mode.value for mode in AutoresetMode]


def made(wrapper: Callable[[Any], Any], mode: str, **arguments: Any) -> Any:
    return wrapper(LearnerVectorEnv(GAMES, board="tiny", autoreset_mode=mode, **{"max_rounds": 3, **arguments}))


def documented() -> dict[tuple[str, str], str]:
    """The table of the page: what it says about a wrapper in a mode."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    (head,) = [number for number, row in enumerate(rows) if {f"`{mode}`" for mode in MODES} == set(row[1:])]
    modes = [cell.strip("`") for cell in rows[head][1:]]
    found = {}
    for row in rows[head + 2 :]:
        names = re.findall(r"`(\w+)`", row[0])
        if not names or not hasattr(wrappers, names[0]):
            break
        found.update({(name, mode): cell for name in names for mode, cell in zip(modes, row[1:], strict=True)})
    return found


def test_the_page_names_the_wrappers_that_are_tried_here() -> None:
    assert set(documented()) == {(name, mode) for name in [*OBSERVATIONS, *OTHERS, "RecordVideo"] for mode in MODES}


def accepts(name: str, mode: str) -> bool:
    """Whether the page says that a wrapper takes a mode."""
    return documented()[name, mode] != "refused"


def pairs(names: Any, taken: bool) -> list[tuple[str, str]]:
    return [(name, mode) for name in names for mode in MODES if accepts(name, mode) == taken]


@pytest.mark.parametrize(("name", "mode"), pairs([*OBSERVATIONS, *OTHERS, "RecordVideo"], taken=False))
def test_refused_modes(name: str, mode: str) -> None:
    wrapper = OBSERVATIONS[name][0] if name in OBSERVATIONS else OTHERS[name]
    # Gymnasium before 1.4 asserts it without a word.
    refusal = r"to be (AutoresetMode\.)?NEXT_STEP" if NEW_GYMNASIUM else "^$"
    with pytest.raises(ValueError if NEW_GYMNASIUM else AssertionError, match=refusal):
        made(wrapper, mode, observation="dict" if name in ("FlattenObservation", "FilterObservation") else "flat")


class Play:
    """The same games with a wrapper and without, step by step; finished ones are reset where the mode asks for it."""

    def __init__(self, wrapper: Callable[[Any], Any], mode: str, **arguments: Any) -> None:
        self.env, self.plain = made(wrapper, mode, **arguments), made(lambda env: env, mode)
        self.disabled = mode == AutoresetMode.DISABLED.value
        self.choose = Chooser(self.plain.rules)
        self.given, self.infos = self.env.reset(seed=1)
        self.seen, _ = self.plain.reset(seed=1)
        self.rewards = self.plain_rewards = self.ended = np.zeros(GAMES)
        self.plain_infos: dict[str, Any] = {}

    def steps(self, number: int = 40) -> Any:
        yield self
        for _ in range(number):
            if self.disabled and self.ended.any():
                self.given, _ = self.env.reset(options={"reset_mask": self.ended.copy()})
                self.seen, _ = self.plain.reset(options={"reset_mask": self.ended.copy()})
            actions = self.choose(self.plain.learner.masks)
            self.given, self.rewards, terminated, truncated, self.infos = self.env.step(actions)
            self.seen, self.plain_rewards, *ends, self.plain_infos = self.plain.step(actions)
            assert np.array_equal([terminated, truncated], ends)
            self.ended = terminated | truncated
            yield self


@pytest.mark.parametrize(("name", "mode"), pairs(OBSERVATIONS, taken=True))
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # of the bounds of the space, in Gymnasium
def test_observations_are_changed_and_nothing_else(name: str, mode: str) -> None:
    wrapper, change = OBSERVATIONS[name]
    play = Play(wrapper, mode, observation="dict" if name in ("FlattenObservation", "FilterObservation") else "flat")
    for now in play.steps():
        expected = change(now.seen, now.plain.learner.masks)
        if isinstance(expected, dict):
            assert np.array_equal(now.given["observation"], expected["observation"])
        else:
            assert now.given.dtype == np.asarray(expected).dtype or name == "FlattenObservation"
            assert np.allclose(now.given, expected, atol=1e-6)
        assert np.array_equal(now.rewards, now.plain_rewards)


@pytest.mark.parametrize(("name", "mode"), pairs(OTHERS, taken=True))
def test_other_wrappers(name: str, mode: str) -> None:
    play, games = Play(OTHERS[name], mode, reward="margin" if name == "RecordEpisodeStatistics" else "win"), 0
    for now in play.steps():
        games += int(now.ended.sum())
        if name == "NormalizeObservation":
            assert now.given.shape == now.seen.shape
            assert np.isfinite(now.given).all()
        else:
            assert np.array_equal(now.given, now.seen)
        if name == "ClipReward":
            assert np.array_equal(now.rewards, np.clip(now.plain_rewards, -0.25, 0.25))
        if name == "TransformReward":
            assert np.array_equal(now.rewards, now.plain_rewards * 2)
        if name == "NormalizeReward":
            assert np.array_equal(np.sign(now.rewards), np.sign(now.plain_rewards))
        if name == "RecordEpisodeStatistics" and now.ended.any():
            figures = now.infos.get("final_info", now.infos)
            assert np.array_equal(now.infos["_episode"], now.ended)
            assert np.allclose(now.infos["episode"]["r"][now.ended], figures["return"][now.ended])
            if NEW_GYMNASIUM or mode != "SameStep":  # before 1.4 it counts one step too few there
                assert np.array_equal(now.infos["episode"]["l"][now.ended], figures["decisions"][now.ended])
        if name == "DictInfoToList":
            assert all("action_mask" in row for row in now.infos)
            same_step = mode == AutoresetMode.SAME_STEP.value
            for row, ended in zip(now.infos, now.ended, strict=True):
                assert ("final_info" in row) == (same_step and bool(ended))
                assert bool(row.get("final_info", row)["decisions"]) == bool(ended)
    assert games > 5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.skipif(
    any(util.find_spec(module) is None for module in ("resvg_py", "moviepy")), reason="the extra video is not installed"
)
@pytest.mark.usefixtures("quickly_drawn")
def test_videos(mode: str, tmp_path: Path) -> None:
    """One of the first games: as long as there are pictures, the last of which is left out in the mode SameStep."""
    from moviepy import VideoFileClip

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Gymnasium's, in the mode SameStep
        env: Any = made(
            lambda env: wrappers.RecordVideo(env, str(tmp_path / "videos"), episode_trigger=lambda number: number == 0),
            mode,
            render_mode="rgb_array",
            max_rounds=1,
        )
    choose, steps, ended = Chooser(env.unwrapped.rules), 0, False
    env.reset(seed=1)
    while not ended:
        _, _, terminated, truncated, _ = env.step(choose(env.unwrapped.learner.masks))
        steps, ended = steps + 1, bool(terminated[0] or truncated[0])
    picture = env.unwrapped.render()[0]
    env.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    pictures = steps if mode == AutoresetMode.SAME_STEP.value else steps + 1
    with VideoFileClip(str(video)) as clip:
        assert clip.size[0] * clip.size[1] == pytest.approx(GAMES * picture.shape[0] * picture.shape[1], rel=0.01)
        assert clip.duration == pytest.approx(pictures / env.metadata["render_fps"], abs=0.25)


def test_the_modes_are_those_of_gymnasium() -> None:
    made_by_name = gymnasium.make_vec("thurn_env/ThurnUndTaxis-v0", num_envs=1, board="tiny", autoreset_mode="NextStep")
    assert made_by_name.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
