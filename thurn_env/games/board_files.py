"""Loading of boards: shipped files, users' files, and facts in records."""

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
    """Common interface of boards."""

    @property
    def name(self) -> str:
        """Name in the board's file."""


Board = TypeVar("Board", bound=Named)

LONGEST_PATH = 200
"""Maximum number of characters of a path in an error message."""


class BoardFacts(NamedTuple):
    """A board as stored in a record.

    Attributes:
        name: board argument with which the game was made: a name or the path of a file, which need not exist any more.
        facts: contents of the board's file, as plain values.
    """

    name: str
    facts: dict[str, Any]


@dataclass(frozen=True)
class BoardFormat(Generic[Board]):
    """How a game reads and writes its boards.

    Attributes:
        kind: class of its boards.
        read: makes a board from a parsed TOML document; raises `BoardError` if it is invalid.
        write: returns a document from which `read` makes an equal board.
    """

    kind: type[Board]
    read: Callable[[dict[str, Any]], Board]
    write: Callable[[Board], dict[str, Any]]


class BoardFiles(Generic[Board]):
    """The boards of a game.

    Args:
        shipped: folder of the shipped boards.
        usual: name of the default board.
        board_format: function that returns the board format.
    """

    def __init__(self, shipped: Traversable, usual: str, board_format: Callable[[], BoardFormat[Board]]) -> None:
        self.shipped = shipped
        self.usual = usual
        # A function, to avoid an import cycle with the module of the format.
        self._format = board_format
        self._loaded: dict[str, Board] = {}

    def names(self) -> tuple[str, ...]:
        """Names of the shipped boards, in alphabetical order."""
        return tuple(sorted(file.name[:-5] for file in self.shipped.iterdir() if file.name.endswith(".toml")))

    def named(self, board: Any) -> tuple[str, Board]:
        """Return the name of a board within the game, and the board.

        Args:
            board: a name or path (see `load`), a board, `BoardFacts`, or None for the default board.

        Raises:
            BoardError: there is no such board, or it is invalid.
        """
        if board is None:
            return self.usual, self.load(self.usual)
        if isinstance(board, BoardFacts):
            return board.name, self._read(board.facts)
        if isinstance(board, self._format().kind):
            return board.name, board
        return as_name(board), self.load(board)

    def load(self, board: str | os.PathLike[str]) -> Board:
        """Return the board with that name, or the board in that .toml file.

        A shipped name takes precedence over a file of the same name; write `./south` for the file. A `Path` drops the
        `./`: make it absolute.

        Raises:
            BoardError: there is no such board, or its file is invalid.
        """
        name, names = as_name(board), self.names()
        if name in names:
            if name not in self._loaded:
                file = f"{name}.toml"
                self._loaded[name] = self._parsed((self.shipped / file).read_text("utf-8"), file)
            return self._loaded[name]
        path = None
        # Some strings cannot be paths: names that are too long, users that do not exist.
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
        """Return the facts that a record needs for a board called `name`; None for a shipped board."""
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
    """Return the name or path of a board as text; raise `BoardError` if it is neither."""
    try:
        return os.fsdecode(board)
    except TypeError:
        raise BoardError(f"a board is a name or the path of a .toml file, not {quoted(board)}") from None
