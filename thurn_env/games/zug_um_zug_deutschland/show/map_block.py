"""The map: tracks as spaces in their colours, the trains on them, places and waiting passengers."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from thurn_env.drawing.elements import Point, circle, element, group, path, rectangle, text
from thurn_env.drawing.picture import Block
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import (
    NAME_SIZE,
    TERMINAL_RADIUS,
    WIDTH,
    MapLayout,
    Track,
    map_layout,
    passenger_places,
)
from thurn_env.games.zug_um_zug_deutschland.show.position import Position
from thurn_env.games.zug_um_zug_deutschland.show.signs import badge, passenger
from thurn_env.games.zug_um_zug_deutschland.show.styles import card_class, passenger_class
from thurn_env.games.zug_um_zug_deutschland.show.targets import map_targets
from thurn_env.games.zug_um_zug_deutschland.show.ticket_ends import ticket_ends

SPACE, TRAIN, CORE = 6.0, 8.0, 5.0
"""Widths of spaces, trains, and the part of a train in its owner's colour."""
GAP, CORE_GAP = 2.0, 4.4
"""Distance between two spaces of a track, and between the coloured parts of two trains."""
BADGE = 11.0
RING = 4.0


def map_block(rules: BoundRules, position: Position, x: float, y: float, least_height: float) -> Block:
    """Return the map with everything on it, with the given minimum height."""
    board = rules.board
    layout = map_layout(board, least_height)
    ground = _ground(board, least_height)
    owners = track_owners(rules, layout, position.players)
    layers = {
        "tracks": ground.tracks,
        "closed": _closed(rules, layout, owners),
        **{f"trains of {seat}": _trains(rules, layout, owners, seat) for seat in range(rules.players)},
        "places": ground.places,
        **{
            f"passengers in {place.name}": _waiting(board, layout, number, position.table["waiting"][place.name])
            for number, place in enumerate(board.places)
        },
        "ticket ends": ticket_ends(board, least_height, position),
        "asked": _asked(rules, layout, position.table),
    }
    targets = map_targets(rules, layout, owners, position.table)
    return Block("map", x, y, WIDTH, layout.height, layers, targets=targets)


class _Ground(NamedTuple):
    """Layers that are the same in all positions."""

    tracks: str
    places: str


@lru_cache(maxsize=32)
def _ground(board: Board, least_height: float) -> _Ground:
    layout = map_layout(board, least_height)
    drawn = rectangle(0.5, 0.5, WIDTH - 1, layout.height - 1, "land", 8)
    if layout.terminals:
        drawn += path("border", *((layout.places[country], point) for country, point in layout.terminals))
    for track in layout.tracks:
        pair = board.pairs[track.pair]
        title = element("title", "", escape(f"{pair.name} {track.colour}, {pair.length}"))
        drawn += group(title + spaces(track, pair.length, SPACE, f"space {card_class(board, track.colour)}"))
    for _, point in layout.terminals:
        drawn += circle(*point, TERMINAL_RADIUS, "terminal")
    return _Ground(drawn, _places(board, layout))


def _places(board: Board, layout: MapLayout) -> str:
    drawn = ""
    for place, at, radius, label in zip(board.places, layout.places, layout.radii, layout.labels, strict=True):
        drawn += circle(*at, radius, "country" if place.country else "city")
        style = "muted strong halo" if place.country else "ink halo"
        drawn += text(label.x, label.y, place.name, NAME_SIZE, style, label.anchor)
    return drawn


def spaces(track: Track, length: int, breadth: float, classes: str, distance: float = GAP) -> str:
    """Return the spaces of a track, or the trains on them: rectangles in a row."""
    (x, y), (end_x, end_y) = track.start, track.end
    step = (end_x - x) / length, (end_y - y) / length
    long = (step[0] ** 2 + step[1] ** 2) ** 0.5 or 1.0
    gap = min(distance, long / 2) / 2 / long
    aside = -step[1] / long * breadth / 2, step[0] / long * breadth / 2
    lines = []
    for space in range(length):
        ends = [(x + (space + part) * step[0], y + (space + part) * step[1]) for part in (gap, 1 - gap)]
        near, far = ((right + aside[0], down + aside[1]) for right, down in ends)
        back, behind = ((right - aside[0], down - aside[1]) for right, down in ends)
        lines.append([near, far, behind, back])
    return path(classes, *lines, closed=True)


def track_owners(rules: BoundRules, layout: MapLayout, players: list[dict[str, Any]]) -> list[int | None]:
    """Return the owner of every track of the map. Of equal tracks of a pair the first seat has the first."""
    claims = {claim.name: claim for claim in rules.tracks.claims}
    owners: list[int | None] = [None] * len(layout.tracks)
    for seat, player in enumerate(players):
        for name in player["tracks"]:
            claim = claims[name]
            free = [
                number
                for number, track in enumerate(layout.tracks)
                if (track.pair, track.colour) == (claim.pair, claim.colour) and owners[number] is None
            ]
            owners[free[0]] = seat
    return owners


def _closed(rules: BoundRules, layout: MapLayout, owners: list[int | None]) -> str:
    """Cross out the other tracks of a pair where the first claim closes them (G11)."""
    if rules.players >= rules.board.constants.all_tracks_from:
        return ""
    taken = {track.pair for track, owner in zip(layout.tracks, owners, strict=True) if owner is not None}
    return "".join(
        spaces(track, rules.board.pairs[track.pair].length, TRAIN, "closed")
        for track, owner in zip(layout.tracks, owners, strict=True)
        if owner is None and track.pair in taken
    )


def _trains(rules: BoundRules, layout: MapLayout, owners: list[int | None], seat: int) -> str:
    own = [track for track, owner in zip(layout.tracks, owners, strict=True) if owner == seat]
    trains = ""
    for track in own:
        length = rules.board.pairs[track.pair].length
        trains += spaces(track, length, TRAIN, "train") + spaces(track, length, CORE, f"seat-{seat}", CORE_GAP)
    return trains + "".join(badge(*_middle(track), seat, BADGE) for track in own)


def _middle(track: Track) -> Point:
    return (track.start[0] + track.end[0]) / 2, (track.start[1] + track.end[1]) / 2


def _waiting(board: Board, layout: MapLayout, place: int, waiting: dict[str, int]) -> str:
    """Return the passengers in a place, spread evenly over the ring when some have left."""
    there = [colour for colour, number in waiting.items() for _ in range(number)]
    return "".join(
        passenger(*at, passenger_class(board, colour))
        for colour, at in zip(there, passenger_places(layout.places[place], len(there)), strict=True)
    )


def _asked(rules: BoundRules, layout: MapLayout, table: dict[str, Any]) -> str:
    """Return a ring around the place whose passengers the player chooses from, and a frame around the claimed track."""
    seat = table["seat"]
    if table["place"] is not None:
        number = rules.board.place_index(table["place"])
        return circle(*layout.places[number], layout.radii[number] + RING, f"frame-{seat}")
    if table["claim"] is None:
        return ""
    claim = next(claim for claim in rules.tracks.claims if claim.name == table["claim"])
    return "".join(
        spaces(track, rules.board.pairs[track.pair].length, TRAIN, f"frame-{seat}")
        for track in layout.tracks
        if (track.pair, track.colour) == (claim.pair, claim.colour)
    )
