"""Symbols of this game: players' badges, passengers, trains."""

from __future__ import annotations

from functools import lru_cache

from thurn_env.drawing.elements import circle, element, group, number, rectangle, text

TRAIN_WIDTH = 12.0
"""Width of the train in a player's panel."""


def badge(x: float, y: float, seat: int, size: float) -> str:
    """Return a player's badge around a point, in the seat's colour and with its number."""
    return group(
        circle(0, 0, size / 2, f"badge seat-{seat}") + text(0, 0, str(seat), size * 0.75, "on-seat strong", "middle"),
        x,
        y,
    )


@lru_cache(maxsize=1024)  # passengers wait in the same places in all positions
def passenger(x: float, y: float, style: str, size: float = 7.4) -> str:
    """Return a passenger around a point."""
    head, foot, wide = 0.24 * size, 0.5 * size, 0.4 * size
    neck = -0.1 * size
    shape = (
        f"M{number(-wide)} {number(foot)}Q{number(-wide)} {number(neck / 2)} {number(-head)} {number(neck)}"
        f"A{number(head)} {number(head)} 0 1 1 {number(head)} {number(neck)}"
        f"Q{number(wide)} {number(neck / 2)} {number(wide)} {number(foot)}Z"
    )
    return group(element("path", f"passenger {style}", d=shape), x, y)


def train(x: float, y: float, seat: int) -> str:
    """Return a train with its left edge at x and its middle at y."""
    return rectangle(x, y - 4, TRAIN_WIDTH, 8, "train", 1) + rectangle(x + 2, y - 2, TRAIN_WIDTH - 4, 4, f"seat-{seat}")
