"""Pictures of games.

`svg` makes one of a game or of a seat's view of it. What a game looks like is drawn in the game's own folder, from what
lies open and the hands that may be shown; the modules here have what all games share: SVG elements, themes, cards,
labels of maps, and from pictures the pixels, the window and the page of a recorded game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thurn_env.game import Game
    from thurn_env.render.picture import Picture
    from thurn_env.view import View

__all__ = ["picture_of", "svg"]


def picture_of(source: Game | View, names: Sequence[str] = ()) -> Picture:
    """A picture of a seat's view with that seat's hand, or of a game with all hands open.

    Args:
        source: a view, or a game.
        names: what to call the players, by seat; `player 0` and so on where there is none.
    """
    from thurn_env.view import View

    game, seat = (source.game, source.seat) if isinstance(source, View) else (source, None)
    return game.rules.picture(game.states, 0, seat, names)


def svg(source: Game | View, *, theme: str = "light", names: Sequence[str] = ()) -> str:
    """An SVG document of a seat's view with that seat's hand, or of a game with all hands open.

    Args:
        source: a view, or a game.
        theme: "light", "dark", or "auto", which follows the reader's settings in a browser.
        names: what to call the players, by seat; `player 0` and so on where there is none.

    Raises:
        OptionError: there is no such theme.
    """
    return picture_of(source, names).svg(theme)
