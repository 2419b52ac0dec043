"""Display of games: SVG, pixels, a window, and HTML pages of recorded games."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.table.game import Game, View

__all__ = ["svg"]


def svg(source: Game | View, *, theme: str = "light", names: Sequence[str] = ()) -> str:
    """Return an SVG document of a seat's view with that seat's hand, or of a game with all hands open.

    Args:
        source: a view, or a game.
        theme: "light", "dark", or "auto", which follows the reader's settings in a browser.
        names: names of the players by seat; missing names become `player 0` and so on.

    Raises:
        OptionError: there is no such theme.
    """
    return source.picture(names).svg(theme)
