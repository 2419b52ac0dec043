"""Games to look at: as SVG, as pixels, in a window, as the page of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.table.game import Game, View

__all__ = ["svg"]


def svg(source: Game | View, *, theme: str = "light", names: Sequence[str] = ()) -> str:
    """An SVG document of a seat's view with that seat's hand, or of a game with all hands open.

    Args:
        source: a view, or a game.
        theme: "light", "dark", or "auto", which follows the reader's settings in a browser.
        names: what to call the players, by seat; `player 0` and so on where there is none.

    Raises:
        OptionError: there is no such theme.
    """
    return source.picture(names).svg(theme)
