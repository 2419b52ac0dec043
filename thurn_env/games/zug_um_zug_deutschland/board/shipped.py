"""Shipped boards, and boards by name or file."""

from __future__ import annotations

import os
from importlib import resources

from thurn_env.games.board_files import BoardFiles, BoardFormat
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.file import board_document, read_board

SHIPPED = resources.files("thurn_env.games.zug_um_zug_deutschland.board")
BOARDS = BoardFiles(SHIPPED, "germany", lambda: BoardFormat(Board, read_board, board_document))


def board_names() -> tuple[str, ...]:
    """Return the names of the shipped boards, in alphabetical order."""
    return BOARDS.names()


def load_board(board: str | os.PathLike[str] | Board) -> Board:
    """Return the board with that name, the board in that .toml file, or the given `Board`; see `BoardFiles.load`."""
    return BOARDS.named(board)[1]
