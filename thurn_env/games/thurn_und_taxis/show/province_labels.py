"""Placement of province names on their own land, clear of cities and city names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from thurn_env.drawing.elements import Point
from thurn_env.drawing.labels import Box
from thurn_env.drawing.writing import text_width
from thurn_env.games.thurn_und_taxis.show.regions import owner_of

SIZES = (11.0, 9.0)
"""Font sizes; the smaller one where there is no room for the larger."""
LETTER_SPACING = 2.0

_GRID = 12
"""Distance in pixels between the candidate places."""
_CLEARANCE = 5.0
_ROAD = 15.0
"""Cost of a pixel of road under the name, in pixels from the middle of the province's cities."""


@dataclass(frozen=True)
class ProvinceLabel:
    """Position and font size of a province's name."""

    box: Box
    size: float


@dataclass(frozen=True)
class Land:
    """The map as input of the placement of province names.

    Attributes:
        cities: positions of the cities.
        provinces: province of every city; None for free ones.
        roads: all roads from end to end.
        frame: the whole map.
    """

    cities: Sequence[Point]
    provinces: Sequence[str | None]
    roads: Sequence[tuple[Point, Point]]
    frame: Box

    def places(self) -> dict[str | None, list[Point]]:
        """Return points all over the map, by the province they lie in."""
        places: dict[str | None, list[Point]] = {}
        grid = product(range(_GRID, int(self.frame.right), _GRID), range(_GRID, int(self.frame.bottom), _GRID))
        for place in grid:
            places.setdefault(owner_of(place, self.cities, self.provinces), []).append(place)
        return places

    def middle(self, province: str) -> Point:
        """Return the mean position of a province's cities."""
        own = [city for city, owner in zip(self.cities, self.provinces, strict=True) if owner == province]
        return sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)


def place_province_labels(names: Sequence[str], land: Land, taken: Sequence[Box]) -> list[ProvinceLabel | None]:
    """Return a label for every province; None where there is no room for it."""
    places = land.places()
    labels: list[ProvinceLabel | None] = []
    for name in names:
        occupied = [*taken, *(label.box for label in labels if label is not None)]
        tried = (_best(name, size, places.get(name, []), land, occupied) for size in SIZES)
        labels.append(next((label for label in tried if label is not None), None))
    return labels


def _best(name: str, size: float, places: list[Point], land: Land, taken: list[Box]) -> ProvinceLabel | None:
    width = text_width(name.upper(), size, bold=True) + LETTER_SPACING * len(name)
    middle = land.middle(name)
    best, least = None, math.inf
    for place in places:
        box = Box.around(place, width, size)
        clear = Box.around(place, width + 2 * _CLEARANCE, size + 2 * _CLEARANCE)
        cost = math.dist(place, middle)
        if cost >= least or clear.outside(land.frame) or any(clear.overlap(other) for other in taken):
            continue
        cost += _ROAD * sum(box.crossing(*road) for road in land.roads)
        ends = product((clear.left, place[0], clear.right), (clear.top, clear.bottom))
        if cost < least and all(owner_of(end, land.cities, land.provinces) == name for end in ends):
            best, least = ProvinceLabel(box, size), cost
    return best
