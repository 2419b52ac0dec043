"""The observation: named pieces over one flat float32 vector, declared in one table.

Everything is seen from one seat: where a piece has a row per player, the own row comes first, then the others
clockwise. The vector holds what is open to all and remembered perfectly, and the own hand; values lie in [-1, 1].

The kernel, the slices, the dict form, the documentation tables and the tests all come from `PIECES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

from thurn_env.games.thurn_und_taxis.actions import card_kinds
from thurn_env.games.thurn_und_taxis.board import Board
from thurn_env.games.thurn_und_taxis.phases import PHASES
from thurn_env.games.thurn_und_taxis.stacks import ordered_stacks

ROUND_BOUND = 100


@dataclass(frozen=True, slots=True)
class Piece:
    """One named piece of the observation.

    Attributes:
        name: the key in the dict form.
        axes: the names of its axes, see `axis_sizes`; () for a single value.
        bound: the largest absolute value that occurs; the stored value is the count divided by it.
        meaning: one line for the tables.
    """

    name: str
    axes: tuple[str, ...]
    bound: Callable[[Board], int]
    meaning: str


def axis_sizes(board: Board, players: int) -> dict[str, int]:
    """The length of every axis that pieces are declared over."""
    return {
        "players": players,
        "others": players - 1,
        "kinds": len(card_kinds(board)),
        "cities": len(board.cities),
        "stacks": len(board.stacks),
        "phases": len(PHASES),
    }


def _one(_: Board) -> int:
    return 1


def _two(_: Board) -> int:
    return 2


def _copies(board: Board) -> int:
    return board.copies_per_city


def _cards(board: Board) -> int:
    return board.copies_per_city * len(board.cities)


def _cities(board: Board) -> int:
    return len(board.cities)


def _houses(board: Board) -> int:
    return board.houses_per_player


def _carriages(board: Board) -> int:
    return len(board.carriages)


def _tiles(board: Board) -> int:
    return max(len(stack.values) for stack in board.stacks)


def _tile_value(board: Board) -> int:
    return max(1, *(max(stack.values) for stack in board.stacks))


def _score(board: Board) -> int:
    best = board.carriages[-1].points + sum(sum(stack.values) for stack in board.stacks)
    return max(board.houses_per_player, best)


def _rounds(_: Board) -> int:
    return ROUND_BOUND


def _seats(_: Board) -> int:
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
    Piece("hand_size", ("players",), _cards, "cards in every hand"),
    Piece("route", ("players", "cities"), _one, "1 for the cities of every route"),
    Piece("route_ends", ("players", "cities"), _one, "-1 at the left end, 1 at the right end; 1 for a single city"),
    Piece("route_length", ("players",), _cities, "cities in every route"),
    Piece("houses", ("players", "cities"), _one, "1 where the player has a house"),
    Piece("houses_left", ("players",), _houses, "houses not placed"),
    Piece("carriage", ("players",), _carriages, "carriages taken"),
    Piece("tiles", ("players", "stacks"), _tiles, "tiles taken from every stack"),
    Piece("score", ("players",), _score, "the score if the game ended now"),
    Piece("stack_value", ("stacks",), _tile_value, "value of the top tile of every stack; 0 if empty"),
    Piece("stack_size", ("stacks",), _tiles, "tiles left in every stack"),
    Piece("pending", ("cities",), _one, "cities that may still get a house in the closing under way"),
    Piece("asked", ("cities",), _one, "cities that the pending question offers"),
)


@dataclass(frozen=True)
class ObservationTable:
    """The observation vector of one board and number of players."""

    board: Board
    players: int

    def shape(self, piece: Piece) -> tuple[int, ...]:
        """The shape of a piece."""
        sizes = axis_sizes(self.board, self.players)
        return tuple(sizes[axis] for axis in piece.axes)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where every piece lies in the vector."""
        slices: dict[str, slice] = {}
        start = 0
        for piece in PIECES:
            stop = start + prod(self.shape(piece))
            slices[piece.name] = slice(start, stop)
            start = stop
        return slices

    @cached_property
    def scales(self) -> dict[str, float]:
        """What every piece's counts are multiplied by."""
        return {piece.name: 1.0 / piece.bound(self.board) for piece in PIECES}

    @cached_property
    def size(self) -> int:
        """The length of the vector."""
        return self.slices[PIECES[-1].name].stop

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Rows (indices, name, shape, scale, meaning) for the documentation tables."""
        axis_names = {piece.name: " x ".join(piece.axes) or "1" for piece in PIECES}
        stacks = ", ".join(stack.name for stack in ordered_stacks(self.board))
        rows = []
        for piece in PIECES:
            place = self.slices[piece.name]
            indices = str(place.start) if place.stop - place.start == 1 else f"{place.start} .. {place.stop - 1}"
            shape = axis_names[piece.name]
            meaning = piece.meaning + (f" ({stacks})" if piece.name == "stack_value" else "")
            rows.append((indices, piece.name, shape, f"1/{piece.bound(self.board)}", meaning))
        return rows
