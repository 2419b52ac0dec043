"""The observation: named pieces over one flat float32 vector, declared in one table.

Everything is seen from one seat: where a piece has a row per player, the own row comes first, then the others
clockwise. The vector holds what is open to all and remembered perfectly, and the own hand; values lie in [-1, 1].

The kernel, the slices, the dict form, the documentation tables and the tests all come from `PIECES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Literal

from thurn_env.games.thurn_und_taxis.phases import PHASES
from thurn_env.games.thurn_und_taxis.stacks import ordered_stacks
from thurn_env.games.thurn_und_taxis.variant import Variant

ROUND_BOUND = 100


@dataclass(frozen=True, slots=True)
class Piece:
    """One named piece of the observation.

    Attributes:
        name: the key in the dict form.
        axes: the names of its axes, see `axis_sizes`; () for a single value.
        bound: the largest absolute value that occurs; the stored value is the count divided by it.
        meaning: one line for the tables.
        only: whether the piece is there only in games with horses, or only in those with carriages.
    """

    name: str
    axes: tuple[str, ...]
    bound: Callable[[Variant], int]
    meaning: str
    only: Literal["horses", "carriages"] | None = None

    def applies(self, variant: Variant) -> bool:
        """Whether the piece is there."""
        return self.only is None or variant.horses == (self.only == "horses")


def axis_sizes(variant: Variant, players: int) -> dict[str, int]:
    """The length of every axis that pieces are declared over."""
    return {
        "players": players,
        "others": players - 1,
        "kinds": len(variant.kinds),
        "cities": len(variant.board.cities),
        "stacks": len(variant.board.stacks),
        "horse_values": variant.horses_on_best_card,
        "phases": len(PHASES),
    }


def _one(_: Variant) -> int:
    return 1


def _two(_: Variant) -> int:
    return 2


def _copies(variant: Variant) -> int:
    return variant.most_copies


def _cards(variant: Variant) -> int:
    return variant.cards


def _cities(variant: Variant) -> int:
    return len(variant.board.cities)


def _houses(variant: Variant) -> int:
    return variant.board.houses_per_player


def _carriages(variant: Variant) -> int:
    return len(variant.board.carriages)


def _tiles(variant: Variant) -> int:
    return max(len(stack.values) for stack in variant.board.stacks)


def _tile_value(variant: Variant) -> int:
    return max(1, *(max(stack.values) for stack in variant.board.stacks))


def _score(variant: Variant) -> int:
    best = variant.board.carriages[-1].points + sum(sum(stack.values) for stack in variant.board.stacks)
    return max(variant.board.houses_per_player, best)


def _horses(variant: Variant) -> int:
    return max(1, variant.horses_on_fullest_carriage)


def _rounds(_: Variant) -> int:
    return ROUND_BOUND


def _seats(_: Variant) -> int:
    return 4


PIECES = (
    Piece("phase", ("phases",), _one, "what the player to move is asked, one-hot: " + ", ".join(PHASES)),
    Piece("to_move", ("players",), _one, "whose decision it is, one-hot"),
    Piece("start_player", ("players",), _one, "who plays first in a round, one-hot"),
    Piece("round", (), _rounds, "full rounds played; 1 from the 100th on"),
    Piece("turns_left", (), _seats, "turns left in this round, the present one included"),
    Piece("final_round", (), _one, "1 once the end is triggered: the round is only finished"),
    Piece("drawn", (), _two, "cards drawn in this turn"),
    Piece("official_used", (), _one, "1 if no official may help any more in this turn"),
    Piece("forced_postmaster", (), _one, "1 if the hand was empty at the start of the turn"),
    Piece("deck_size", (), _cards, "cards in the deck"),
    Piece("display", ("kinds",), _copies, "face-up cards by kind"),
    Piece("discard", ("kinds",), _copies, "cards on the discard pile by kind"),
    Piece("unseen", ("kinds",), _copies, "cards by kind that lie in the deck or were drawn unseen by other players"),
    Piece("hand", ("kinds",), _copies, "own hand by kind"),
    Piece("known", ("others", "kinds"), _copies, "cards in the other hands that were taken face up"),
    Piece("unknown", ("others",), _cards, "number of cards in the other hands that were drawn unseen"),
    Piece(
        "unseen_horses",
        ("others", "horse_values"),
        _cards,
        "of the cards drawn unseen, those with 1, 2 ... horses on their backs; 0 without the option open_backs",
        only="horses",
    ),
    Piece(
        "top_horses",
        ("horse_values",),
        _one,
        "horses on the back of the deck's top card, 1, 2 ..., one-hot; 0 without the option open_backs",
        only="horses",
    ),
    Piece("hand_size", ("players",), _cards, "cards in every hand"),
    Piece("route", ("players", "cities"), _one, "1 for the cities of every route"),
    Piece("route_ends", ("players", "cities"), _one, "-1 at the left end, 1 at the right end; 1 for a single city"),
    Piece("route_length", ("players",), _cities, "cities in every route"),
    Piece("houses", ("players", "cities"), _one, "1 where the player has a house"),
    Piece("houses_left", ("players",), _houses, "houses not placed"),
    Piece("carriage", ("players",), _carriages, "carriages taken", only="carriages"),
    Piece("horses", ("players",), _horses, "horses of every carriage, its own included", only="horses"),
    Piece("harnessed", ("players", "kinds"), _copies, "cards on every carriage by kind", only="horses"),
    Piece("tiles", ("players", "stacks"), _tiles, "tiles taken from every stack"),
    Piece("score", ("players",), _score, "the score if the game ended now"),
    Piece("stack_value", ("stacks",), _tile_value, "value of the top tile of every stack; 0 if empty"),
    Piece("stack_size", ("stacks",), _tiles, "tiles left in every stack"),
    Piece("pending", ("cities",), _one, "cities that may still get a house in the closing under way"),
    Piece("asked", ("cities",), _one, "cities that the pending question offers"),
)


@dataclass(frozen=True)
class ObservationTable:
    """The observation vector of one variant and number of players."""

    variant: Variant
    players: int

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of this variant, in order."""
        return tuple(piece for piece in PIECES if piece.applies(self.variant))

    def shape(self, piece: Piece) -> tuple[int, ...]:
        """The shape of a piece."""
        sizes = axis_sizes(self.variant, self.players)
        return tuple(sizes[axis] for axis in piece.axes)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where every piece lies in the vector."""
        slices: dict[str, slice] = {}
        start = 0
        for piece in self.pieces:
            stop = start + prod(self.shape(piece))
            slices[piece.name] = slice(start, stop)
            start = stop
        return slices

    @cached_property
    def scales(self) -> dict[str, float]:
        """What every piece's counts are multiplied by."""
        return {piece.name: 1.0 / piece.bound(self.variant) for piece in self.pieces}

    @cached_property
    def size(self) -> int:
        """The length of the vector."""
        return self.slices[self.pieces[-1].name].stop

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Rows (indices, name, shape, scale, meaning) for the documentation tables."""
        axis_names = {piece.name: " x ".join(piece.axes) or "1" for piece in self.pieces}
        stacks = ", ".join(stack.name for stack in ordered_stacks(self.variant.board))
        rows = []
        for piece in self.pieces:
            place = self.slices[piece.name]
            indices = str(place.start) if place.stop - place.start == 1 else f"{place.start} .. {place.stop - 1}"
            shape = axis_names[piece.name]
            meaning = piece.meaning + (f" ({stacks})" if piece.name == "stack_value" else "")
            rows.append((indices, piece.name, shape, f"1/{piece.bound(self.variant)}", meaning))
        return rows
