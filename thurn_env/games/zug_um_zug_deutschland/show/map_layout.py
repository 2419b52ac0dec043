"""Layout of the map. It depends only on the board and on the height of the blocks beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from thurn_env.drawing.elements import Point
from thurn_env.drawing.labels import Box, Label, Mark, place_labels
from thurn_env.drawing.writing import text_width
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.facts import Pair

WIDTH = 540
"""Width of the map in pixels."""
MOST_HEIGHT = 836
MARGIN_X, MARGIN_Y = 34, 24
"""Margins between the frame and the outermost places."""

NAME_SIZE = 11.0
LEAST_RADIUS = 6.5
TERMINAL_RADIUS = 3.5
PASSENGER = 8.4
"""Width of a passenger."""
PITCH = 8.5
"""Distance between the middles of two parallel tracks."""
END_GAP = 1.5
"""Distance between a place and the first space of a track."""


@dataclass(frozen=True)
class Track:
    """One track: its pair, its colour, and its line from end to end."""

    pair: int
    colour: str
    start: Point
    end: Point


@dataclass(frozen=True)
class MapLayout:
    """Layout of everything on the map, in pixels.

    Attributes:
        height: height of the map.
        places: positions of the places, in board order.
        radii: radius of every place.
        labels: label of every place's name.
        tracks: all tracks, by pair.
        terminals: ends of tracks in countries: the country and the point.
    """

    height: float
    places: tuple[Point, ...]
    radii: tuple[float, ...]
    labels: tuple[Label, ...]
    tracks: tuple[Track, ...]
    terminals: tuple[tuple[int, Point], ...]


@lru_cache(maxsize=32)
def map_layout(board: Board, least_height: float = 0) -> MapLayout:
    """Return the layout of a board's map, with the given minimum height."""
    scale = _Scale(board, least_height)
    places = [scale((place.x, place.y)) for place in board.places]
    radii = [place_radius(place.passengers) for place in board.places]
    tracks = [
        track for number, pair in enumerate(board.pairs) for track in _tracks(board, number, pair, places, radii, scale)
    ]
    marks = [
        Mark(Box.around(at, 2 * radius, 2 * radius), text_width(place.name, NAME_SIZE), NAME_SIZE)
        for place, at, radius in zip(board.places, places, radii, strict=True)
    ]
    terminals = [
        (board.place_index(end), scale(pair.terminal))
        for pair in board.pairs
        for end in pair.ends
        if pair.terminal is not None and board.places[board.place_index(end)].country
    ]
    # Terminals have no names, but no name may cover them.
    marks += [Mark(Box.around(point, 2 * TERMINAL_RADIUS, 2 * TERMINAL_RADIUS), 0, 0) for _, point in terminals]
    lines = [(track.start, track.end) for track in tracks]
    labels = place_labels(marks, lines, Box(4, 4, WIDTH - 4, scale.height - 4))[: len(places)]
    return MapLayout(scale.height, tuple(places), tuple(radii), tuple(labels), tuple(tracks), tuple(terminals))


class _Scale:
    """Conversion of map units to pixels, as large as the map fits."""

    def __init__(self, board: Board, least_height: float) -> None:
        points = [(place.x, place.y) for place in board.places]
        points += [pair.terminal for pair in board.pairs if pair.terminal is not None]
        across, down = zip(*points, strict=True)
        wide, high = max(1, max(across) - min(across)), max(1, max(down) - min(down))
        self.scale = min((WIDTH - 2 * MARGIN_X) / wide, (MOST_HEIGHT - 2 * MARGIN_Y) / high)
        self.height = max(least_height, round(high * self.scale + 2 * MARGIN_Y))
        middle = (max(across) + min(across)) / 2, (max(down) + min(down)) / 2
        self.right = WIDTH / 2 - middle[0] * self.scale
        self.down = self.height / 2 - middle[1] * self.scale

    def __call__(self, point: tuple[int, int]) -> Point:
        return self.right + point[0] * self.scale, self.down + point[1] * self.scale


def place_radius(passengers: int) -> float:
    """Return the radius of a place with this initial number of passengers."""
    return max(LEAST_RADIUS, _ring(passengers) + PASSENGER / 2 + 0.5)


def _ring(passengers: int) -> float:
    """Return the radius of the ring on which passengers stand."""
    return 0.0 if passengers < 2 else PASSENGER / 2 / math.sin(math.pi / passengers)


def passenger_places(at: Point, passengers: int) -> list[Point]:
    """Return the positions of the passengers in a place: one in the middle, more on a ring."""
    ring = _ring(passengers)
    turns = [2 * math.pi * (number / max(1, passengers) - 0.25) for number in range(passengers)]
    return [(at[0] + ring * math.cos(turn), at[1] + ring * math.sin(turn)) for turn in turns]


def _tracks(
    board: Board, number: int, pair: Pair, places: list[Point], radii: list[float], scale: _Scale
) -> list[Track]:
    """Return the tracks of a pair, side by side."""
    ends, gaps = [], []
    for name in pair.ends:
        place = board.place_index(name)
        country = board.places[place].country and pair.terminal is not None
        ends.append(scale(pair.terminal) if country and pair.terminal is not None else places[place])
        gaps.append(END_GAP + (TERMINAL_RADIUS if country else radii[place]))
    (start_x, start_y), (end_x, end_y) = ends
    length = math.dist(*ends) or 1.0
    along = (end_x - start_x) / length, (end_y - start_y) / length
    tracks = []
    for lane, colour in enumerate(pair.colours):
        aside = PITCH * (lane - (len(pair.colours) - 1) / 2)
        right, down = -aside * along[1], aside * along[0]
        start = start_x + gaps[0] * along[0] + right, start_y + gaps[0] * along[1] + down
        end = end_x - gaps[1] * along[0] + right, end_y - gaps[1] * along[1] + down
        tracks.append(Track(number, colour, start, end))
    return tracks
