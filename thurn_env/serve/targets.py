"""Places of a picture that stand for legal actions, as an SVG overlay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thurn_env.drawing.elements import element, number
from thurn_env.drawing.picture import Block, Target

CORNER = 6.0
"""Corner radius of frames around legal targets; small targets, such as cities, get circles."""
TINY = 10.0
"""Size below which a frame would hide its target and is shown only on hover."""


def targets_svg(block: Block, legal: Sequence[str]) -> str:
    """Return the overlay of a block; every target names its actions by their indices in `legal`."""
    return "".join(_target(target, legal) for target in block.targets)


def _target(target: Target, legal: Sequence[str]) -> str:
    meant = [index for index, action in enumerate(legal) if action in target.actions]
    if not meant:
        return ""
    title = element("title", content=", ".join(legal[index] for index in meant))
    middle = f"{number(target.x + target.width / 2)} {number(target.y + target.height / 2)}"
    turned: dict[str, Any] = {"transform": f"rotate({number(target.angle)} {middle})"} if target.angle else {}
    shape = {
        "x": target.x,
        "y": target.y,
        "width": target.width,
        "height": target.height,
        "rx": target.height / 2 if target.width < 1.5 * target.height < 60 else CORNER,
        **turned,
    }
    tiny = target.width <= TINY
    # The edge lies below the line: of the two, one shows on any colour.
    edge = "" if tiny else element("rect", "target-edge", **shape)
    classes = "target tiny" if tiny else "target"
    return edge + element("rect", classes, title, data_actions=" ".join(map(str, meant)), **shape)
