"""Pictures of a game in sequence, with each different drawing stored once, and the frames that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from thurn_env.drawing.elements import number
from thurn_env.drawing.picture import Block, Picture


@dataclass
class Drawings:
    """The different texts of a game's pictures, each with a number."""

    numbers: dict[str, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def number(self, text: str) -> int:
        """Return the number of a text; new texts get the next one."""
        if text not in self.numbers:
            self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return self.numbers[text]


@dataclass
class Film:
    """The pictures of a game as one viewer sees it.

    Attributes:
        drawings: the texts, which several films may share.
        positions: by position the number of every layer's drawing.
    """

    drawings: Drawings
    positions: dict[int, list[int]] = field(default_factory=dict)

    def add(self, picture: Picture, position: int | None = None) -> None:
        """Add a position, by default the next one."""
        layers = [text for block in shown(picture) for text in block.layers.values()]
        place = len(self.positions) if position is None else position
        self.positions[place] = [self.drawings.number(text) for text in layers]

    def changes(self, position: int, before: int | None = None) -> list[tuple[int, int]]:
        """Return the layers that differ from those of position `before`, with their drawings; all layers if None."""
        now = list(enumerate(self.positions[position]))
        return now if before is None else [change for change in now if self.positions[before][change[0]] != change[1]]


def shown(picture: Picture) -> list[Block]:
    """Return the blocks of a picture without its heading, which pages show in their own way."""
    return [block for block in picture.blocks if not block.heading]


def frames(blocks: Sequence[Block]) -> list[str]:
    """Return an empty drawing for every block. Layers are numbered throughout; above them is room for targets."""
    drawn, first = [], 0
    for block in blocks:
        groups = "".join(f'<g data-layer="{first + place}"></g>' for place in range(len(block.layers)))
        box = f"0 0 {number(block.width)} {number(block.height)}"
        name = escape(block.name)
        drawn.append(
            f'<svg class="{name}" viewBox="{box}" width="{number(block.width)}" height="{number(block.height)}" '
            f'role="img" aria-label="{name}">{groups}'
            f'<g data-targets="{name}"></g></svg>'
        )
        first += len(block.layers)
    return drawn
