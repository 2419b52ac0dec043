"""The land around cities: every place belongs to the city that is nearest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from thurn_env.drawing.elements import Point, number

Owner = TypeVar("Owner")
Corner = tuple[float, float, int]
"""A corner of a cell, and which city lies beyond the side that begins there; -1: the frame."""

_APART = 0.5
"""Corners nearer than this are one."""
_ROUNDING = 14.0


def cells(cities: Sequence[Point], width: float, height: float) -> list[list[Corner]]:
    """For every city the part of the frame that is nearer to it than to any other, as a polygon."""
    frame: list[Corner] = [(0, 0, -1), (width, 0, -1), (width, height, -1), (0, height, -1)]
    made = []
    for index, (x, y) in enumerate(cities):
        cell = frame
        for other, (there_x, there_y) in enumerate(cities):
            if other != index and (x, y) != (there_x, there_y):
                # Nearer means: on this side of the line half-way between.
                across = there_x - x, there_y - y
                middle = across[0] * (x + there_x) / 2 + across[1] * (y + there_y) / 2
                cell = _cut(cell, across, middle, other)
        made.append(cell)
    return made


def _cut(cell: list[Corner], across: Point, limit: float, beyond: int) -> list[Corner]:
    """The part of a convex polygon where `across . point <= limit`; what is cut off lies `beyond` the new side."""
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
    """The borders of all that belongs to an owner: one closed line for every part (and for every hole)."""
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
    """The path of a closed line with its corners rounded."""
    steps = []
    for before, corner, after in zip([line[-1], *line[:-1]], line, [*line[1:], line[0]], strict=True):
        start, end = _towards(corner, before), _towards(corner, after)
        steps.append(f"{_shown(start)}Q{_shown(corner)} {_shown(end)}")
    return f"M{'L'.join(steps)}Z"


def _towards(corner: Point, other: Point) -> Point:
    """A point on the way from a corner, where its rounding ends."""
    length = math.dist(corner, other)
    part = min(_ROUNDING / length, 0.5)
    return corner[0] + part * (other[0] - corner[0]), corner[1] + part * (other[1] - corner[1])


def _shown(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def owner_of(place: Point, cities: Sequence[Point], owners: Sequence[Owner]) -> Owner:
    """To whom a place belongs."""
    distances = [math.dist(place, city) for city in cities]
    return owners[distances.index(min(distances))]
