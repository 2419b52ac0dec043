"""Reading SVG pictures: where their text stands, and what else they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

from thurn_env.drawing.labels import Box
from thurn_env.drawing.writing import text_width

SVG = "{http://www.w3.org/2000/svg}"


class Writing(NamedTuple):
    """A line of text in a picture and the most room it takes."""

    text: str
    classes: tuple[str, ...]
    box: Box


def writings(svg: str) -> list[Writing]:
    """All lines of text of a picture."""
    return list(_writings(ElementTree.fromstring(svg), 0, 0))


def _writings(element: ElementTree.Element, x: float, y: float) -> Iterator[Writing]:
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag == f"{SVG}text":
        yield _writing(element, x, y)
    for child in element:
        yield from _writings(child, x, y)


def _writing(element: ElementTree.Element, x: float, y: float) -> Writing:
    classes = tuple(element.get("class", "").split())
    size = float(element.get("font-size", 0))
    spacing = 2 if "province" in classes else 0
    text = element.text or ""
    width = text_width(text, size, bold="strong" in classes or "province" in classes) + spacing * len(text)
    for part in element:
        width += float(part.get("dx", 0)) + text_width(part.text or "", float(part.get("font-size", 0)))
        text += " " + (part.text or "")
    left = x + float(element.get("x", 0)) - {"start": 0, "middle": width / 2, "end": width}[_anchor(element)]
    baseline = y + float(element.get("y", 0))
    # Letters reach from a little below the line to the height of capitals.
    return Writing(text, classes, Box(left, baseline - 0.72 * size, left + width, baseline + 0.1 * size))


def _anchor(element: ElementTree.Element) -> str:
    return element.get("text-anchor", "start")


def overlapping(writings: list[Writing]) -> list[tuple[str, str]]:
    """The lines of text that lie on one another."""
    return [(one.text, other.text) for one, other in combinations(writings, 2) if one.box.overlap(other.box) > 0.5]


def outside(svg: str, writings: list[Writing]) -> list[str]:
    """The lines of text that leave the picture."""
    root = ElementTree.fromstring(svg)
    frame = Box(0, 0, float(root.get("width", 0)), float(root.get("height", 0)))
    return [writing.text for writing in writings if writing.box.outside(frame) > 0.5]


def texts(svg: str) -> str:
    """All text of a picture, a line each."""
    return "\n".join(writing.text for writing in writings(svg))
