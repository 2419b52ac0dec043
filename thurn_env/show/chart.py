"""Line charts of a game: the scores, and the chances to win."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from thurn_env.drawing.elements import Point, circle, element, number, path, signed, text
from thurn_env.drawing.themes import SEATS

WIDTH, HEIGHT = 560.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 28.0, 14.0, 40.0
SIZE = 12.0
BADGE = 8.0
DOT = 4.0
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
    ticks = _ticks(min(map(min, scores)), max(map(max, scores)))

    def place(position: int, score: float) -> Point:
        share = (score - ticks[0]) / (ticks[-1] - ticks[0])
        return _place(position, len(scores), share)

    drawn = []
    for seat in range(len(scores[0])):
        line = []
        for position, row in enumerate(scores):
            if position == 0 or row[seat] != scores[position - 1][seat]:
                line += [place(position, scores[max(0, position - 1)][seat]), place(position, row[seat])]
        drawn.append(path(f"score line-{seat % SEATS}", [*line, place(len(scores) - 1, scores[-1][seat])]))
    drawn.append(_badges([place(0, score)[1] for score in scores[-1]]))
    levels = [(place(0, tick)[1], signed(tick)) for tick in ticks]
    return _chart("Scores after every move", levels, rounds, "".join(drawn))


def chance_chart(rounds: Sequence[int]) -> Chart:
    """Return an empty chart of the chances to win; `chance_lines` returns the contents of its group `chance-lines`.

    Args:
        rounds: number of full rounds played, by position.
    """
    levels = [(_place(0, 1, percent / 100)[1], f"{percent}%") for percent in range(0, 101, 25)]
    content = '<g id="chance-lines"></g>'
    return _chart("Chance to win of every player before every move", levels, rounds, content)


def chance_lines(chances: Sequence[Sequence[float]], positions: int, marks: Sequence[tuple[int, int, str]] = ()) -> str:
    """Return the lines of a chart of chances to win.

    Args:
        chances: win probabilities by position, then seat; empty at a position where they are unknown. There may be
            fewer positions than the game has.
        positions: number of positions of the game.
        marks: marks of moves: the position before the move, the seat of its player, and the mark.
    """
    known = [(position, row) for position, row in enumerate(chances) if row]
    if not known:
        return ""
    drawn = []
    for seat in range(len(known[0][1])):
        line = [_place(position, positions, _share(row[seat])) for position, row in known]
        drawn.append(path(f"score line-{seat % SEATS}", line))
    for position, seat, mark in marks:
        if position < len(chances) and chances[position]:
            x, y = _place(position, positions, _share(chances[position][seat]))
            drawn.append(circle(x, y, DOT, f"seat-{seat % SEATS}"))
            # Above the line, or below it where it runs along the upper edge.
            drawn.append(text(x, y - 12 if y > TOP + 14 else y + 13, mark, SIZE, "ink strong", "middle"))
    drawn.append(_badges([_place(0, 1, _share(chance))[1] for chance in known[-1][1]]))
    return "".join(drawn)


def _share(chance: float) -> float:
    """Return an estimated win probability within the chart: estimates that include the margin may leave it."""
    return max(0.0, min(1.0, chance))


def _place(position: int, positions: int, share: float) -> Point:
    """Return the place of a position out of `positions` and a height from 0 to 1."""
    across = (WIDTH - RIGHT - LEFT) / max(1, positions - 1)
    return LEFT + position * across, HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _badges(levels: Sequence[float]) -> str:
    """Return the seats' numbers at the ends of their lines."""
    drawn = []
    for seat, level in enumerate(_apart(levels)):
        drawn.append(circle(WIDTH - RIGHT + BADGE + 6, level, BADGE, f"seat-{seat % SEATS}"))
        drawn.append(text(WIDTH - RIGHT + BADGE + 6, level, str(seat), SIZE - 1, "on-seat strong", "middle"))
    return "".join(drawn)


def _chart(label: str, levels: Sequence[tuple[float, str]], rounds: Sequence[int], content: str) -> Chart:
    """Return a chart with lines at levels, the rounds below, its content, and a line at the current position."""
    first, last, bottom = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM
    across = (last - first) / max(1, len(rounds) - 1)
    drawn = [path("rule", *([(first, level), (last, level)] for level, _ in levels))]
    drawn += [text(first - 7, level, name, SIZE, "muted", "end") for level, name in levels]
    drawn += [
        text(x, bottom + 14, str(name), SIZE, "muted", "middle") for x, name in _round_names(rounds, first, across)
    ]
    drawn.append(text((first + last) / 2, bottom + 31, "round", SIZE, "muted", "middle"))
    cursor = element("path", "cursor", d=f"M0 {number(TOP)}V{number(bottom)}")
    svg = (
        f'<svg class="chart" viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" role="img" '
        f'aria-label="{escape(label)}">{"".join(drawn)}{content}{cursor}</svg>'
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
