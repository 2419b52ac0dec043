"""Text widths without font files, since browsers and image renderers choose different fonts.

The widths are rounded up from the widest of three common typefaces (DejaVu Sans, Liberation Sans, Source Sans), so text
that fits here fits in all of them.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

BOLD = 1.13
"""Width of bold text relative to regular text."""

_ROUNDING = 1e-6
_UNUSUAL = 0.75
_FULL = 1.0
_WIDTHS = {
    letter: width
    for width, letters in {
        0.3: "'Iijl",
        0.35: " ,./:;\\|",
        0.4: "()-[]ft",
        0.45: "!r",
        0.5: '"*J',
        0.55: "`csz",
        0.6: "?L_kvxy",
        0.65: "$0123456789FTabdeghnopqu{}",
        0.7: "ABEKPSVXYZ",
        0.75: "CNRU",
        0.8: "&DGHOQ",
        0.85: "#+<=>^w~",
        0.9: "M",
        1.0: "%Wm",
        1.05: "@",
    }.items()
    for letter in letters
}
"""Widths of characters in font sizes."""


@lru_cache(maxsize=4096)  # pictures of a game repeat the same words
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return an upper bound of the width of a line of text."""
    return sum(map(_letter_width, unicodedata.normalize("NFD", text))) * size * (BOLD if bold else 1)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    return _WIDTHS.get(letter, _FULL if unicodedata.east_asian_width(letter) in "WF" else _UNUSUAL)


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return the text, truncated with an ellipsis if it does not fit."""
    if text_width(text, size, bold) <= room + _ROUNDING:
        return text
    kept = text
    while kept and text_width(kept + "…", size, bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def fitting_size(texts: Iterable[str], room: float, most: float, least: float) -> float:
    """Return the font size, between `least` and `most`, in which all texts fit, each on its own line."""
    widest = max(text_width(text, 1) for text in texts)
    return max(least, min(most, room / widest))
