"""How wide text is, without asking a font: browsers and image makers choose different ones.

The widths are rounded up from the widest of three common typefaces (DejaVu Sans, Liberation Sans, Source Sans), so text
that fits here fits in all of them.
"""

import unicodedata

BOLD = 1.13
"""How much wider bold text is."""

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
"""Width of a letter in parts of the font size."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The most room that a line of text takes."""
    return sum(map(_letter_width, unicodedata.normalize("NFD", text))) * size * (BOLD if bold else 1)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    return _WIDTHS.get(letter, _FULL if unicodedata.east_asian_width(letter) in "WF" else _UNUSUAL)


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text, or as much of it as fits with an ellipsis."""
    if text_width(text, size, bold) <= room:
        return text
    kept = text
    while kept and text_width(kept + "…", size, bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def fitted(text: str, room: float, size: float, least: float) -> tuple[str, float]:
    """The text and the size in which it fits: `size`, a smaller one down to `least`, or that and shortened."""
    width = text_width(text, size)
    if width <= room:
        return text, size
    smaller = size * room / width
    return (text, smaller) if smaller >= least else (shortened(text, room, least), least)
