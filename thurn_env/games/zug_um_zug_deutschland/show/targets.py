"""Places of the map that stand for actions: free tracks, and the place whose passengers the player chooses from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from thurn_env.drawing.labels import Box
from thurn_env.drawing.picture import Target
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import (
    PASSENGER,
    PITCH,
    MapLayout,
    Track,
    passenger_places,
)

ALONE = 11.0
"""Width of the target of a track without a parallel one."""
REACH = 4.0
"""Margin around a place and its name."""


def map_targets(
    rules: BoundRules, layout: MapLayout, owners: Sequence[int | None], table: dict[str, Any]
) -> tuple[Target, ...]:
    """Return targets for the free tracks, and for the place with the passengers to choose from.

    Of equal tracks of a pair each free one stands for their one claim (P6).
    """
    pairs = rules.board.pairs
    free = [track for track, owner in zip(layout.tracks, owners, strict=True) if owner is None]
    tracks = [
        _track(track, ALONE if len(pairs[track.pair].colours) == 1 else PITCH, pairs[track.pair].name) for track in free
    ]
    # Where tracks meet at a place, narrow targets lie above wide ones.
    tracks.sort(key=lambda target: -target.height)
    if table["place"] is None:
        return tuple(tracks)
    return (*tracks, *_place(rules, layout, table["place"], table["waiting"][table["place"]]))


def _track(track: Track, breadth: float, pair: str) -> Target:
    """Return a track as a rectangle along its line."""
    (x, y), (end_x, end_y) = track.start, track.end
    along = math.dist(track.start, track.end)
    angle = math.degrees(math.atan2(end_y - y, end_x - x))
    left, top = (x + end_x - along) / 2, (y + end_y - breadth) / 2
    return Target(left, top, along, breadth, (f"claim {pair} {track.colour}",), angle)


def _place(rules: BoundRules, layout: MapLayout, name: str, waiting: dict[str, int]) -> list[Target]:
    """Return targets for all actions at a place: its name and area, and its passengers to take one of a colour."""
    number = rules.board.place_index(name)
    at, size = layout.places[number], 2 * layout.radii[number] + 2 * REACH
    choices = (*(f"passenger {colour}" for colour in waiting), "leave")
    colours = [colour for colour, count in waiting.items() for _ in range(count)]
    label = layout.labels[number].box
    return [
        _over(Box(label.left - REACH, label.top - REACH, label.right + REACH, label.bottom + REACH), choices),
        _over(Box.around(at, size, size), choices),
        *(
            _over(Box.around(there, PASSENGER, PASSENGER), (f"passenger {colour}",))
            for colour, there in zip(colours, passenger_places(at, len(colours)), strict=True)
        ),
    ]


def _over(box: Box, actions: tuple[str, ...]) -> Target:
    return Target(box.left, box.top, box.right - box.left, box.bottom - box.top, actions)
