"""Style sheet of this game's pictures: common styles, the map, and the board's provinces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from thurn_env.drawing.themes import THEMES, Styles, Theme, common_styles, mixed
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.rules.variant import Variant
from thurn_env.games.thurn_und_taxis.show.province_labels import LETTER_SPACING


@lru_cache(maxsize=32)
def styles(board: Board) -> Mapping[str, Styles]:
    """Return the style sheets for a board, by theme."""
    return MappingProxyType(
        {
            name: MappingProxyType(common_styles(theme) | _map(theme) | _provinces(board, theme))
            for name, theme in THEMES.items()
        }
    )


@lru_cache(maxsize=32)
def colours_of_names(board: Board, variant: Variant) -> Mapping[str, str]:
    """Return the colours of provinces, of their cities and of their cards, by name."""
    colours = {province.name: province.colour for province in board.provinces}
    made = dict(colours)
    for city in board.cities:
        if city.province is not None:
            made[city.name] = colours[city.province]
    for kind in variant.kinds:
        city = board.cities[kind.city]
        if city.province is not None:
            made[kind.name] = colours[city.province]
    return MappingProxyType(made)


def _map(theme: Theme) -> dict[str, str]:
    free = mixed(theme.paper, theme.muted, 0.13)
    return {
        ".land": f"fill:{free};stroke:{theme.paper};stroke-width:3;stroke-linejoin:round",
        ".road-edge": f"fill:none;stroke:{theme.road_edge};stroke-width:5",
        ".road": f"fill:none;stroke:{theme.road};stroke-width:3",
        ".route-edge": f"fill:none;stroke:{theme.paper};stroke-width:9;stroke-linecap:round",
        ".city": f"stroke:{theme.ink};stroke-width:1.5",
        ".city-free": f"fill:{theme.paper}",
        ".band": f"stroke:{theme.line};stroke-width:.5",
        ".hiding": f"stroke:{theme.raised};stroke-width:5;paint-order:stroke",
        ".joint": f"stroke:{theme.muted};stroke-width:1.5",
        ".shoe": f"fill:none;stroke:{theme.muted};stroke-width:1.8",
        ".house": f"stroke:{theme.paper};stroke-width:2;paint-order:stroke;stroke-linejoin:round",
        ".halo": f"stroke:{theme.paper};stroke-width:3;stroke-opacity:.85;paint-order:stroke;stroke-linejoin:round",
        ".province": f"font-weight:600;letter-spacing:{LETTER_SPACING}px",
    }


def _provinces(board: Board, theme: Theme) -> dict[str, str]:
    made: dict[str, str] = {}
    for number, province in enumerate(board.provinces):
        made[f".land-{number}"] = f"fill:{mixed(province.colour, theme.paper, 0.72)}"
        made[f".name-{number}"] = f"fill:{mixed(province.colour, theme.ink, 0.5)}"
        made[f".city-{number}"] = f"fill:{province.colour}"
    return made
