"""The action space: families of actions, each a block of one flat `Discrete` space, declared in one table.

The kernels, the text forms, the documentation tables and the tests all come from `FAMILIES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from thurn_env.games.zug_um_zug_deutschland.names import LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.tracks import Tracks


@dataclass(frozen=True, slots=True)
class Family:
    """One block of the action space.

    Attributes:
        name: the field's name in the kernels' rules record and the first word of the text form.
        operands: the names that follow the word, one action for each; None for an action without operand.
        meaning: one line for the tables.
    """

    name: str
    operands: Callable[[Tracks], tuple[str, ...]] | None
    meaning: str

    def texts(self, tracks: Tracks) -> tuple[str, ...]:
        """The text form of every action of the block."""
        if self.operands is None:
            return (self.name,)
        return tuple(f"{self.name} {operand}" for operand in self.operands(tracks))


def _kinds(tracks: Tracks) -> tuple[str, ...]:
    return (*tracks.board.colours, LOCOMOTIVE)


def _drawn(tracks: Tracks) -> tuple[str, ...]:
    return tuple(map(str, range(tracks.board.constants.tickets_drawn + 1)))


def _tickets(tracks: Tracks) -> tuple[str, ...]:
    return tuple(ticket.name for ticket in tracks.board.tickets)


def _claims(tracks: Tracks) -> tuple[str, ...]:
    return tuple(claim.name for claim in tracks.claims)


def _lengths(tracks: Tracks) -> tuple[str, ...]:
    return tuple(map(str, range(max(pair.length for pair in tracks.board.pairs) + 1)))


def _passengers(tracks: Tracks) -> tuple[str, ...]:
    return tracks.board.passenger_colours


FAMILIES = (
    Family("take", _kinds, "take this face-up card; a locomotive only as the first card and the only one (G6)"),
    Family("draw", None, "draw the deck's top card unseen (G6)"),
    Family("tickets", None, "draw tickets (G9)"),
    Family("long", _drawn, "draw so many of the tickets from the long pile, the others from the short one (G5, G9)"),
    Family("keep", _tickets, "keep this ticket (G5, G9)"),
    Family("return", _tickets, "return this ticket (G5, G9)"),
    Family("claim", _claims, "claim a track between these places (G7)"),
    Family("with", _kinds, "pay the grey track with cards of this colour, or with locomotives alone (G7, P6)"),
    Family("locomotives", _lengths, "pay with so many locomotives among the cards (G7, P6)"),
    Family("passenger", _passengers, "take a passenger of this colour from the end of the track asked for (G8)"),
    Family("leave", None, "take none there (G8)"),
    Family("pass", None, "do nothing; only when nothing else is legal (G10, P9)"),
)


@dataclass(frozen=True)
class ActionTable:
    """The action space of one board: indices, text forms and blocks."""

    tracks: Tracks

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text form of every action, by index."""
        return tuple(text for family in FAMILIES for text in family.texts(self.tracks))

    @cached_property
    def indices(self) -> dict[str, int]:
        """The index of every text form."""
        return {text: index for index, text in enumerate(self.texts)}

    @cached_property
    def blocks(self) -> dict[str, range]:
        """The indices of every family, by name."""
        blocks: dict[str, range] = {}
        start = 0
        for family in FAMILIES:
            size = len(family.texts(self.tracks))
            blocks[family.name] = range(start, start + size)
            start += size
        return blocks

    def rows(self) -> list[tuple[str, str, str]]:
        """Rows (indices, text form, meaning) for the documentation tables."""
        rows = []
        for family in FAMILIES:
            block = self.blocks[family.name]
            if family.operands is None:
                rows.append((str(block.start), family.name, family.meaning))
            else:
                rows.append((f"{block.start} .. {block.stop - 1}", f"{self.texts[block.start]} ...", family.meaning))
        return rows
