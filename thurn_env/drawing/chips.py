"""Small drawings in rows: cards, stops of a route, tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from thurn_env.drawing.elements import group, rectangle, text
from thurn_env.drawing.picture import Target
from thurn_env.drawing.writing import shortened, text_width


class Chip(NamedTuple):
    """A small drawing whose upper left corner is at (0, 0), and the actions that it stands for."""

    width: float
    content: str
    actions: tuple[str, ...] = ()


class InRows(NamedTuple):
    """Chips drawn in rows, and those of them that stand for actions."""

    content: str
    targets: tuple[Target, ...]


class Rows(NamedTuple):
    """Layout of chips.

    Attributes:
        size: font size of their text.
        height: height of a chip.
        pitch: distance from one row to the next.
        rows: maximum number of rows.
    """

    size: float
    height: float
    pitch: float
    rows: int


WIDE = Rows(size=11.5, height=20, pitch=24, rows=2)
NARROW = Rows(size=9.5, height=15, pitch=16, rows=3)
"""The same room in smaller print, for players with many cards."""
CHIP_GAP = 5.0
BAND = 5.0
MOST_TEXT = 120.0


def card_chip(name: str, rows: Rows, style: str, extras: Sequence[Chip] = ()) -> Chip:
    """Return the chip of an open card: a colour band, its name, and optional extras."""
    shown = shortened(name, MOST_TEXT, rows.size)
    start = BAND + 0.4 * rows.size
    inside, width = _behind(start + text_width(shown, rows.size), rows, extras)
    return Chip(
        width,
        rectangle(0, 0, width, rows.height, "card", 3)
        + rectangle(1.5, 1.5, BAND - 1.5, rows.height - 3, style, 1.5)
        + text(start, rows.height / 2, shown, rows.size)
        + inside,
    )


def back_chip(label: str, rows: Rows, extras: Sequence[Chip] = ()) -> Chip:
    """Return the chip of cards lying face down, with a label and optional extras."""
    start = 0.5 * rows.size
    inside, width = _behind(start + text_width(label, rows.size), rows, extras)
    return Chip(
        width,
        rectangle(0, 0, width, rows.height, "back", 3) + text(start, rows.height / 2, label, rows.size) + inside,
    )


def _behind(x: float, rows: Rows, extras: Sequence[Chip]) -> tuple[str, float]:
    """Place extras side by side from x on; return their SVG and the right end of the chip."""
    drawn = ""
    for extra in extras:
        x += 0.3 * rows.size
        drawn += group(extra.content, x)
        x += extra.width
    return drawn, x + 0.5 * rows.size


def count_chip(number: int, rows: Rows) -> Chip:
    """Return a chip that shows a count."""
    label = f"\N{MULTIPLICATION SIGN}{number}"
    return Chip(text_width(label, rows.size, bold=True), text(0, rows.height / 2, label, rows.size, "ink strong"))


def plain_chip(label: str, rows: Rows) -> Chip:
    """Return a chip of plain text."""
    return Chip(text_width(label, rows.size), text(0, rows.height / 2, label, rows.size, "muted"))


def set_in_rows(make: Callable[[Rows], Sequence[Chip]], room: float) -> InRows:
    """Place chips in wide rows, or in narrow ones if needed; a count replaces those that still do not fit."""
    for rows in (WIDE, NARROW):
        chips = make(rows)
        places = flow([chip.width for chip in chips], room, CHIP_GAP)
        if not places or places[-1][0] < rows.rows:
            return _placed(chips, places, rows)
    return _cut_short(chips, rows, room)


def _cut_short(chips: Sequence[Chip], rows: Rows, room: float) -> InRows:
    for kept in range(len(chips) - 1, -1, -1):
        more = [*chips[:kept], plain_chip(f"and {len(chips) - kept} more", rows)]
        places = flow([chip.width for chip in more], room, CHIP_GAP)
        if places[-1][0] < rows.rows:
            break
    return _placed(more, places, rows)


def _placed(chips: Sequence[Chip], places: Sequence[tuple[int, float]], rows: Rows) -> InRows:
    placed = [(chip, x, row * rows.pitch) for chip, (row, x) in zip(chips, places, strict=True)]
    return InRows(
        "".join(group(chip.content, x, y) for chip, x, y in placed),
        tuple(Target(x, y, chip.width, rows.height, chip.actions) for chip, x, y in placed if chip.actions),
    )


def flow(widths: Sequence[float], room: float, gap: float) -> list[tuple[int, float]]:
    """Return the row and left edge of items that are placed side by side and wrapped like words."""
    places = []
    row, x = 0, 0.0
    for width in widths:
        if x and x + width > room:
            row, x = row + 1, 0.0
        places.append((row, x))
        x += width + gap
    return places
