"""Where boards come from: the files that a game ships, and files of one's own."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, TypeVar

from thurn_env.games.board_tables import BoardError, did_you_mean

Board = TypeVar("Board")


class BoardFiles(Generic[Board]):
    """The boards of a game.

    Args:
        shipped: the folder of the boards that come with the game.
        read: makes a board of a parsed TOML document; `BoardError` if it is damaged.
    """

    def __init__(self, shipped: Traversable, read: Callable[[dict[str, Any]], Board]) -> None:
        self.shipped = shipped
        self._read = read
        self._loaded: dict[str, Board] = {}

    def names(self) -> tuple[str, ...]:
        """Names of the boards that come with the game, in alphabetical order."""
        return tuple(sorted(file.name[:-5] for file in self.shipped.iterdir() if file.name.endswith(".toml")))

    def load(self, board: str | os.PathLike[str]) -> Board:
        """The board of that name, or the board in that .toml file.

        A shipped name goes before a file of the same name; write `./south` to mean the file.
        Raises `BoardError` when there is no such board or its file is damaged.
        """
        names = self.names()
        if isinstance(board, str) and board in names:
            if board not in self._loaded:
                self._loaded[board] = self._parsed((self.shipped / f"{board}.toml").read_text("utf-8"), f"{board}.toml")
            return self._loaded[board]
        path = None
        # Not everything is a possible path: names that are too long, users that do not exist.
        with suppress(OSError, RuntimeError, ValueError):
            named = Path(board).expanduser()
            path = named if named.is_file() else None
        if path is not None:
            return self._in_file(path)
        raise BoardError(
            f'no board is called "{board}"{did_you_mean(str(board), names)}; '
            f"the boards are {', '.join(names)}, and the path of a .toml file of your own works too"
        )

    def _in_file(self, path: Path) -> Board:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BoardError(f"board file {path}: cannot be read as UTF-8 text: {error}") from error
        return self._parsed(text, str(path))

    def _parsed(self, text: str, file: str) -> Board:
        try:
            # Composed letters, so that names agree whichever way an editor writes its umlauts.
            return self._read(tomllib.loads(unicodedata.normalize("NFC", text)))
        except tomllib.TOMLDecodeError as error:
            raise BoardError(f"board file {file}: not valid TOML: {error}") from error
        except BoardError as error:
            raise BoardError(f"board file {file}: {error}") from None
