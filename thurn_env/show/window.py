"""A window that shows frames."""

from __future__ import annotations

import os
import sys
from typing import Any

from thurn_env.errors import MissingExtra, ThurnError
from thurn_env.show.pixels import INSTALL, UInt8Array

NO_DISPLAY = (
    'there is no display to open a window on; use another render mode, "rgb_array" or "ansi", '
    "or set SDL_VIDEODRIVER=dummy to run without a screen"
)
INVISIBLE = ("dummy", "offscreen", "evdev")
"""Video drivers that SDL falls back to without a display. Users can still choose one by SDL_VIDEODRIVER."""


class Window:
    """A window that opens with the first frame. Once the user has closed it, later frames are ignored.

    Args:
        title: title of the window.
        max_fps: maximum frames per second.
    """

    def __init__(self, title: str, max_fps: float) -> None:
        self.title = title
        self.max_fps = max_fps
        self.closed = False
        self._pygame: Any = None
        self._clock: Any = None

    def show(self, frame: UInt8Array) -> None:
        """Show pixels, uint8 (height, width, 3); wait as long as `max_fps` requires.

        Raises:
            MissingExtra: pygame is not installed.
            ThurnError: there is no display.
        """
        if self.closed:
            return
        if self._pygame is None:
            self._open(frame)
        pygame = self._pygame
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        screen = pygame.display.get_surface()
        picture = pygame.image.frombuffer(frame.tobytes(), (frame.shape[1], frame.shape[0]), "RGB")
        scale = min(screen.get_width() / frame.shape[1], screen.get_height() / frame.shape[0])
        size = round(frame.shape[1] * scale), round(frame.shape[0] * scale)
        screen.blit(picture if scale == 1 else pygame.transform.smoothscale(picture, size), (0, 0))
        pygame.display.flip()
        self._clock.tick(self.max_fps)

    def _open(self, frame: UInt8Array) -> None:
        chosen = os.environ.get("SDL_VIDEODRIVER", "")
        linux = sys.platform.startswith("linux")
        if linux and not (chosen or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            # Check first, because SDL prints its own error messages.
            raise ThurnError(NO_DISPLAY)
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ModuleNotFoundError:
            raise MissingExtra(f"a window needs pygame-ce: {INSTALL}") from None
        try:
            pygame.display.init()
            if pygame.display.get_driver() in INVISIBLE and not chosen:
                raise pygame.error
            most = max((height for _, height in pygame.display.get_desktop_sizes()), default=frame.shape[0]) * 0.9
            scale = min(1.0, most / frame.shape[0])
            size = round(frame.shape[1] * scale), round(frame.shape[0] * scale)
            pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error:
            pygame.display.quit()
            raise ThurnError(NO_DISPLAY) from None
        pygame.display.set_caption(self.title)
        self._pygame, self._clock = pygame, pygame.time.Clock()

    def close(self) -> None:
        """Close the window permanently."""
        self.closed = True
        if self._pygame is not None:
            self._pygame.display.quit()
            self._pygame = None
