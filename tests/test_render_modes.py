"""What environments show of themselves: text, SVG, pixels, a window, videos."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import util
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordVideo, RenderCollection

from tests.choices import Chooser
from thurn_env import Game, MissingExtra, ThurnError, thurn_und_taxis_v0
from thurn_env.drawing.themes import THEMES
from thurn_env.envs.rendering import RENDER_MODES
from thurn_env.games.thurn_und_taxis.board.shipped import board_names, load_board
from thurn_env.show import pixels, svg
from thurn_env.show.pixels import pixels as pixels_of
from thurn_env.show.window import NO_DISPLAY, Window

needs_pixels = pytest.mark.skipif(
    util.find_spec("resvg_py") is None or util.find_spec("pygame") is None, reason="the extra render is not installed"
)
ID = "thurn_env/ThurnUndTaxis-v0"


@pytest.fixture
def invisible(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Windows that nobody sees; gives pygame."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame")
    yield pygame
    pygame.display.quit()


def learner_env(mode: str | None, **arguments: Any) -> Any:
    return gymnasium.make(ID, board="tiny", render_mode=mode, **arguments).unwrapped


def seats_env(mode: str | None) -> Any:
    return thurn_und_taxis_v0.raw_env(2, "tiny", render_mode=mode)


def first_legal(env: Any) -> int:
    view = env.view()
    return int(view.legal_actions[0])


# Text and SVG


@pytest.mark.parametrize("make", [learner_env, seats_env])
def test_svg_is_that_of_the_view(make: Any) -> None:
    env = make("svg")
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.render()
    env.reset(seed=4)
    names = ["learner" if make is learner_env and seat == env.view().seat else f"player {seat}" for seat in range(2)]
    for _ in range(3):
        assert env.render() == svg(env.view(), names=names)
        env.step(first_legal(env))
    assert "rgb_array" in env.metadata["render_modes"]
    assert env.metadata["render_fps"] > 0


@pytest.mark.parametrize("make", [learner_env, seats_env])
def test_no_extra_is_needed_for_text_and_svg(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("PIL", "resvg_py", "pygame", "font_source_sans_pro"):
        monkeypatch.setitem(sys.modules, module, None)
    for mode in ("ansi", "svg"):
        env = make(mode)
        env.reset(seed=1)
        assert isinstance(env.render(), str)


def test_importing_loads_no_extra() -> None:
    code = (
        "import sys, thurn_env.envs.single, thurn_env.envs.vector, thurn_env.thurn_und_taxis_v0; "
        "sys.exit(bool({'PIL', 'resvg_py', 'pygame'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_games_show_themselves() -> None:
    env = gymnasium.make_vec(ID, num_envs=2, board="tiny", render_mode="svg").unwrapped
    env.reset(seed=1)
    views = [env.view(index) for index in range(2)]  # type: ignore[attr-defined]
    names = [["learner" if seat == view.seat else f"player {seat}" for seat in range(2)] for view in views]
    assert env.render() == tuple(svg(view, names=row) for view, row in zip(views, names, strict=True))


# Pixels


@needs_pixels
@pytest.mark.parametrize("make", [learner_env, seats_env])
def test_pixels_have_one_size_all_game_long(make: Any) -> None:
    env = make("rgb_array")
    env.reset(seed=2)
    picture = env.view().picture()
    frames: list[Any] = []
    while not env.game.over and len(frames) < 12:
        frames.append(env.render())
        env.step(first_legal(env))
    for frame in frames:
        assert frame.dtype == np.uint8
        assert frame.shape == (picture.height, picture.width, 3)
    assert all((one != other).any() for one, other in pairwise(frames))


def document(content: str) -> str:
    """An SVG document on white paper."""
    paper = '<rect width="200" height="30" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="30">{paper}{content}</svg>'


@needs_pixels
def test_text_is_drawn_without_fonts_of_the_system() -> None:
    def line(family: str, text: str) -> Any:
        return pixels_of(document(f'<text y="20" font-size="16" font-family="{family}">{text}</text>'))

    blank = line("Source Sans Pro", "")
    ours = line("Source Sans Pro", "Würzburg")
    assert (ours != blank).any()
    assert (line("sans-serif", "Würzburg") == ours).all()
    # Typefaces that many systems have are not found.
    for family in ("DejaVu Sans", "Arial", "Liberation Sans", "Times New Roman"):
        assert (line(family, "Würzburg") == blank).all()


@needs_pixels
def test_every_letter_of_the_shipped_boards_can_be_drawn() -> None:
    def letter(character: str) -> bytes:
        return pixels_of(document(f'<text x="9" y="20" font-size="16">{character}</text>')).tobytes()

    names = [city.name for board in board_names() for city in load_board(board).cities]
    needed = set("".join(names)) | set("×−…0123456789")  # noqa: RUF001
    missing, blank = letter("\N{SNOWMAN}"), letter(" ")
    assert missing != blank
    assert not [character for character in sorted(needed) if letter(character) in (missing, blank)]


@needs_pixels
def test_pixels_show_the_whole_picture() -> None:
    game = Game(2, "tiny", seed=3)
    light, dark = pixels_of(svg(game)), pixels_of(svg(game, theme="dark"))
    # The paper, in the corners.
    for y in (0, -1):
        for x in (0, -1):
            assert light[y, x].tolist() == [255, 255, 255]
            assert dark[y, x].tolist() == [0x15, 0x18, 0x1B]
    # Ink of the title, and the colour of the seat to move in the heading and around its panel.
    assert light[12:35, 12:150].min() < 60
    colour = list(bytes.fromhex(THEMES["light"].seats[game.seat].removeprefix("#")))
    assert (light == colour).all(axis=2).sum() > 500


@pytest.mark.parametrize("module", ["resvg_py", "PIL"])
def test_what_is_missing_for_pixels_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if module == "resvg_py":
        pytest.importorskip("PIL")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf'^drawing pixels needs {module}.*: pip install "thurn-env\[render\]"$'):
        pixels_of(svg(Game(2, "tiny", seed=1)))


@needs_pixels
def test_a_missing_typeface_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels.font_files.cache_clear()
    monkeypatch.setattr(pixels, "FONT_PACKAGE", "font_of_nobody")
    with pytest.raises(MissingExtra, match=r'drawing pixels needs font-of-nobody: pip install "thurn-env\[render\]"'):
        pixels_of(svg(Game(2, "tiny", seed=1)))


# A window


@needs_pixels
@pytest.mark.parametrize("make", [learner_env, seats_env])
@pytest.mark.usefixtures("quickly_drawn")
def test_a_window_follows_the_game(make: Any, invisible: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(Window, "show", lambda self, frame: shown.append(frame))
    env = make("human")
    env.reset(seed=1)
    assert len(shown) == 1
    for number in range(2, 6):
        env.step(first_legal(env))
        assert len(shown) == number
    assert env.render() is None
    twin = make("rgb_array")
    twin.reset(seed=1)
    assert (shown[0] == twin.render()).all()
    env.close()


@needs_pixels
def test_a_window_opens_and_closes(invisible: Any) -> None:
    frame = pixels_of(svg(Game(2, "tiny", seed=1)))
    window = Window("a game", max_fps=1000)
    window.show(frame)
    screen = invisible.display.get_surface()
    assert invisible.display.get_caption()[0] == "a game"
    # As large as fits on the screen, in the picture's proportions.
    assert screen.get_width() / screen.get_height() == pytest.approx(frame.shape[1] / frame.shape[0], rel=0.01)
    assert min(screen.get_at((0, 0))[:3]) > 250
    window.show(frame)
    invisible.event.post(invisible.event.Event(invisible.QUIT))
    window.show(frame)
    assert window.closed
    assert not invisible.display.get_init()
    window.show(frame)
    assert not invisible.display.get_init()
    window.close()


@needs_pixels
@pytest.mark.usefixtures("quickly_drawn")
def test_copies_have_windows_of_their_own(invisible: Any) -> None:
    env = seats_env("human")
    env._renderer.max_fps = 1000
    env.reset(seed=1)
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin._renderer._window is None
        assert twin.render_mode == "human"
        assert twin.game == env.game
    assert env._renderer._window is not None
    env.close()
    assert env._renderer._window is None


@needs_pixels
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a display always")
def test_without_a_display_one_line_says_so(tmp_path: Path) -> None:
    code = (
        "from thurn_env import thurn_und_taxis_v0\n"
        "env = thurn_und_taxis_v0.raw_env(2, 'tiny', render_mode='human')\n"
        "try:\n    env.reset(seed=1)\nexcept ValueError as error:\n    print(error)\n"
    )
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.splitlines() == [NO_DISPLAY]
    assert done.stderr == ""
    # A display is named, but there is none.
    environment["DISPLAY"] = ":77"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.splitlines() == [NO_DISPLAY]


@needs_pixels
def test_a_window_needs_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = seats_env("human")
    with pytest.raises(MissingExtra, match=r'a window needs pygame-ce: pip install "thurn-env\[render\]"'):
        env.reset(seed=1)


# The ecosystem's own checks


@needs_pixels
@pytest.mark.usefixtures("quickly_drawn")
def test_gymnasium_checks_all_modes(invisible: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thurn_env.envs.rendering.Window", lambda title, max_fps: Window(title, 1000))
    check_env(learner_env("rgb_array"))


@needs_pixels
@pytest.mark.usefixtures("quickly_drawn")
def test_pettingzoo_checks_all_modes(invisible: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pettingzoo.test import render_test

    monkeypatch.setattr("thurn_env.envs.rendering.Window", lambda title, max_fps: Window(title, 1000))
    is_svg = {"svg": lambda result: result.startswith("<svg")}
    render_test(lambda render_mode: thurn_und_taxis_v0.env(2, "tiny", render_mode=render_mode), is_svg)
    assert thurn_und_taxis_v0.raw_env.metadata["render_modes"] == RENDER_MODES


@needs_pixels
@pytest.mark.usefixtures("quickly_drawn")
def test_frames_are_collected() -> None:
    env = RenderCollection(gymnasium.make(ID, board="tiny", render_mode="rgb_array"))
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    frames = env.render()
    assert isinstance(frames, list)
    assert len(frames) == 2


@needs_pixels
def test_videos(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="moviepy, of the extra video, is not installed")
    from moviepy import VideoFileClip

    env = RecordVideo(gymnasium.make(ID, board="tiny", render_mode="rgb_array", max_rounds=1), str(tmp_path / "videos"))
    chooser = Chooser(env.unwrapped.rules)  # type: ignore[attr-defined]
    _, info = env.reset(seed=1)
    steps, ended = 0, False
    while not ended:
        *_, terminated, truncated, info = env.step(chooser.one(info["action_mask"]))
        steps, ended = steps + 1, terminated or truncated
    size = env.render().shape  # type: ignore[union-attr]
    env.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    with VideoFileClip(str(video)) as clip:
        assert clip.size == [size[1], size[0]]
        assert clip.duration == pytest.approx((steps + 1) / env.metadata["render_fps"], abs=0.6)
