"""Style sheet of this game's pictures: common styles, the map, cards and passengers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from thurn_env.drawing.themes import THEMES, Styles, Theme, common_styles, mixed
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.rules.names import GREY, LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks

COLOURS = {
    "purple": "#9a58b0",
    "blue": "#2f7fd0",
    "orange": "#ec8420",
    "yellow": "#f0cd22",
    "white": "#ffffff",
    "green": "#45994a",
    "black": "#33373b",
    "red": "#d5383b",
    "brown": "#8a5a3a",
    "pink": "#ee86b7",
    GREY: "#aeb3b8",
}
"""Colours of cards, tracks and passengers by name; other names of a board get a colour by their index."""


def styles(board: Board) -> dict[str, Styles]:
    """Return the style sheets for a board, by theme."""
    return {name: common_styles(theme) | _map(theme) | _colours(board, theme) for name, theme in THEMES.items()}


@lru_cache(maxsize=32)
def colours_of_names(tracks: Tracks) -> Mapping[str, str]:
    """Return the colours of cards and tracks by name, and of passengers, which share some of these names."""
    board = tracks.board
    made = {GREY: COLOURS[GREY]}
    for names in (board.passenger_colours, board.colours):
        made |= {name: _colour(name, number) for number, name in enumerate(names)}
    return MappingProxyType(made | {claim.name: made[claim.colour] for claim in tracks.claims})


def card_class(board: Board, name: str) -> str:
    """Return the style of a card or a track."""
    if name in (GREY, LOCOMOTIVE):
        return name
    return f"colour-{board.colours.index(name)}"


def passenger_class(board: Board, name: str) -> str:
    """Return the style of a passenger."""
    return f"passenger-{board.passenger_colours.index(name)}"


def _map(theme: Theme) -> dict[str, str]:
    land = mixed(theme.paper, theme.muted, 0.13)
    return {
        ".land": f"fill:{land};stroke:{theme.line}",
        ".border": f"fill:none;stroke:{theme.muted};stroke-width:1.5;stroke-dasharray:1.5 2.5",
        ".space": f"stroke:{theme.muted};stroke-width:.9",
        ".closed": f"fill:{land};fill-opacity:.75;stroke:{land};stroke-opacity:.75",
        # A train has two edges, dark and light: one of them shows on a track of any colour.
        ".train": f"fill:{theme.on_seat};stroke:{theme.ink};stroke-width:1.2;stroke-linejoin:round",
        ".flag": f"stroke:{theme.ink};stroke-width:1;stroke-linejoin:round",
        ".hollow-flag": f"fill:{theme.paper}",
        ".pole": f"fill:none;stroke:{theme.ink};stroke-width:1.5;stroke-linecap:round",
        ".badge": f"stroke:{theme.paper};stroke-width:1.2",
        ".city": f"fill:{theme.paper};stroke:{theme.ink};stroke-width:1.3",
        ".country": f"fill:{land};stroke:{theme.muted};stroke-width:1.3",
        ".terminal": f"fill:{land};stroke:{theme.muted};stroke-width:1.3",
        ".passenger": f"stroke:{theme.ink};stroke-width:.7",
        ".band": f"stroke:{theme.muted};stroke-width:.7",
        ".none": "fill:none",
        ".halo": f"stroke:{land};stroke-width:3;stroke-opacity:.85;paint-order:stroke;stroke-linejoin:round",
        ".missing": f"fill:none;stroke:{theme.muted};stroke-width:1.2",
        ".tick": f"fill:none;stroke:{theme.ink};stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round",
    }


def _colours(board: Board, theme: Theme) -> dict[str, str]:
    made: dict[str, str] = {f".{GREY}": f"fill:{COLOURS[GREY]}"}
    for kind, names in (("colour", board.colours), ("passenger", board.passenger_colours)):
        for number, name in enumerate(names):
            made[f".{kind}-{number}"] = f"fill:{_colour(name, number)}"
    return made


def _colour(name: str, number: int) -> str:
    """Return the colour of a name; unknown names get one by their index in the board's list."""
    return COLOURS.get(name) or list(COLOURS.values())[number % (len(COLOURS) - 1)]
