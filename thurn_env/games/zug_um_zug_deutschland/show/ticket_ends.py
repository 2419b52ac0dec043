"""Flags on the map: the ends of the tickets that somebody still has to connect."""

from __future__ import annotations

from functools import lru_cache

from thurn_env.drawing.elements import Point, group, path
from thurn_env.drawing.labels import Box
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import MapLayout, map_layout
from thurn_env.games.zug_um_zug_deutschland.show.position import COMPLETED, OFFERED, Position

FLAG = 12.0
"""Width and height of a flag."""
CORNERS = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""Places of a flag beside its place of the map: right or left, above or below."""


def ticket_ends(board: Board, least_height: float, position: Position) -> str:
    """Return a flag at every end of a ticket that is not completed.

    The flags are those of the seat whose tickets alone are shown, or else of the player to move. Flags of tickets that
    are only offered are hollow.
    """
    seat = _seat(position)
    tickets = position.tickets[seat] if seat is not None else None
    flags: dict[str, str] = {}
    for ticket in tickets or []:
        if ticket.state != COMPLETED:
            style = "flag hollow-flag" if ticket.state == OFFERED else f"flag seat-{seat}"
            for end in ticket.ends:
                # A ticket that is held hides the hollow flag of one that is offered.
                flags[end] = style if ticket.state != OFFERED else flags.get(end, style)
    places = _places(board, least_height)
    return "".join(_flag(places[board.place_index(end)], style) for end, style in flags.items())


def _seat(position: Position) -> int | None:
    """Return the seat whose tickets are marked; None after the end."""
    if position.over:
        return None
    shown = [seat for seat, tickets in enumerate(position.tickets) if tickets is not None]
    return shown[0] if len(shown) == 1 else position.seat


@lru_cache(maxsize=32)
def _places(board: Board, least_height: float) -> list[Point]:
    """Return the middle of every place's flag, where it covers the least of the names."""
    layout = map_layout(board, least_height)
    return [_free_corner(layout, place) for place in range(len(layout.places))]


def _free_corner(layout: MapLayout, place: int) -> Point:
    (x, y), reach = layout.places[place], 0.7 * layout.radii[place] + FLAG / 2
    corners = [(x + right * reach, y + down * reach) for right, down in CORNERS]
    return min(corners, key=lambda at: sum(label.box.overlap(Box.around(at, FLAG, FLAG)) for label in layout.labels))


def _flag(at: Point, style: str) -> str:
    half = FLAG / 2
    pole = path("pole", [(-half + 1.5, -half), (-half + 1.5, half)])
    cloth = path(style, [(-half + 1.5, -half), (half, -half / 2), (-half + 1.5, 0.5)], closed=True)
    return group(pole + cloth, *at)
