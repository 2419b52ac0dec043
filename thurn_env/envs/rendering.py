"""How environments show themselves: one view in every render mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium

from thurn_env.show import svg
from thurn_env.show.pixels import UInt8Array, pixels
from thurn_env.show.window import Window
from thurn_env.table.game import View

HUMAN = "human"
RENDER_MODES = ["ansi", "svg", "rgb_array", HUMAN]
RENDER_FPS = 2
"""Pictures a second in windows and videos: slow enough to follow a game."""

VECTOR_RENDER_MODES = [mode for mode in RENDER_MODES if mode != HUMAN]
"""Those of environments for many games."""

Rendered = str | UInt8Array | None
"""Text, an SVG document, or pixels (uint8, height x width x 3); None if a window shows the view, or nothing does."""


class Renderer:
    """Shows views in one render mode, or warns that there is none.

    Args:
        mode: one of `RENDER_MODES`, or None.
        title: of the window.
        pace: the most pictures a second in the window.
    """

    def __init__(self, mode: str | None, title: str, pace: float) -> None:
        self.mode = mode
        self.title = title
        self.pace = pace
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        # A copy of an environment opens a window of its own.
        return {**self.__dict__, "_window": None}

    def render(self, view: View, names: Sequence[str] = ()) -> Rendered:
        """Show a view; `names` are what to call the players in pictures.

        Raises:
            MissingExtra: what the mode takes is not installed.
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
        """Show a learner's view; pictures call its seat the learner's. See `render`."""
        names = ["learner" if seat == view.seat else f"player {seat}" for seat in range(view.game.players)]
        return self.render(view, names)

    def show(self, frame: UInt8Array) -> None:
        """Show pixels (uint8, height x width x 3) in the window, whatever the render mode is.

        Raises:
            MissingExtra: pygame is not installed.
            ThurnError: there is no display for a window.
        """
        if self._window is None:
            self._window = Window(self.title, self.pace)
        self._window.show(frame)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def warn_of_no_mode() -> None:
    """Say that render() does nothing."""
    modes = ", ".join(map(repr, RENDER_MODES))
    gymnasium.logger.warn(f"render() does nothing without a render mode; make the environment with one of {modes}")
