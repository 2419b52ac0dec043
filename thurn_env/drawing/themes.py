"""Colours of pictures, light and dark.

Elements have classes, never colours: a theme is a style sheet. The seats' colours were searched for: they can be told
apart also with protanopia and deuteranopia, differ from the colours of tracks and cards, and contrast with the mark of
legal actions and with the text on them; `tests/test_colours.py` checks it. Seats also differ by their numbers and line
patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Styles = Mapping[str, str]
"""CSS: declarations by selector."""

FONTS = "'Source Sans 3','Source Sans Pro','Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans',sans-serif"
SEATS = 5
"""Number of seats with their own colour; further seats reuse the colours."""


@dataclass(frozen=True)
class Theme:
    """Colours of a theme, as `#rrggbb`.

    Attributes:
        paper: background.
        raised: panels and cards.
        ink: text.
        muted: secondary text.
        line: thin lines and frames.
        road, road_edge: roads on a map, and their edges.
        seats: colours of the seats.
        on_seat: text on a seat's colour, and the inner edge of a seat's pieces.
        mark, mark_edge: line around legal actions, and the edge beside it, which shows on any colour.
    """

    paper: str
    raised: str
    ink: str
    muted: str
    line: str
    road: str
    road_edge: str
    seats: tuple[str, ...]
    on_seat: str
    mark: str
    mark_edge: str


THEMES = {
    "light": Theme(
        paper="#ffffff",
        raised="#f6f5f1",
        ink="#1f2328",
        muted="#5b6168",
        line="#d6d3ca",
        road="#ffffff",
        road_edge="#878c92",
        seats=("#1860d8", "#b4600c", "#844860", "#6c7848", "#0078a8"),
        on_seat="#ffffff",
        mark="#000000",
        mark_edge="#ffe45c",
    ),
    "dark": Theme(
        paper="#15181b",
        raised="#1f2428",
        ink="#e8eaec",
        muted="#a3abb3",
        line="#3b434a",
        road="#7d868e",
        road_edge="#15181b",
        seats=("#5478f0", "#c08400", "#b46c84", "#849c60", "#009ccc"),
        on_seat="#14171a",
        mark="#ffffff",
        mark_edge="#14171a",
    ),
}
THEME_NAMES = (*THEMES, "auto")
"""Names of themes; "auto" follows the reader's settings where a browser shows the SVG."""

LINE_PATTERNS = ("none", "9 4", ".1 7", "13 4 3 4", "4 3")
"""Dash patterns of the seats' lines; the third one has round ends, which make it dots."""


def mixed(colour: str, other: str, share: float) -> str:
    """Return a mixture of two colours; `share` is the share of `other`."""
    parts = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in parts)


def common_styles(theme: Theme) -> dict[str, str]:
    """Return the styles of all pictures: text, panels, seats."""
    styles = {
        "text": f"font-family:{FONTS}",
        ".ink": f"fill:{theme.ink}",
        ".muted": f"fill:{theme.muted}",
        ".strong": "font-weight:600",
        ".plain": "font-weight:400",
        ".paper": f"fill:{theme.paper}",
        ".panel": f"fill:{theme.raised};stroke:{theme.line}",
        ".card": f"fill:{theme.paper};stroke:{theme.line}",
        ".back": f"fill:{mixed(theme.raised, theme.muted, 0.25)};stroke:{theme.line}",
        ".hollow": f"fill:none;stroke:{theme.line}",
        ".on-seat": f"fill:{theme.on_seat}",
        ".rule": f"fill:none;stroke:{theme.line}",
        # Marks of what is new have two edges, too.
        ".latest-edge": f"fill:none;stroke:{theme.ink};stroke-width:5",
    }
    for seat, colour in enumerate(theme.seats):
        ends = "round" if LINE_PATTERNS[seat].startswith(".") else "butt"
        styles[f".seat-{seat}"] = f"fill:{colour}"
        styles[f".frame-{seat}"] = f"fill:none;stroke:{colour};stroke-width:2"
        styles[f".line-{seat}"] = (
            f"fill:none;stroke:{colour};stroke-width:5;stroke-dasharray:{LINE_PATTERNS[seat]};stroke-linecap:{ends}"
        )
    # After the frames, which are thinner.
    styles[".latest"] = "stroke-width:3"
    return styles
