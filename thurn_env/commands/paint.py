"""Colours for names of a game's things, as in its pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.color import Color
from rich.console import Console
from rich.text import Text

from thurn_env.table.game import Game

BRIGHT = 140
"""Brightness, of 255, from which a colour gets dark letters."""
LETTERS = {True: "#000000", False: "#ffffff"}


class Paint:
    """Colours names in texts.

    A name is printed on its colour, like a label, so that white and black are legible on every background.

    Args:
        colours: `#rrggbb` by name.
    """

    def __init__(self, colours: Mapping[str, str]) -> None:
        self._styles = {name: f"{letters_on(colour)} on {colour}" for name, colour in colours.items()}
        # The longest first: the name of a track contains that of its colour.
        names = "|".join(map(re.escape, sorted(colours, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")

    @classmethod
    def of(cls, game: Game, console: Console) -> Paint:
        """Return the colours of a game; none if the output has no colours."""
        return cls(game.picture().colours if console.color_system and not console.no_color else {})

    def __call__(self, text: Text) -> Text:
        """Return the text with its names in colour."""
        for name in self._pattern.finditer(text.plain) if self._styles else ():
            text.stylize(self._styles[name[0]], *name.span())
        return text


def letters_on(colour: str) -> str:
    """Return a colour of letters that is legible on a colour."""
    red, green, blue = Color.parse(colour).get_truecolor()
    return LETTERS[0.299 * red + 0.587 * green + 0.114 * blue >= BRIGHT]
