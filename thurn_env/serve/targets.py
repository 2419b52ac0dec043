"""The places of a picture that stand for legal actions, as SVG to be laid over it."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.drawing.elements import element, number
from thurn_env.drawing.picture import Block, Target

CORNER = 6.0
"""How round the frames around legal targets are; small ones, such as cities, are circles."""
TINY = 10.0
"""Frames around what is smaller would hide it: they are seen only while somebody points there."""


def targets_svg(block: Block, legal: Sequence[str]) -> str:
    """The places of a block that stand for legal actions; each names theirs by their places in the list."""
    return "".join(_target(target, legal) for target in block.targets)


def _target(target: Target, legal: Sequence[str]) -> str:
    meant = [index for index, action in enumerate(legal) if action in target.actions]
    if not meant:
        return ""
    title = element("title", content=", ".join(legal[index] for index in meant))
    middle = f"{number(target.x + target.width / 2)} {number(target.y + target.height / 2)}"
    turned = {"transform": f"rotate({number(target.angle)} {middle})"} if target.angle else {}
    return element(
        "rect",
        "target" if target.width > TINY else "target tiny",
        title,
        x=target.x,
        y=target.y,
        width=target.width,
        height=target.height,
        rx=target.height / 2 if target.width < 1.5 * target.height < 60 else CORNER,
        data_actions=" ".join(map(str, meant)),
        **turned,
    )
