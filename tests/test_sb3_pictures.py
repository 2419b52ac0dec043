"""The Stable-Baselines3 environment shows its games: in every render mode, in a window, as a video."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize, VecVideoRecorder
from stable_baselines3.common.vec_env.base_vec_env import tile_images

from tests.choices import Chooser
from thurn_env import ThurnError
from thurn_env.envs.rendering import RENDER_FPS
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.show.window import Window


def tiny(number: int, mode: str | None, **arguments: Any) -> LearnerVecEnv:
    return LearnerVecEnv(number, board="tiny", opponents="random", seed=3, render_mode=mode, **arguments)


def single(mode: str, index: int) -> LearnerEnv:
    """The single environment with the same game."""
    env = LearnerEnv(board="tiny", opponents="random", render_mode=mode)
    env.reset(seed=3 + index)
    return env


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_texts_are_those_of_the_other_environments(mode: str) -> None:
    env = tiny(3, mode)
    assert env.render_mode == mode
    assert env.metadata == {"render_modes": [mode], "render_fps": RENDER_FPS}
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.render()
    env.reset()
    vector = LearnerVectorEnv(3, board="tiny", opponents="random", render_mode=mode)
    vector.reset(seed=3)
    expected = tuple(single(mode, index).render() for index in range(3))
    assert env.render() == env.render(mode) == vector.render() == expected
    assert env.env_method("render", indices=[2, 0]) == [expected[2], expected[0]]
    assert env.get_images() == [None] * 3
    with pytest.warns(UserWarning, match="mode='human'"):
        assert env.render("human") is None
    assert env.view(1).seat == vector.view(1).seat


def test_without_a_render_mode() -> None:
    env = tiny(2, None)
    env.reset()
    assert env.metadata["render_modes"] == []
    with pytest.warns(UserWarning, match="no `render_mode` was passed"):
        assert env.render() is None
    assert env.get_images() == [None] * 2


@pytest.mark.usefixtures("quickly_drawn")
def test_pixels_are_tiled_as_those_of_single_environments() -> None:
    """As `DummyVecEnv` tiles them."""
    pytest.importorskip("resvg_py")
    env = tiny(3, "rgb_array")
    env.reset()
    other = DummyVecEnv([lambda: LearnerEnv(board="tiny", opponents="random", render_mode="rgb_array")] * 3)
    other.seed(3)
    other.reset()
    assert env.metadata["render_modes"] == ["human", "rgb_array"]
    picture: Any = env.render()
    assert np.array_equal(picture, other.render())
    assert np.array_equal(picture, VecNormalize(env).render("rgb_array"))
    images = env.get_images()
    assert picture.dtype == np.uint8
    assert np.array_equal(picture, tile_images(images))
    assert all(np.array_equal(env.env_method("render", indices=index)[0], images[index]) for index in range(3))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert np.array_equal(twin.render(), picture)


@pytest.mark.usefixtures("quickly_drawn")
def test_a_window_shows_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """`render("human")`, which evaluation calls to show games, takes our window and not OpenCV."""
    pytest.importorskip("resvg_py")
    shown: list[Any] = []
    monkeypatch.setattr(Window, "show", lambda self, frame: shown.append(frame))
    env = tiny(2, "rgb_array")
    env.reset()
    assert env.render("human") is None
    assert np.array_equal(shown[0], env.render())
    env.close()


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.usefixtures("quickly_drawn")
def test_videos(number: int, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("moviepy", reason="moviepy, of the extra video, is not installed")
    from moviepy import VideoFileClip

    games = tiny(number, "rgb_array", max_rounds=1)
    env = VecVideoRecorder(VecNormalize(games), str(tmp_path), lambda step: step == 0, video_length=6)
    choose, ended = Chooser(games.rules), 0
    env.reset()
    for _ in range(7):
        _, _, dones, _ = env.step(choose(games.action_masks()))
        ended += int(dones.sum())
    size = games.render().shape
    env.close()
    assert ended, "a video must go on through the end of a game"
    (video,) = tmp_path.glob("*.mp4")
    with VideoFileClip(str(video)) as clip:
        assert clip.size == [size[1], size[0]]
        assert clip.duration == pytest.approx(7 / RENDER_FPS, abs=0.25)
