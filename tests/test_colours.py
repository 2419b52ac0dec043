"""Colours of seats, tracks and marks: contrast by WCAG 2, and differences as people with dichromacy see them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from thurn_env import Game, make_rules
from thurn_env.drawing.themes import THEMES, Theme
from thurn_env.games.zug_um_zug_deutschland.show.styles import COLOURS

LEAST_CONTRAST = 3.0
"""Of parts of a picture that must be told apart, as WCAG 2.1 demands (1.4.11)."""
LEAST_DIFFERENCE = 20.0
"""Of the seats' colours, CIE 1976 in L*a*b*: some 2.3 can just be noticed."""
LEAST_DIFFERENCE_FROM_TRACKS = 18.0

# Machado, Oliveira and Fernandes 2009, severity 1.0; they apply to linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


def linear(colour: str) -> Vector:
    """Linear RGB of `#rrggbb`."""
    values = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.asarray(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    darker, lighter = sorted(float(linear(colour) @ (0.2126, 0.7152, 0.0722)) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def lab(colour: str, vision: str) -> Vector:
    """L*a*b* of a colour, as somebody with that vision sees it."""
    seen = np.clip(VISION[vision] @ linear(colour), 0, 1)
    ratio = (TO_XYZ @ seen) / (TO_XYZ @ np.ones(3))
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: str, other: str, vision: str) -> float:
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


@themes
@pytest.mark.parametrize("vision", VISION)
def test_seats_can_be_told_apart(theme: Theme, vision: str) -> None:
    for one, other in combinations(theme.seats, 2):
        assert difference(one, other, vision) >= LEAST_DIFFERENCE, (one, other)


@themes
def test_seats_are_no_colours_of_tracks(theme: Theme) -> None:
    for seat in theme.seats:
        for name, colour in COLOURS.items():
            assert difference(seat, colour, "normal") >= LEAST_DIFFERENCE_FROM_TRACKS, (seat, name)


@themes
def test_pieces_of_a_seat_show_on_any_track(theme: Theme) -> None:
    """A train has an inner and an outer edge: the seat's colour shows in the inner one, and one of both on any track.

    No five colours differ from each other and from eleven tracks by a ratio of 3, since black and white differ by 21.
    """
    assert contrast(theme.on_seat, theme.ink) >= LEAST_CONTRAST
    for seat in theme.seats:
        assert contrast(seat, theme.on_seat) >= LEAST_CONTRAST
        assert contrast(seat, theme.paper) >= LEAST_CONTRAST
    for name, colour in COLOURS.items():
        assert max(contrast(theme.on_seat, colour), contrast(theme.ink, colour)) >= LEAST_CONTRAST, name


@pytest.mark.parametrize("name", THEMES)
def test_trains_have_both_edges(name: str) -> None:
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    style = Game.from_rules(rules, 1).view().picture().styles[name][".train"]
    assert f"fill:{THEMES[name].on_seat};stroke:{THEMES[name].ink};" in style


@themes
def test_adjacent_pieces_of_two_seats_have_an_edge_between_them(theme: Theme) -> None:
    """Houses of one city and routes on one road lie side by side, each with an edge in the colour of the paper."""
    for seat in theme.seats:
        assert contrast(seat, theme.paper) >= LEAST_CONTRAST


@themes
def test_legal_actions_are_marked_by_no_seats_colour(theme: Theme) -> None:
    for seat in theme.seats:
        assert contrast(theme.mark, seat) >= LEAST_CONTRAST
    for ground in (theme.paper, theme.raised):
        assert contrast(theme.mark, ground) >= LEAST_CONTRAST


@themes
def test_the_mark_of_legal_actions_shows_on_any_track(theme: Theme) -> None:
    assert contrast(theme.mark, theme.mark_edge) >= LEAST_CONTRAST
    for name, colour in COLOURS.items():
        assert max(contrast(theme.mark, colour), contrast(theme.mark_edge, colour)) >= LEAST_CONTRAST, name
