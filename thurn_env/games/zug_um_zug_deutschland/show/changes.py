"""Marks of claimed tracks and of passengers' places, see `thurn_env.games.show.changes`."""

from __future__ import annotations

from thurn_env.games.show.changes import Change, ring
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.show.map_block import TRAIN, spaces, track_owners
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import map_layout
from thurn_env.games.zug_um_zug_deutschland.show.picture import beside

AROUND = 5.0
"""Distance between a frame and the trains that it surrounds."""


def marks(rules: BoundRules, change: Change) -> dict[str, str]:
    """Return frames around newly claimed tracks, and rings around the places that passengers left."""
    layout = map_layout(rules.board, beside(rules))
    before, after = (track_owners(rules, layout, table["players"]) for table in (change.before, change.after))
    drawn = ""
    for track, earlier, owner in zip(layout.tracks, before, after, strict=True):
        if owner is not None and earlier is None:
            drawn += spaces(track, 1, TRAIN + AROUND, "latest-edge", 0)
            drawn += spaces(track, 1, TRAIN + AROUND, f"latest frame-{owner}", 0)
    for place, at, radius in zip(rules.board.places, layout.places, layout.radii, strict=True):
        taker = _taker(change, place.name)
        if taker is not None:
            drawn += ring(*at, radius + AROUND / 2, taker)
    return {"map": drawn}


def _taker(change: Change, place: str) -> int | None:
    """Return the first seat that may have taken a passenger from a place; None if nobody left it."""
    was, now = (table["waiting"][place] for table in (change.before, change.after))
    gone = [colour for colour, number in was.items() if now.get(colour, 0) < number]
    for seat, (earlier, later) in enumerate(zip(change.before["players"], change.after["players"], strict=True)):
        if any(later["passengers"].get(colour, 0) > earlier["passengers"].get(colour, 0) for colour in gone):
            return seat
    return None
