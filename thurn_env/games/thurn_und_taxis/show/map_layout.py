"""Layout of the map. It depends only on the board and the number of players."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from thurn_env.drawing.elements import Point
from thurn_env.drawing.labels import Box, Label, Mark, place_labels
from thurn_env.drawing.writing import text_width
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.show.province_labels import Land, ProvinceLabel, place_province_labels
from thurn_env.games.thurn_und_taxis.show.regions import Corner, cells

WIDTH = 776
"""Width of the map in pixels."""
MOST_HEIGHT = 620
LEAST_HEIGHT = 320
MARGIN_X, MARGIN_Y = 60, 44
"""Margins between the frame and the outermost cities."""

CITY_SIZE = 13.0
MARK_RADIUS = 6.5
HOUSE = 14.0
"""Width and height of a house."""
HOUSE_REACH = 12.0
"""Distance from a city to the middle of its houses, horizontally and vertically."""
LEAST_DISTANCE = 2**0.5 * (2 * HOUSE_REACH + HOUSE + 1)
"""Minimum distance between two cities, so that their houses never overlap."""
SPREADING = 60
"""Number of iterations that move crowded cities apart."""
HOUSE_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Positions of the seats' houses around a city: left or right, above or below."""


@dataclass(frozen=True)
class MapLayout:
    """Layout of everything on the map, in pixels.

    Attributes:
        height: height of the map.
        cities: positions of the cities, in board order.
        cells: land of every city.
        city_boxes: box of every city, including all houses that it can hold.
        city_labels: label of every city's name.
        province_labels: label of every province's name; None where there is no room for it.
    """

    height: int
    cities: tuple[Point, ...]
    cells: tuple[list[Corner], ...]
    city_boxes: tuple[Box, ...]
    city_labels: tuple[Label, ...]
    province_labels: tuple[ProvinceLabel | None, ...]


def house_place(city: Point, seat: int) -> Point:
    """Return the centre of a seat's house in a city."""
    side, level = HOUSE_CORNERS[seat]
    return city[0] + side * HOUSE_REACH, city[1] + level * HOUSE_REACH


@lru_cache(maxsize=32)
def map_layout(board: Board, players: int) -> MapLayout:
    """Return the layout of a board's map."""
    cities, height = _scaled(board)
    frame = Box(0, 0, WIDTH, height)
    boxes = [_city_box(city, players) for city in cities]
    index = {city.name: number for number, city in enumerate(board.cities)}
    roads = [(cities[index[one]], cities[index[other]]) for one, other in board.roads]
    marks = [
        Mark(box, text_width(city.name, CITY_SIZE), CITY_SIZE) for city, box in zip(board.cities, boxes, strict=True)
    ]
    labels = place_labels(marks, roads, Box(4, 4, WIDTH - 4, height - 4))
    land = Land(cities, [city.province for city in board.cities], roads, frame)
    taken = [*boxes, *(label.box for label in labels)]
    return MapLayout(
        height,
        tuple(cities),
        tuple(cells(cities, WIDTH, height)),
        tuple(boxes),
        tuple(labels),
        tuple(place_province_labels([province.name for province in board.provinces], land, taken)),
    )


def _scaled(board: Board) -> tuple[list[Point], int]:
    """Return the cities in pixels, as large as they fit, and the height of the map."""
    left, right = min(city.x for city in board.cities), max(city.x for city in board.cities)
    top, bottom = min(city.y for city in board.cities), max(city.y for city in board.cities)
    across, down = max(1, right - left), max(1, bottom - top)
    scale = min((WIDTH - 2 * MARGIN_X) / across, (MOST_HEIGHT - 2 * MARGIN_Y) / down)
    height = max(LEAST_HEIGHT, round(down * scale + 2 * MARGIN_Y))
    start_x = (WIDTH - (right - left) * scale) / 2
    start_y = (height - (bottom - top) * scale) / 2
    cities = [(start_x + (city.x - left) * scale, start_y + (city.y - top) * scale) for city in board.cities]
    return _spread(cities, height), height


def _spread(cities: list[Point], height: int) -> list[Point]:
    """Return the cities, moved apart where their houses would overlap."""
    spread = cities.copy()
    for _ in range(SPREADING):
        crowded = False
        for (one, here), (other, there) in combinations(enumerate(spread), 2):
            across, down = there[0] - here[0], there[1] - here[1]
            distance = math.hypot(across, down)
            if distance >= LEAST_DISTANCE:
                continue
            crowded = True
            # Cities at the same place move apart in different directions.
            turn = math.atan2(down, across) if distance else float(other)
            step = (LEAST_DISTANCE - distance) / 2 + 0.1
            move_x, move_y = step * math.cos(turn), step * math.sin(turn)
            spread[one] = _within((spread[one][0] - move_x, spread[one][1] - move_y), height)
            spread[other] = _within((spread[other][0] + move_x, spread[other][1] + move_y), height)
        if not crowded:
            break
    return spread


def _within(city: Point, height: int) -> Point:
    """Return the point in the map that is nearest to a city."""
    return min(max(city[0], MARGIN_X), WIDTH - MARGIN_X), min(max(city[1], MARGIN_Y), height - MARGIN_Y)


def _city_box(city: Point, players: int) -> Box:
    houses = [Box.around(house_place(city, seat), HOUSE, HOUSE) for seat in range(players)]
    boxes = [Box.around(city, 2 * MARK_RADIUS, 2 * MARK_RADIUS), *houses]
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
