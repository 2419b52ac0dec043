"""Action space of a game: families of actions, each a block of one flat `Discrete` space.

A game declares its families once, as `FAMILIES` in its `actions.py`. The kernels, action texts, documentation tables
and tests use this declaration.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np

Material = TypeVar("Material")
"""What a game is declared over: the facts of its board and what the options make of them."""


@dataclass(frozen=True, slots=True)
class Family(Generic[Material]):
    """One block of the action space.

    Attributes:
        name: field name in the kernels' rules record and first word of the action text.
        operands: names that follow the word, one action for each; None for an action without operand.
        meaning: one line for the tables.
        only: whether the family exists; None: always.
        axis: axis of the observation that the operands run over in the same order, if there is one. It tells which
            values of the observation, and which place of the board, an action is about.
    """

    name: str
    operands: Callable[[Material], tuple[str, ...]] | None
    meaning: str
    only: Callable[[Material], bool] | None = None
    axis: str | None = None

    def texts(self, material: Material) -> tuple[str, ...]:
        """Return the text of every action of the block; empty if the family does not exist."""
        if self.only is not None and not self.only(material):
            return ()
        if self.operands is None:
            return (self.name,)
        return tuple(f"{self.name} {operand}" for operand in self.operands(material))


@dataclass(frozen=True)
class ActionTable(Generic[Material]):
    """Action space: indices, texts and blocks."""

    families: tuple[Family[Material], ...]
    material: Material

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Text of every action, by index."""
        return tuple(text for family in self.families for text in family.texts(self.material))

    @cached_property
    def indices(self) -> Mapping[str, int]:
        """Index of every action text."""
        return MappingProxyType({text: index for index, text in enumerate(self.texts)})

    @cached_property
    def blocks(self) -> Mapping[str, range]:
        """Indices of every family, by name; empty for families that do not exist."""
        blocks: dict[str, range] = {}
        start = 0
        for family in self.families:
            size = len(family.texts(self.material))
            blocks[family.name] = range(start, start + size)
            start += size
        return MappingProxyType(blocks)

    def fields(self) -> list[tuple[str, type[Any]]]:
        """Fields of the rules record for the starts of the blocks: `first_take` and so on."""
        return [(f"first_{family.name}", np.int16) for family in self.families]

    def write(self, rules: Any) -> None:
        """Fill these fields of a rules record."""
        for name, block in self.blocks.items():
            rules[f"first_{name}"] = block.start

    def rows(self) -> list[tuple[str, str, str]]:
        """Return rows (indices, text, meaning) for the documentation tables."""
        rows = []
        for family in self.families:
            block = self.blocks[family.name]
            if not block:
                continue
            if family.operands is None:
                rows.append((str(block.start), family.name, family.meaning))
            else:
                rows.append((f"{block.start} .. {block.stop - 1}", f"{self.texts[block.start]} ...", family.meaning))
        return rows
