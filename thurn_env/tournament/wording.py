"""Format numbers and names for the report."""

from __future__ import annotations

from collections.abc import Sequence

SPACE = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
LONGEST_LABEL = 24
"""Number of characters of a name beside a plot."""


def signed(value: float, digits: int = 0, plus: str = "+") -> str:
    """Format a number with its sign; `plus` is the sign of positive numbers."""
    text = f"{abs(value):,.{digits}f}"
    if not text.strip("0.,"):
        return text
    return (MINUS if value < 0 else plus) + text


def points(rating: float, interval: Sequence[float] | None) -> str:
    """Format a rating with its interval."""
    text = signed(rating)
    return text if interval is None else f"{text} ({span(interval)})"


def span(interval: Sequence[float]) -> str:
    """Format an interval of ratings."""
    low, high = interval
    return f"{signed(low)} to {signed(high)}"


def share_text(share: float) -> str:
    """Format a share in percent; only exactly 0 and 1 are shown as 0 % and 100 %."""
    text = f"{100 * share:.1f}"
    if text == "100.0" and share < 1:
        text = "> 99.9"
    elif text == "0.0" and share > 0:
        text = "< 0.1"
    elif share in (0, 1):
        text = text[:-2]
    return f"{text}{SPACE}%"


def share_span(interval: Sequence[float] | None) -> str:
    """Format an interval of shares; None gives an empty text."""
    if interval is None:
        return ""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}{SPACE}%"


def seconds(value: float) -> str:
    """Format a time in a suitable unit, with about two significant digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= 0.9995 * size:
            number = value / size
            return f"{number:,.{1 if number < 9.95 else 0}f}{SPACE}{unit}"
    return f"{value / 1e-9:.0f}{SPACE}ns"


def elided(name: str) -> str:
    """Shorten a name to fit beside a plot: drop the middle, since the ends are more distinctive."""
    if len(name) <= LONGEST_LABEL:
        return name
    half = (LONGEST_LABEL - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
