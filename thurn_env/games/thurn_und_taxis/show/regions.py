"""Land around cities: every point belongs to the nearest city (Voronoi cells)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from thurn_env.drawing.elements import Point, number

Owner = TypeVar("Owner")
Corner = tuple[float, float, int]
"""A corner of a cell, and the city beyond the side that begins there; -1: the frame."""

_APART = 0.5
"""Corners nearer than this are merged."""
_ROUNDING = 14.0


def cells(cities: Sequence[Point], width: float, height: float) -> list[list[Corner]]:
    """Return for every city the part of the frame that is nearer to it than to any other, as a polygon."""
    frame: list[Corner] = [(0, 0, -1), (width, 0, -1), (width, height, -1), (0, height, -1)]
    made = []
    for index, (x, y) in enumerate(cities):
        cell = frame
        for other, (there_x, there_y) in enumerate(cities):
            if other != index and (x, y) != (there_x, there_y):
                # Nearer means on this side of the perpendicular bisector.
                across = there_x - x, there_y - y
                middle = across[0] * (x + there_x) / 2 + across[1] * (y + there_y) / 2
                cell = _cut(cell, across, middle, other)
        made.append(cell)
    return made


def _cut(cell: list[Corner], across: Point, limit: float, beyond: int) -> list[Corner]:
    """Return the part of a convex polygon where `across . point <= limit`; `beyond` labels the new side."""
    kept: list[Corner] = []
    for (x, y, side), (next_x, next_y, _) in zip(cell, cell[1:] + cell[:1], strict=True):
        here = across[0] * x + across[1] * y - limit
        there = across[0] * next_x + across[1] * next_y - limit
        if here <= 0:
            kept.append((x, y, side))
        if (here <= 0) != (there <= 0):
            part = here / (here - there)
            kept.append((x + part * (next_x - x), y + part * (next_y - y), beyond if here <= 0 else side))
    return kept


def outlines(cells: Sequence[Sequence[Corner]], owners: Sequence[Owner], owner: Owner) -> list[list[Point]]:
    """Return the borders of an owner's area: one closed line for every part (and for every hole)."""
    sides: dict[Point, list[Point]] = {}
    for cell, belongs in zip(cells, owners, strict=True):
        if belongs != owner:
            continue
        for (x, y, beyond), (next_x, next_y, _) in zip(cell, [*cell[1:], cell[0]], strict=True):
            start, end = _snapped(x, y), _snapped(next_x, next_y)
            if start != end and (beyond < 0 or owners[beyond] != owner):
                sides.setdefault(start, []).append(end)
    made = []
    while sides:
        first = here = next(iter(sides))
        line = []
        while here in sides:
            line.append(here)
            following = sides[here].pop()
            if not sides[here]:
                del sides[here]
            here = following
            if here == first:
                break
        if len(line) > 2:
            made.append(line)
    return made


def _snapped(x: float, y: float) -> Point:
    return round(x / _APART) * _APART, round(y / _APART) * _APART


def rounded(line: Sequence[Point]) -> str:
    """Return the path of a closed line with rounded corners."""
    steps = []
    for before, corner, after in zip([line[-1], *line[:-1]], line, [*line[1:], line[0]], strict=True):
        start, end = _towards(corner, before), _towards(corner, after)
        steps.append(f"{_shown(start)}Q{_shown(corner)} {_shown(end)}")
    return f"M{'L'.join(steps)}Z"


def _towards(corner: Point, other: Point) -> Point:
    """Return the point on the way from a corner where its rounding ends."""
    length = math.dist(corner, other)
    part = min(_ROUNDING / length, 0.5)
    return corner[0] + part * (other[0] - corner[0]), corner[1] + part * (other[1] - corner[1])


def _shown(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def owner_of(place: Point, cities: Sequence[Point], owners: Sequence[Owner]) -> Owner:
    """Return the owner of a point."""
    distances = [math.dist(place, city) for city in cities]
    return owners[distances.index(min(distances))]
