"""The board as a value: cards by weight, and the capacity of a coach. Other games have a folder for this."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any

from thurn_env.games.board_files import BoardFiles, BoardFormat
from thurn_env.games.board_tables import BoardError, Keys, check_format, check_table, digest_of, frozen, outside

FORMAT = "thurn-example/1"
KEYS: Keys = {"format": str, "name": str, "weights": [int], "copies": int, "hand_size": int, "capacity": int}
MOST_CARDS = 100


@dataclass(frozen=True)
class Board:
    """Everything that a board fixes. Raises `BoardError` if a number is out of bounds.

    Attributes:
        name: the name of the board.
        weights: the weight of every kind of card.
        copies: cards of every kind.
        hand_size: cards dealt to every player.
        capacity: the most that a coach may carry.
    """

    name: str
    weights: tuple[int, ...]
    copies: int
    hand_size: int
    capacity: int

    def __post_init__(self) -> None:
        for problem in (
            *outside("the number of weights", len(self.weights), 2, 20),
            *outside("the least weight", min(self.weights, default=0), 1, 50),
            *outside("the largest weight", max(self.weights, default=0), 1, 50),
            *outside("copies", self.copies, 1, MOST_CARDS // max(1, len(self.weights))),
            *outside("hand_size", self.hand_size, 1, self.cards // 4),
            *outside("capacity", self.capacity, 1, 100),
        ):
            raise BoardError(problem)

    @property
    def cards(self) -> int:
        """The number of all cards."""
        return len(self.weights) * self.copies

    @property
    def digest(self) -> str:
        """SHA-256 (64 hex digits) of the facts; the name does not count."""
        return digest_of({key: value for key, value in asdict(self).items() if key != "name"})


def read_board(document: dict[str, Any]) -> Board:
    """The board that a TOML document describes. Raises `BoardError`."""
    check_format(document, FORMAT)
    check_table("top level", document, KEYS)
    return Board(**{key: frozen(value) for key, value in document.items() if key != "format"})


def board_document(board: Board) -> dict[str, Any]:
    """The document that `read_board` makes an equal board of."""
    return {"format": FORMAT, **asdict(board), "weights": list(board.weights)}


BOARDS = BoardFiles(
    resources.files("thurn_env.games.example"), "standard", lambda: BoardFormat(Board, read_board, board_document)
)
