"""What the game declares: options, actions and the observation. Tables, indices and slices come from here."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from thurn_env.games.action_table import ActionTable, Family
from thurn_env.games.example.board import Board
from thurn_env.games.example.phases import PHASES
from thurn_env.games.observation_table import ROUND_BOUND, Axis, ObservationTable, Piece
from thurn_env.games.options import RuleOptions, option


@dataclass(frozen=True, slots=True)
class Options(RuleOptions):
    """The options of the game."""

    refill: bool = option(True, "players draw a card after loading one (E3)")


def _weights(board: Board) -> tuple[str, ...]:
    return tuple(map(str, board.weights))


FAMILIES: tuple[Family[Board], ...] = (
    Family("load", _weights, "load a card of this weight on your coach"),
    Family("depart", None, "send your coach off: nothing is loaded any more"),
)
PIECES: tuple[Piece[Board], ...] = (
    Piece("phase", ("phases",), 1, "kind of decision, one-hot"),
    Piece("to_move", ("players",), 1, "player to move, one-hot"),
    Piece("start_player", ("players",), 1, "start player, one-hot"),
    Piece("round", (), ROUND_BOUND, "full rounds played"),
    Piece("deck_size", (), lambda board: board.cards, "cards in the deck"),
    Piece("hand", ("kinds",), lambda board: board.copies, "own hand by weight"),
    Piece("hand_size", ("players",), lambda board: board.hand_size, "cards in every hand"),
    Piece("loaded", ("players", "kinds"), lambda board: board.copies, "cards on every coach by weight"),
    Piece("load", ("players",), lambda board: board.capacity + max(board.weights), "load of every coach"),
    Piece("departed", ("players",), 1, "1 if the coach has departed"),
)


def action_table(board: Board) -> ActionTable[Board]:
    """The actions on a board."""
    return ActionTable(FAMILIES, board)


def observation_table(board: Board, players: int) -> ObservationTable[Board]:
    """The observation on a board with a number of players."""
    axes = {"phases": Axis(len(PHASES)), "players": Axis(players), "kinds": Axis(len(board.weights))}
    return ObservationTable(PIECES, MappingProxyType(axes), board)
