"""The action space: families of actions, each a block of one flat `Discrete` space, declared in one table.

The kernels, the text forms, the documentation tables and the tests all come from `FAMILIES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from thurn_env.games.thurn_und_taxis.variant import Variant


@dataclass(frozen=True, slots=True)
class Family:
    """One block of the action space.

    Attributes:
        name: the field's name in the kernels' action record and the first word of the text form.
        operands: the names that follow the word, one action for each; None for an action without operand.
        meaning: one line for the tables.
        only: whether the family is there only in games with horses, or only in those with carriages.
    """

    name: str
    operands: Callable[[Variant], tuple[str, ...]] | None
    meaning: str
    only: Literal["horses", "carriages"] | None = None

    def texts(self, variant: Variant) -> tuple[str, ...]:
        """The text form of every action of the block; none where the family is not there."""
        if self.only is not None and variant.horses != (self.only == "horses"):
            return ()
        if self.operands is None:
            return (self.name,)
        return tuple(f"{self.name} {operand}" for operand in self.operands(variant))


def _cards(variant: Variant) -> tuple[str, ...]:
    return variant.kind_names


def _cities(variant: Variant) -> tuple[str, ...]:
    return tuple(city.name for city in variant.board.cities)


def _provinces(variant: Variant) -> tuple[str, ...]:
    return tuple(province.name for province in variant.board.provinces)


FAMILIES = (
    Family("take", _cards, "take this card from the display; as a second card: with the postmaster (R1, R5)"),
    Family("draw", None, "draw the deck's top card unseen; as a second card: with the postmaster (R1, R5)"),
    Family("administrator", None, "have the whole display replaced before the first card (R7)"),
    Family("left", _cards, "lay this card at the left end of the route (R11, R13)"),
    Family("right", _cards, "lay this card at the right end of the route (R11, R13)"),
    Family("start", _cards, "start a new route with this card; an old route is discarded (R12)"),
    Family("harness", _cards, "turn this card over onto the carriage as horses (H2, H3)", only="horses"),
    Family("end", None, "end the turn and keep the route (R3)"),
    Family("close", None, "close the route: houses, tiles, carriage, discard (R15)"),
    Family("spread", None, "one house in every province of the route (R16)"),
    Family("fill", _provinces, "a house in every route city of this province (R16)"),
    Family("house", _cities, "this city gets the house (R18, R19)"),
    Family("leave", None, "leave this placement out; only with the option optional_houses (R18)"),
    Family("cartwright", None, "take the next carriage although the route is too short (R25)", only="carriages"),
    Family("decline", None, "do without the cartwright (R25)", only="carriages"),
    Family("discard", _cards, "discard this card; asked until the hand limit is met (R26)"),
)


@dataclass(frozen=True)
class ActionTable:
    """The action space of one variant: indices, text forms and blocks."""

    variant: Variant

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text form of every action, by index."""
        return tuple(text for family in FAMILIES for text in family.texts(self.variant))

    @cached_property
    def indices(self) -> dict[str, int]:
        """The index of every text form."""
        return {text: index for index, text in enumerate(self.texts)}

    @cached_property
    def blocks(self) -> dict[str, range]:
        """The indices of every family, by name; empty for families that are not there."""
        blocks: dict[str, range] = {}
        start = 0
        for family in FAMILIES:
            size = len(family.texts(self.variant))
            blocks[family.name] = range(start, start + size)
            start += size
        return blocks

    @property
    def size(self) -> int:
        """The number of actions."""
        return len(self.texts)

    def rows(self) -> list[tuple[str, str, str]]:
        """Rows (indices, text form, meaning) for the documentation tables."""
        rows = []
        for family in FAMILIES:
            block = self.blocks[family.name]
            if not block:
                continue
            if family.operands is None:
                rows.append((str(block.start), family.name, family.meaning))
            else:
                first = self.texts[block.start]
                rows.append((f"{block.start} .. {block.stop - 1}", f"{first} ...", family.meaning))
        return rows
