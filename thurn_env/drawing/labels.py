"""Placement of map labels beside their points, without overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thurn_env.drawing.elements import Anchor, Point


class Box(NamedTuple):
    """A rectangle: its left, top, right and bottom edges."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, centre: Point, width: float, height: float) -> Box:
        """Return the rectangle of a given size around a point."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def centre(self) -> Point:
        """Centre of the rectangle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlap(self, other: Box) -> float:
        """Return the area that two rectangles share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)

    def outside(self, frame: Box) -> float:
        """Return the area outside a frame."""
        return (self.right - self.left) * (self.bottom - self.top) - self.overlap(frame)

    def crossing(self, start: Point, end: Point) -> float:
        """Return the length of a line segment within the rectangle."""
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        first, last = 0.0, 1.0
        for step, room in ((-dx, x - self.left), (dx, self.right - x), (-dy, y - self.top), (dy, self.bottom - y)):
            if step == 0:
                if room < 0:
                    return 0.0
            elif step < 0:
                first = max(first, room / step)
            else:
                last = min(last, room / step)
        return max(0.0, last - first) * float((dx * dx + dy * dy) ** 0.5)


class Mark(NamedTuple):
    """A point of the map that gets a label: its surroundings and the label's size."""

    box: Box
    width: float
    height: float


class Label(NamedTuple):
    """A placed label: its box, and the side of it where the text is anchored, towards the mark."""

    box: Box
    anchor: Anchor

    @property
    def x(self) -> float:
        """X of the text's anchor."""
        return {"start": self.box.left, "middle": self.box.centre[0], "end": self.box.right}[self.anchor]

    @property
    def y(self) -> float:
        """Y of the text's middle."""
        return self.box.centre[1]


GAP = 2.0
"""Distance between a mark and its label."""
SWEEPS = 8

# Cost per unit of each fault. Overlaps are forbidden, roads under labels only undesirable.
_OVERLAP, _OUTSIDE, _ROAD = 100.0, 100.0, 1.0
# Readers expect names on the right, then above or below.
_SIDES = ("right", "below", "above", "left", "lower right", "upper right", "lower left", "upper left")


def place_labels(marks: Sequence[Mark], roads: Sequence[tuple[Point, Point]], frame: Box) -> list[Label]:
    """Place every label: the best of eight places around its mark, improved until no single move helps."""
    choices = [[_place(mark, side) for side in _SIDES] for mark in marks]
    fixed = [
        [
            _OVERLAP * sum(place.box.overlap(mark.box) for mark in marks)
            + _OUTSIDE * place.box.outside(frame)
            + _ROAD * sum(place.box.crossing(*road) for road in roads)
            + rank
            for rank, place in enumerate(places)
        ]
        for places in choices
    ]
    chosen = [costs.index(min(costs)) for costs in fixed]
    for _ in range(SWEEPS):
        before = chosen.copy()
        for index, (places, costs) in enumerate(zip(choices, fixed, strict=True)):
            others = [choices[other][chosen[other]].box for other in range(len(marks)) if other != index]
            total = [
                cost + _OVERLAP * sum(place.box.overlap(other) for other in others)
                for place, cost in zip(places, costs, strict=True)
            ]
            chosen[index] = total.index(min(total))
        if chosen == before:
            break
    return [places[choice] for places, choice in zip(choices, chosen, strict=True)]


def _place(mark: Mark, side: str) -> Label:
    x, y = mark.box.centre
    anchor: Anchor = "middle"
    if "right" in side:
        x, anchor = mark.box.right + GAP + mark.width / 2, "start"
    elif "left" in side:
        x, anchor = mark.box.left - GAP - mark.width / 2, "end"
    if side in ("above", "below") or " " in side:
        # The corners overlap the mark in height a little: there is room beside it.
        reach = mark.height / 2 + (GAP if " " not in side else -mark.height / 3)
        y = mark.box.top - reach if side.startswith(("above", "upper")) else mark.box.bottom + reach
    return Label(Box.around((x, y), mark.width, mark.height), anchor)
