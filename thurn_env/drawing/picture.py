"""Picture of a position: blocks of layers, and the style sheets of the themes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import NamedTuple

from thurn_env.drawing.elements import group, number
from thurn_env.drawing.themes import THEME_NAMES, Styles
from thurn_env.errors import OptionError


class Target(NamedTuple):
    """A place that stands for actions when it is pointed at.

    Attributes:
        x, y: upper left corner in its block, before rotation.
        width, height: size.
        actions: actions as text, including those that are not legal now.
        angle: rotation around its centre, in degrees, clockwise.
    """

    x: float
    y: float
    width: float
    height: float
    actions: tuple[str, ...]
    angle: float = 0.0

    def moved(self, right: float, down: float) -> Target:
        """Return the target moved by (right, down)."""
        return self._replace(x=self.x + right, y=self.y + down)


@dataclass(frozen=True)
class Block:
    """A part of a picture that can stand alone, such as the map or a player's panel.

    Attributes:
        name: what it shows; unique in its picture.
        x, y: upper left corner.
        width, height: size; the same in every position of a game.
        layers: SVG elements by name, the lowest first. A layer that does not change between positions is the same text.
        heading: whether it only repeats the picture's label, so that a page can omit it.
        targets: places in it that stand for actions; where they overlap, the last one counts.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    layers: Mapping[str, str]
    heading: bool = False
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A position as a picture.

    Attributes:
        width, height: natural size in pixels; the same in every position of a game.
        label: description of the picture in a sentence, for accessibility.
        styles: style sheet of every theme.
        blocks: non-overlapping parts: headings, then the main block, then all others.
        colours: colour, `#rrggbb`, of coloured items, by their names in the game's texts.
        when, asked: progress of the game and decision of the player to move, in words without a full stop.
    """

    width: int
    height: int
    label: str
    styles: Mapping[str, Styles]
    blocks: tuple[Block, ...]
    colours: Mapping[str, str] = field(default_factory=dict)
    when: str = ""
    asked: str = ""

    def svg(self, theme: str = "light") -> str:
        """Return the picture as an SVG document, which can also be embedded in an HTML page.

        Args:
            theme: "light", "dark", or "auto", which follows the reader's settings in a browser.

        Raises:
            OptionError: there is no such theme.
        """
        if theme not in THEME_NAMES:
            raise OptionError(f"theme must be one of {', '.join(THEME_NAMES)}, not {theme!r}")
        body = "".join(group("".join(block.layers.values()), block.x, block.y) for block in self.blocks)
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        # Style sheets within a page apply to the whole page, so scope each to its picture.
        unscoped = self.style_sheet(theme, "")
        scope = "picture-" + hashlib.sha256(unscoped.encode()).hexdigest()[:8]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{scope}" {size} role="img" '
            f'aria-label="{escape(self.label)}">'
            f"<style>{self.style_sheet(theme, f'.{scope} ')}</style>"
            f'<rect class="paper" width="{number(self.width)}" height="{number(self.height)}"/>{body}</svg>\n'
        )

    def style_sheet(self, theme: str, scope: str) -> str:
        """Return the CSS of a theme; every selector is prefixed by `scope`."""
        if theme == "auto":
            dark = self.style_sheet("dark", scope)
            return f"{self.style_sheet('light', scope)}@media (prefers-color-scheme:dark){{{dark}}}"
        return "".join(f"{scope}{selector}{{{what}}}" for selector, what in self.styles[theme].items())


def moved(block: Block, right: float, down: float) -> Block:
    """Return the block moved by (right, down)."""
    return replace(block, x=block.x + right, y=block.y + down)
