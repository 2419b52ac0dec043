"""The boards that come with the game, and how a board is found by name or file."""

from __future__ import annotations

import os
from importlib import resources

from thurn_env.games.board_files import BoardFiles, BoardFormat
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.file import board_document, read_board

SHIPPED = resources.files("thurn_env.games.thurn_und_taxis.board")
BOARDS = BoardFiles(SHIPPED, "south", lambda: BoardFormat(Board, read_board, board_document))


def board_names() -> tuple[str, ...]:
    """Names of the boards that come with the package, in alphabetical order."""
    return BOARDS.names()


def load_board(board: str | os.PathLike[str] | Board) -> Board:
    """The board of that name, the board in that .toml file, or the `Board` itself; see `BoardFiles.load`."""
    return BOARDS.named(board)[1]
