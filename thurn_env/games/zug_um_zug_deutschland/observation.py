"""The observation: named pieces over one flat float32 vector, declared in one table.

Everything is seen from one seat: where a piece has a row per player, the own row comes first, then the others
clockwise. The vector holds what is open to all and remembered perfectly, the own hand and the own tickets; values lie
in [-1, 1].

The kernel, the slices, the dict form, the documentation tables and the tests all come from `PIECES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, prod

from thurn_env.games.zug_um_zug_deutschland.board import Board
from thurn_env.games.zug_um_zug_deutschland.names import MAX_PLAYERS
from thurn_env.games.zug_um_zug_deutschland.phases import PHASES
from thurn_env.games.zug_um_zug_deutschland.tracks import Tracks

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


def axis_sizes(tracks: Tracks, players: int) -> dict[str, int]:
    """The length of every axis that pieces are declared over."""
    board = tracks.board
    return {
        "players": players,
        "others": players - 1,
        "kinds": len(board.colours) + 1,
        "places": len(board.places),
        "passenger_colours": len(board.passenger_colours),
        "claims": len(tracks.claims),
        "tickets": len(board.tickets),
        "piles": 2,
        "phases": len(PHASES),
    }


def _one(_: Board) -> int:
    return 1


def _two(_: Board) -> int:
    return 2


def _copies(board: Board) -> int:
    return max(board.constants.cards_per_colour, board.constants.locomotives)


def _cards(board: Board) -> int:
    return board.cards


def _display(board: Board) -> int:
    return board.constants.display_size


def _rounds(_: Board) -> int:
    return ROUND_BOUND


def _seats(_: Board) -> int:
    return MAX_PLAYERS


def _trains(board: Board) -> int:
    return board.constants.trains_per_player


def _track_points(board: Board) -> int:
    """No fewer than all trains can earn."""
    rate = max(points / length for length, points in enumerate(board.constants.track_points, 1))
    return max(1, ceil(rate * board.constants.trains_per_player))


def _passenger_points(board: Board) -> int:
    return max(1, len(board.passenger_colours) * board.constants.most_passengers)


def _waiting(board: Board) -> int:
    return max(1, *(place.passengers for place in board.places))


def _passengers(board: Board) -> int:
    return max(1, board.constants.passengers_per_colour)


def _pile(board: Board) -> int:
    return max(len(board.short_tickets), len(board.long_tickets))


def _drawn(board: Board) -> int:
    return board.constants.tickets_drawn


PIECES = (
    Piece("phase", ("phases",), _one, "what the player to move is asked, one-hot: " + ", ".join(PHASES)),
    Piece("setting_up", (), _one, "1 while the first tickets are chosen"),
    Piece("to_move", ("players",), _one, "whose decision it is, one-hot"),
    Piece("start_player", ("players",), _one, "who plays first in a round, one-hot"),
    Piece("round", (), _rounds, "full rounds played; 1 from the 100th on"),
    Piece("ending", (), _one, "1 once the end has begun: every player has one more turn"),
    Piece("last_turns", (), _seats, "turns left once the end has begun, the present one included"),
    Piece("deck_size", (), _cards, "cards in the deck"),
    Piece("display", ("kinds",), _display, "face-up cards by kind"),
    Piece("discard", ("kinds",), _copies, "cards on the discard pile by kind"),
    Piece("unseen", ("kinds",), _copies, "cards by kind that lie in the deck or were drawn unseen by other players"),
    Piece("hand", ("kinds",), _copies, "own hand by kind"),
    Piece("known", ("others", "kinds"), _copies, "cards in the other hands that were taken face up"),
    Piece("unknown", ("others",), _cards, "number of cards in the other hands that were drawn unseen"),
    Piece("hand_size", ("players",), _cards, "cards in every hand"),
    Piece("trains", ("players",), _trains, "trains left"),
    Piece("points", ("players",), _track_points, "points for tracks"),
    Piece("passenger_points", ("players",), _passenger_points, "points for passengers as they stand"),
    Piece("passengers", ("players", "passenger_colours"), _passengers, "passengers taken"),
    Piece("waiting", ("places", "passenger_colours"), _waiting, "passengers that wait in every place"),
    Piece("claimed", ("players", "claims"), _one, "1 where the player has a track"),
    Piece("open", ("claims",), _one, "1 for what the agent may still claim, cards and trains apart"),
    Piece("claim", ("claims",), _one, "the claim that is being paid for, one-hot"),
    Piece("paying", ("kinds",), _one, "the colour that pays for it, one-hot, once it is known"),
    Piece("asked", ("places",), _one, "the end of the track whose passengers are asked for, one-hot"),
    Piece("pile_size", ("piles",), _pile, "tickets in the short and in the long pile"),
    Piece("ticket_count", ("players", "piles"), _pile, "short and long tickets kept"),
    Piece("tickets", ("tickets",), _one, "own tickets: 1 for those completed, -1 for the others"),
    Piece(
        "offered", ("tickets",), _two, "own tickets just drawn: 1 for the one that is asked for, 1/2 for those after it"
    ),
    Piece("kept", (), _drawn, "how many of those drawn with them are kept already"),
    Piece("returned", ("tickets",), _one, "tickets that the agent has returned"),
)


@dataclass(frozen=True)
class ObservationTable:
    """The observation vector of one board and number of players."""

    tracks: Tracks
    players: int

    def shape(self, piece: Piece) -> tuple[int, ...]:
        """The shape of a piece."""
        sizes = axis_sizes(self.tracks, self.players)
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
        return {piece.name: 1.0 / piece.bound(self.tracks.board) for piece in PIECES}

    @cached_property
    def size(self) -> int:
        """The length of the vector."""
        return self.slices[PIECES[-1].name].stop

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Rows (indices, name, shape, scale, meaning) for the documentation tables."""
        rows = []
        for piece in PIECES:
            place = self.slices[piece.name]
            indices = str(place.start) if place.stop - place.start == 1 else f"{place.start} .. {place.stop - 1}"
            scale = f"1/{piece.bound(self.tracks.board)}"
            rows.append((indices, piece.name, " x ".join(piece.axes) or "1", scale, piece.meaning))
        return rows
