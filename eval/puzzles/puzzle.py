"""Puzzles: positions with their best moves, as files that can be verified.

    format    "thurn-puzzle/1"
    theme     theme of the puzzle
    seat      the seat to move
    best      the best moves; any of them is right
    values    win probability after every legal move, best first
    proved    moves whose value is exact, because the game ends within the turn whatever is drawn
    games     rollouts for each of the other moves; 0 if all are proved
    bot       bot that played the rollouts at all seats
    seed      seed of their deals
    ahead     smallest lead of the best moves over the best of the others
    interval  the 99.9 % interval of the lead
    second_opinion    values by rollouts of another bot, `{"bot", "games", "values"}`; null if all are proved
    searched  values by fewer rollouts if the seat's next decision is the best one; see `eval.puzzles.proof`
    reason    why the best move is best, in words
    record    the game so far, a record (see docs/records.md)

The name of a puzzle is that of its file.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from thurn_env.checks import quoted
from thurn_env.errors import OptionError, ThurnError, some_of
from thurn_env.files import composed, read_text, write_text
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position

FORMAT = "thurn-puzzle/1"
FOLDER = Path(__file__).parent / "positions"
"""Folder of the project's puzzles."""

THEMES = {
    "last house": "whether to end the game now, by the last house or the last carriage",
    "cartwright": "the cartwright now, or a longer route later",
    "closing": "which houses to place when a route is closed",
    "denying": "taking what another seat needs before it gets it",
    "last round": "only points of this round still count",
    "route": "keeping a route alive, and the right card for it",
}
"""Themes and their descriptions."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle; the fields are those of the file."""

    name: str
    theme: str
    seat: int
    best: tuple[str, ...]
    values: dict[str, float]
    proved: tuple[str, ...]
    games: int
    bot: str
    seed: int
    ahead: float
    interval: tuple[float, float]
    second_opinion: dict[str, Any] | None
    searched: dict[str, float]
    reason: str
    record: Record

    @cached_property
    def game(self) -> Game:
        """The position, with the true hidden cards. Copy it before playing moves in it."""
        return last_position(self.record)

    @property
    def method(self) -> str:
        """How the values were computed, in words."""
        played = f"{self.games:,} games for each move, {self.bot} at all seats"
        if not self.games:
            return "every way to end the turn, and every card that may be drawn"
        if self.proved:
            return f"exact for {', '.join(self.proved)}: the game ends within the turn; for the others {played}"
        return played

    def check(self, draft: bool = False) -> None:
        """Replay the record and compare; raise `ThurnError` with the first difference. A draft needs no reason."""
        if self.theme not in THEMES:
            raise ThurnError(f"there is no theme {self.theme!r}; the themes are {', '.join(THEMES)}")
        if not (self.reason or draft):
            raise ThurnError("the reason is missing")
        game = self.game
        if game.over:
            raise ThurnError("the game is over")
        if game.seat != self.seat:
            raise ThurnError(f"seat {game.seat} is to move, not {self.seat}")
        legal = set(game.legal)
        if not self.best:
            raise ThurnError("there is no best move")
        for move in self.best:
            if move not in legal:
                raise ThurnError(f"the best move {quoted(move)} is not legal; legal are {some_of(game.legal)}")
        if len(self.best) == len(legal):
            raise ThurnError("every legal move is a best one")
        if self.values.keys() != legal:
            wrong = some_of(sorted(self.values.keys() ^ legal))
            raise ThurnError(f"values must be given for all legal moves and no others: {wrong}")

    def as_dict(self) -> dict[str, Any]:
        """Return the contents of the puzzle's file."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "name"}
        return {"format": FORMAT, **values, "record": self.record.as_dict()}

    def save(self, folder: Path) -> Path:
        """Write the file atomically and return its path."""
        path = folder / f"{self.name}.json"
        lines = (
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in self.as_dict().items()
        )
        write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")
        return path


def load_puzzle(path: Path, draft: bool = False) -> Puzzle:
    """Read a puzzle and verify it; a draft needs no reason.

    Raises:
        ThurnError: the file cannot be read or is invalid; the message names the puzzle and the reason.
    """
    try:
        puzzle = _puzzle_of(path.stem, json.loads(composed(read_text(path))))
        puzzle.check(draft)
    except ThurnError as error:
        raise ThurnError(f"puzzle {path.stem!r}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ThurnError(f"puzzle {path.stem!r}: {path} is not JSON that can be read: {error}") from None
    return puzzle


def _puzzle_of(name: str, data: Any) -> Puzzle:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ThurnError(f"the file must be a JSON object with the format {FORMAT!r}")
    kinds: dict[str, Any] = {
        "theme": str,
        "seat": int,
        "best": list,
        "values": dict,
        "proved": list,
        "games": int,
        "bot": str,
        "seed": int,
        "ahead": float,
        "interval": list,
        "second_opinion": dict | None,
        "searched": dict,
        "reason": str,
        "record": dict,
    }
    if strange := data.keys() - kinds.keys() - {"format"}:
        raise ThurnError(f"unknown entry {min(strange)!r}")
    for key, kind in kinds.items():
        if key not in data:
            raise ThurnError(f"the entry {key!r} is missing")
        if not isinstance(data[key], kind):
            raise ThurnError(f"the entry {key!r} has a wrong value: {str(data[key])[:60]}")
    values: dict[str, Any] = {key: tuple(data[key]) if kind is list else data[key] for key, kind in kinds.items()}
    values["record"] = Record.from_dict(data["record"])
    return Puzzle(name, **values)


def load_puzzles(folder: Path = FOLDER, draft: bool = False) -> list[Puzzle]:
    """Read all puzzles of a folder, by theme and number; raises like `load_puzzle`."""
    if not (files := sorted(folder.glob("*.json"), key=_by_number)):
        raise ThurnError(f"{folder}: there are no puzzles")
    puzzles = [load_puzzle(file, draft) for file in files]
    return sorted(puzzles, key=lambda puzzle: list(THEMES).index(puzzle.theme))


def the_puzzle(folder: Path, name: str) -> Puzzle:
    """Read the puzzle with this name, which may be a draft; raise `OptionError` if there is none."""
    path = folder / f"{name}.json"
    if not path.is_file():
        close = difflib.get_close_matches(name, [file.stem for file in folder.glob("*.json")], 3)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise OptionError(f"there is no puzzle {name!r} in {folder}{hint}")
    return load_puzzle(path, draft=True)


def _by_number(path: Path) -> tuple[str, int, str]:
    name, _, number = path.stem.rpartition("-")
    return (name, int(number), "") if number.isdecimal() else (path.stem, 0, "")
