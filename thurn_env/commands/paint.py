"""The names of a game's things in the colours in which its pictures show them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.color import Color
from rich.console import Console
from rich.text import Text

from thurn_env.table.game import Game

BRIGHT = 140
"""From this brightness on, of 255, a colour gets dark letters."""
LETTERS = {True: "#000000", False: "#ffffff"}


class Paint:
    """Colours names in texts.

    A name stands on its colour, as on a label: white and black, too, can be read on every background.

    Args:
        colours: `#rrggbb` by name.
    """

    def __init__(self, colours: Mapping[str, str]) -> None:
        self._styles = {name: f"{letters_on(colour)} on {colour}" for name, colour in colours.items()}
        # The longest first: a track has its colour in its name.
        names = "|".join(map(re.escape, sorted(colours, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")

    @classmethod
    def of(cls, game: Game, console: Console) -> Paint:
        """The colours of a game, none where the output has none."""
        return cls(game.picture().colours if console.color_system and not console.no_color else {})

    def __call__(self, text: Text) -> Text:
        """The same text, with its names in colour."""
        for name in self._pattern.finditer(text.plain) if self._styles else ():
            text.stylize(self._styles[name[0]], *name.span())
        return text


def letters_on(colour: str) -> str:
    """The colour of letters that can be read on a colour."""
    red, green, blue = Color.parse(colour).get_truecolor()
    return LETTERS[0.299 * red + 0.587 * green + 0.114 * blue >= BRIGHT]
