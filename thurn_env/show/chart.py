"""Line chart of the scores during a game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from thurn_env.drawing.elements import Point, circle, element, number, path, signed, text
from thurn_env.drawing.themes import SEATS

WIDTH, HEIGHT = 560.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 28.0, 14.0, 40.0
SIZE = 12.0
BADGE = 8.0
MOST_TICKS = 6
LEAST_APART = 34.0
"""Minimum distance between two round labels."""


class Chart(NamedTuple):
    """A chart and the x positions of the game's positions in it.

    Attributes:
        svg: the chart.
        width: width of the chart.
        first, last: x of the first and of the last position.
    """

    svg: str
    width: float
    first: float
    last: float


def score_chart(scores: Sequence[Sequence[int]], rounds: Sequence[int]) -> Chart:
    """Return a chart of the scores of all seats after every move.

    Args:
        scores: scores by position, then seat; the first position is that before the first move.
        rounds: number of full rounds played, by position.
    """
    first, last, bottom = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM
    ticks = _ticks(min(map(min, scores)), max(map(max, scores)))
    across = (last - first) / max(1, len(scores) - 1)
    up = (bottom - TOP) / (ticks[-1] - ticks[0])

    def place(position: float, score: float) -> Point:
        return first + position * across, bottom - (score - ticks[0]) * up

    levels = [place(0, tick)[1] for tick in ticks]
    drawn = [path("rule", *([(first, level), (last, level)] for level in levels))]
    drawn += [
        text(first - 7, level, signed(tick), SIZE, "muted", "end") for tick, level in zip(ticks, levels, strict=True)
    ]
    drawn += [
        text(x, bottom + 14, str(name), SIZE, "muted", "middle") for x, name in _round_names(rounds, first, across)
    ]
    drawn.append(text((first + last) / 2, bottom + 31, "round", SIZE, "muted", "middle"))
    for seat in range(len(scores[0])):
        line = []
        for position, row in enumerate(scores):
            if position == 0 or row[seat] != scores[position - 1][seat]:
                line += [place(position, scores[max(0, position - 1)][seat]), place(position, row[seat])]
        drawn.append(path(f"score line-{seat % SEATS}", [*line, place(len(scores) - 1, scores[-1][seat])]))
    ends = _apart([place(0, score)[1] for score in scores[-1]])
    for seat, level in enumerate(ends):
        drawn.append(circle(last + BADGE + 6, level, BADGE, f"seat-{seat % SEATS}"))
        drawn.append(text(last + BADGE + 6, level, str(seat), SIZE - 1, "on-seat strong", "middle"))
    cursor = element("path", "cursor", d=f"M0 {number(TOP)}V{number(bottom)}", id="cursor")
    svg = (
        f'<svg id="chart" viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" role="img" '
        f'aria-label="Scores after every move">{"".join(drawn)}{cursor}</svg>'
    )
    return Chart(svg, WIDTH, first, last)


def _ticks(least: int, most: int) -> list[int]:
    """Return axis ticks that cover the range from `least` to `most`."""
    span = max(1, most - least)
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if span / step < MOST_TICKS)
    lowest = math.floor(least / step) * step
    return list(range(lowest, max(most, lowest + 1) + step, step))


def _round_names(rounds: Sequence[int], first: float, across: float) -> list[tuple[float, int]]:
    """Return the x positions and numbers of rounds, as many as fit."""
    begins = {done + 1: position for position, done in reversed(list(enumerate(rounds)))}
    named: list[tuple[float, int]] = []
    for round_number, position in sorted(begins.items()):
        x = first + position * across
        if position < len(rounds) - 1 and (not named or x - named[-1][0] >= LEAST_APART):
            named.append((x, round_number))
    return named


def _apart(levels: Sequence[float]) -> list[float]:
    """Return heights moved apart so that badges at them do not overlap."""
    placed, apart = list(levels), 2 * BADGE + 1
    order = sorted(range(len(levels)), key=lambda index: levels[index])
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + apart)
    # Keep all badges within the chart.
    placed[order[-1]] = min(placed[order[-1]], HEIGHT - BOTTOM + BADGE)
    for after, before in pairwise(reversed(order)):
        placed[before] = min(placed[before], placed[after] - apart)
    return placed
