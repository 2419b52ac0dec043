"""SVG elements as text. All external text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any, Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

_BASELINE = 0.35
"""Distance from the middle of digits or capitals to their baseline, in font sizes."""


@lru_cache(maxsize=16_384)  # pictures of a game repeat the same coordinates
def number(value: float) -> str:
    """Return a coordinate with at most one decimal place."""
    shown = f"{value:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown


@lru_cache(maxsize=4_096)  # pictures of a game repeat the same classes and paths
def escaped(value: str) -> str:
    """Return the value of an attribute as it is written between quotation marks."""
    return escape(value)


def element(name: str, classes: str = "", content: str = "", **attributes: float | str) -> str:
    """Return an element; `content` is SVG already. Underscores in attribute names stand for hyphens."""
    written = [f' class="{escaped(classes)}"'] if classes else []
    for key, value in attributes.items():
        shown = escaped(value) if isinstance(value, str) else number(value)
        written.append(f' {key.replace("_", "-")}="{shown}"')
    return f"<{name}{''.join(written)}>{content}</{name}>" if content else f"<{name}{''.join(written)}/>"


def text(
    x: float,
    y: float,
    content: str,
    size: float,
    classes: str = "ink",
    anchor: Anchor = "start",
    remark: tuple[str, float] | None = None,
) -> str:
    """Return a line of text with its middle at height y, optionally followed by a muted remark in its own size."""
    placed: dict[str, Any] = {"x": x, "y": y + _BASELINE * size, "font_size": size}
    if anchor != "start":
        placed["text_anchor"] = anchor
    written = escape(content, quote=False)
    if remark and remark[0]:
        written += element("tspan", "muted plain", escape(remark[0], quote=False), dx=8, font_size=remark[1])
    return element("text", classes, written, **placed)


def signed(value: int) -> str:
    """Return an integer with a typographic minus sign."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def rectangle(x: float, y: float, width: float, height: float, classes: str, radius: float = 0) -> str:
    """Return a rectangle, with rounded corners if it has a radius."""
    corners: dict[str, Any] = {"rx": radius} if radius else {}
    return element("rect", classes, x=x, y=y, width=width, height=height, **corners)


def circle(x: float, y: float, radius: float, classes: str) -> str:
    """Return a circle."""
    return element("circle", classes, cx=x, cy=y, r=radius)


def path(classes: str, *lines: Iterable[Point], closed: bool = False) -> str:
    """Return straight lines from point to point."""
    drawn = "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in line) + "Z" * closed for line in lines)
    return element("path", classes, d=drawn)


def group(content: str, x: float = 0, y: float = 0, classes: str = "") -> str:
    """Return elements translated together."""
    if not content:
        return ""
    moved: dict[str, Any] = {"transform": f"translate({number(x)} {number(y)})"} if x or y else {}
    return element("g", classes, content, **moved)
