"""Where boards come from: the files that a game ships, files of people, and the facts in records."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from thurn_env.checks import quoted
from thurn_env.errors import clipped
from thurn_env.files import composed, read_text
from thurn_env.games.board_tables import BoardError, did_you_mean


class Named(Protocol):
    """What all boards have in common."""

    @property
    def name(self) -> str:
        """The name in the board's file."""


Board = TypeVar("Board", bound=Named)

LONGEST_PATH = 200
"""The most characters of a path that a message quotes."""


class BoardFacts(NamedTuple):
    """A board as a record holds it.

    Attributes:
        name: what the game was made with: a name or the path of a file, which need not exist any more.
        facts: the contents of the board's file, as plain values.
    """

    name: str
    facts: dict[str, Any]


@dataclass(frozen=True)
class BoardFormat(Generic[Board]):
    """How a game reads and writes its boards.

    Attributes:
        kind: the class of its boards.
        read: makes a board of a parsed TOML document; `BoardError` if it is damaged.
        write: the document that `read` makes an equal board of.
    """

    kind: type[Board]
    read: Callable[[dict[str, Any]], Board]
    write: Callable[[Board], dict[str, Any]]


class BoardFiles(Generic[Board]):
    """The boards of a game.

    Args:
        shipped: the folder of the boards that come with the game.
        usual: the name of the board that is played on if none is named.
        board_format: returns how boards are read and written.
    """

    def __init__(self, shipped: Traversable, usual: str, board_format: Callable[[], BoardFormat[Board]]) -> None:
        self.shipped = shipped
        self.usual = usual
        # A function, because the module of the format imports the one that calls this.
        self._format = board_format
        self._loaded: dict[str, Board] = {}

    def names(self) -> tuple[str, ...]:
        """Names of the boards that come with the game, in alphabetical order."""
        return tuple(sorted(file.name[:-5] for file in self.shipped.iterdir() if file.name.endswith(".toml")))

    def named(self, board: Any) -> tuple[str, Board]:
        """What a game calls its board, and the board.

        Args:
            board: a name or path (see `load`), a board, `BoardFacts`, or None for the usual board.

        Raises:
            BoardError: there is no such board, or it is damaged.
        """
        if board is None:
            return self.usual, self.load(self.usual)
        if isinstance(board, BoardFacts):
            return board.name, self._read(board.facts)
        if isinstance(board, self._format().kind):
            return board.name, board
        return as_name(board), self.load(board)

    def load(self, board: str | os.PathLike[str]) -> Board:
        """The board of that name, or the board in that .toml file.

        A shipped name goes before a file of the same name; write `./south` to mean the file. A `Path` drops the `./`:
        make it absolute. Raises `BoardError` when there is no such board or its file is damaged.
        """
        name, names = as_name(board), self.names()
        if name in names:
            if name not in self._loaded:
                file = f"{name}.toml"
                self._loaded[name] = self._parsed((self.shipped / file).read_text("utf-8"), file)
            return self._loaded[name]
        path = None
        # Not everything is a possible path: names that are too long, users that do not exist.
        with suppress(OSError, RuntimeError, ValueError):
            found = Path(name).expanduser()
            path = found if found.is_file() else None
        if path is not None:
            try:
                text = read_text(path, BoardError)
            except BoardError as error:
                raise BoardError(f"board file {error}") from None
            return self._parsed(text, str(path))
        raise BoardError(
            f'no board is called "{clipped(name, LONGEST_PATH)}"{did_you_mean(name, names)}; '
            f"the boards are {', '.join(names)}, and the path of a .toml file of your own works too"
        )

    def facts(self, name: str, board: Board) -> dict[str, Any] | None:
        """What a record must hold of a board that a game calls `name`; None if the board comes with the game."""
        if name in self.names() and self.load(name) == board:
            return None
        return self._format().write(board)

    def _parsed(self, text: str, file: str) -> Board:
        try:
            return self._read(tomllib.loads(composed(text)))
        except tomllib.TOMLDecodeError as error:
            raise BoardError(f"board file {file}: not valid TOML: {error}") from error
        except RecursionError:
            raise BoardError(f"board file {file}: nested too deeply") from None
        except BoardError as error:
            raise BoardError(f"board file {file}: {error}") from None

    def _read(self, document: dict[str, Any]) -> Board:
        return self._format().read(document)


def as_name(board: Any) -> str:
    """The name or path of a board as text; `BoardError` if it is neither."""
    try:
        return os.fsdecode(board)
    except TypeError:
        raise BoardError(f"a board is a name or the path of a .toml file, not {quoted(board)}") from None
