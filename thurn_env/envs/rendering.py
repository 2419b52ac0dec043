"""Rendering of views in all render modes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import util
from typing import Any

import gymnasium

from thurn_env.show import svg
from thurn_env.show.pixels import UInt8Array, pixels
from thurn_env.show.window import Window
from thurn_env.table.game import View

HUMAN = "human"
NEEDED: dict[str, tuple[str, ...]] = {
    "ansi": (),
    "svg": (),
    "rgb_array": ("PIL", "resvg_py"),
    HUMAN: ("PIL", "resvg_py", "pygame"),
}
"""All render modes, and the modules that they need."""
RENDER_MODES = [mode for mode, modules in NEEDED.items() if all(map(util.find_spec, modules))]
"""Render modes that work with the installed packages."""
RENDER_FPS = 2
"""Frames per second in windows and videos."""

ALL_RENDER_MODES = tuple(NEEDED)
"""All render modes; those that are not installed fail with `MissingExtra` when they are used."""
VECTOR_RENDER_MODES = [mode for mode in RENDER_MODES if mode != HUMAN]
ALL_VECTOR_RENDER_MODES = tuple(mode for mode in ALL_RENDER_MODES if mode != HUMAN)
"""Render modes of vector environments, likewise."""

Rendered = str | UInt8Array | None
"""Text, an SVG document, or pixels, uint8 (height, width, 3); None if a window shows the view or without a mode."""


class Renderer:
    """Renders views in one render mode, or warns that there is none.

    Args:
        mode: one of `ALL_RENDER_MODES`, or None.
        title: title of the window.
        max_fps: maximum frames per second in the window.
    """

    def __init__(self, mode: str | None, title: str, max_fps: float) -> None:
        self.mode = mode
        self.title = title
        self.max_fps = max_fps
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        # A copy of an environment opens its own window.
        return {**self.__dict__, "_window": None}

    def render(self, view: View, names: Sequence[str] = ()) -> Rendered:
        """Render a view; `names` are the players' names in pictures.

        Raises:
            MissingExtra: the extra that the mode needs is not installed.
            ThurnError: there is no display for a window.
        """
        if self.mode == "ansi":
            return view.text
        document = svg(view, names=names)
        if self.mode == "svg":
            return document
        frame = pixels(document)
        if self.mode == HUMAN:
            self.show(frame)
            return None
        return frame

    def render_learner(self, view: View) -> Rendered:
        """Render a learner's view; pictures label its seat as the learner. See `render`."""
        names = ["learner" if seat == view.seat else f"player {seat}" for seat in range(view.game.players)]
        return self.render(view, names)

    def show(self, frame: UInt8Array) -> None:
        """Show pixels, uint8 (height, width, 3), in the window, whatever the render mode is.

        Raises:
            MissingExtra: pygame is not installed.
            ThurnError: there is no display for a window.
        """
        if self._window is None:
            self._window = Window(self.title, self.max_fps)
        self._window.show(frame)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def warn_of_no_mode() -> None:
    """Warn that render() does nothing."""
    modes = ", ".join(map(repr, ALL_RENDER_MODES))
    gymnasium.logger.warn(f"render() does nothing without a render mode; make the environment with one of {modes}")
