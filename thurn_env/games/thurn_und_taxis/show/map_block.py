"""The map: land, roads, cities, the routes of all players and their houses."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from thurn_env.drawing.elements import Point, circle, element, group, path, text
from thurn_env.drawing.picture import Block
from thurn_env.games.thurn_und_taxis.show.map_layout import (
    CITY_SIZE,
    HOUSE,
    MARK_RADIUS,
    WIDTH,
    MapLayout,
    house_place,
    map_layout,
)
from thurn_env.games.thurn_und_taxis.show.regions import outlines, rounded
from thurn_env.games.thurn_und_taxis.show.targets import map_targets

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.board.board import Board
    from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules

RING = 3.5
ROUTE_SPACING = 7.0
"""Distance between the middles of two routes on the same road."""


def map_block(rules: BoundRules, players: list[dict[str, Any]], x: float, y: float) -> Block:
    """Return the map with routes and houses; `players` as `words.public` returns them."""
    board = rules.board
    layout = map_layout(board, rules.players)
    cities = {name: rules.variant.kinds[kind].city for name, kind in rules.kind_indices.items()}
    routes = [[cities[card] for card in player["route"]] for player in players]
    indices = {city.name: index for index, city in enumerate(board.cities)}
    houses = [[indices[name] for name in player["houses"]] for player in players]
    ground = _ground(board, rules.players)
    layers = {
        "land": ground.land,
        "roads": ground.roads,
        "routes": _routes(layout, routes),
        "cities": ground.cities,
        **{f"houses of {seat}": _houses(layout, seat, owned) for seat, owned in enumerate(houses)},
    }
    return Block("map", x, y, WIDTH, layout.height, layers, targets=map_targets(rules))


class _Ground(NamedTuple):
    """Layers that are the same in all positions."""

    land: str
    roads: str
    cities: str


@lru_cache(maxsize=32)
def _ground(board: Board, players: int) -> _Ground:
    layout = map_layout(board, players)
    roads = _roads(board, layout) + _province_names(board, layout)
    return _Ground(_land(board, layout), roads, _cities(board, layout))


def _land(board: Board, layout: MapLayout) -> str:
    """Return the provinces, each as one area. Free cities lie on neutral land."""
    owners = [city.province for city in board.cities]
    areas = []
    for style, owner in (*((f"land-{n}", province.name) for n, province in enumerate(board.provinces)), ("land", None)):
        lines = outlines(layout.cells, owners, owner)
        if lines:
            areas.append(element("path", f"land {style}", d="".join(map(rounded, lines)), fill_rule="evenodd"))
    return "".join(areas)


def _roads(board: Board, layout: MapLayout) -> str:
    indices = {city.name: index for index, city in enumerate(board.cities)}
    lines = [(layout.cities[indices[one]], layout.cities[indices[other]]) for one, other in board.roads]
    return path("road-edge", *lines) + path("road", *lines)


def _province_names(board: Board, layout: MapLayout) -> str:
    return "".join(
        text(*label.box.centre, province.name.upper(), label.size, f"province name-{number}", "middle")
        for number, (province, label) in enumerate(zip(board.provinces, layout.province_labels, strict=True))
        if label is not None
    )


def _cities(board: Board, layout: MapLayout) -> str:
    provinces = {province.name: f"city-{number}" for number, province in enumerate(board.provinces)}
    drawn = []
    for city, (x, y), label in zip(board.cities, layout.cities, layout.city_labels, strict=True):
        style = "city-free" if city.province is None else provinces[city.province]
        drawn.append(circle(x, y, MARK_RADIUS, f"city {style}"))
        drawn.append(text(label.x, label.y, city.name, CITY_SIZE, "ink halo", label.anchor))
    return "".join(drawn)


def _routes(layout: MapLayout, routes: list[list[int]]) -> str:
    """Return every player's route along its roads, side by side where they share one."""
    users: dict[tuple[int, int], list[int]] = {}
    for seat, route in enumerate(routes):
        for one, other in pairwise(route):
            users.setdefault((min(one, other), max(one, other)), []).append(seat)
    lines: list[list[list[Point]]] = [[] for _ in routes]
    for (one, other), seats in users.items():
        for place, seat in enumerate(seats):
            aside = ROUTE_SPACING * (place - (len(seats) - 1) / 2)
            lines[seat].append(_shifted(layout.cities[one], layout.cities[other], aside))
    under, over = [], []
    rings: dict[int, int] = {}
    for seat, (route, ways) in enumerate(zip(routes, lines, strict=True)):
        if ways:
            under.append(path("route-edge", *ways))
            over.append(path(f"line-{seat}", *ways))
        if len(route) == 1:
            # A route of one city has no line yet: draw a ring, with larger rings for other players who begin there.
            inner = rings[route[0]] = rings.get(route[0], 0) + 1
            over.append(circle(*layout.cities[route[0]], MARK_RADIUS + RING * inner, f"frame-{seat}"))
    return "".join(under + over)


def _shifted(start: Point, end: Point, aside: float) -> list[Point]:
    """Return a line moved sideways."""
    length = math.dist(start, end) or 1.0
    move_x, move_y = aside * (start[1] - end[1]) / length, aside * (end[0] - start[0]) / length
    return [(start[0] + move_x, start[1] + move_y), (end[0] + move_x, end[1] + move_y)]


def _houses(layout: MapLayout, seat: int, cities: list[int]) -> str:
    return "".join(house(*house_place(layout.cities[city], seat), seat) for city in cities)


def house(x: float, y: float, seat: int, size: float = HOUSE) -> str:
    """Return a house around a point, in a seat's colour and with its number."""
    half, eaves = size / 2, -size * 0.08
    walls = [(-half, eaves), (0, -half), (half, eaves), (half, half), (-half, half)]
    digit = text(0, size * 0.14, str(seat), size * 0.68, "on-seat strong", "middle")
    return group(path(f"house seat-{seat}", walls, closed=True) + digit, x, y)
