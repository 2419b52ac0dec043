"""Game records in the format `thurn-record/1`, which can be replayed and verified.

A record is one JSON object: the game and its options, the outcomes of chance, all moves as text, and the result.
Replaying it does not need this package. Files hold one record (`.json`) or one per line (`.jsonl`).
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from thurn_env.checks import plain, quoted, whole
from thurn_env.errors import RecordError, ThurnError, clipped
from thurn_env.files import composed, read_text, write_text
from thurn_env.games import make_rules
from thurn_env.games.board_files import BoardFacts, as_name
from thurn_env.games.contract import Chance, GameRules, Shown

__all__ = ["Record", "save_all"]

FORMAT = "thurn-record/1"
BEGINNING = f'{{"format": "{FORMAT}"'
"""Beginning of every file of records."""
LONGEST_REASON = 320
"""Maximum number of characters of the reason why a record has no rules."""
OWN_BOARD = {"digest": str, "facts": dict}
"""Fields of a record for a board that is not shipped with the package."""


@dataclass(frozen=True)
class Record:
    """A recorded game.

    Attributes:
        game: name of the game.
        board: name of the board, or path of its file.
        options: options of the game; missing ones have their defaults.
        players: number of players.
        start_player: seat that began.
        chance: outcomes of chance, under the keys of the game (such as `decks`, top card first).
        moves: every move as text, forced ones included.
        result: `{"scores": [...], "ranks": [...]}` by seat; None for an unfinished game.
        agents: names of the agents by seat; may be empty.
        own_board: for a board that is not shipped with the package, its `digest` and `facts`, the contents of its file;
            else None. A record without it whose `board` is a path needs the file.
    """

    game: str
    board: str
    options: dict[str, Any]
    players: int
    start_player: int
    chance: Chance
    moves: list[str]
    result: dict[str, list[int]] | None = None
    agents: list[str] = field(default_factory=list)
    own_board: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        # The caller may give a path object and NumPy scalars, which JSON cannot represent.
        object.__setattr__(self, "board", as_name(self.board))
        for name in ("options", "players", "start_player", "result"):
            object.__setattr__(self, name, plain(getattr(self, name)))

    @classmethod
    def of(
        cls,
        rules: GameRules,
        start_player: int,
        chance: Chance,
        moves: list[str],
        result: dict[str, list[int]] | None,
        agents: Sequence[str],
    ) -> Record:
        """Return the record of a game with these rules; raise `RecordError` if `agents` are no names of all seats."""
        names = list(agents) if isinstance(agents, Iterable) and not isinstance(agents, str) else [agents]
        _check_names(names)
        _check_number(names, rules.players)
        return cls(
            rules.name,
            rules.board_name,
            dict(rules.options),
            rules.players,
            start_player,
            copy.deepcopy(chance),
            moves,
            result,
            names,
            copy.deepcopy(_own_board(rules)),
        )

    @property
    def rules(self) -> GameRules:
        """Rules that the record names.

        Raises:
            RecordError: there are no such rules.
        """
        for name in ("game", "players", "board"):
            if name in self.options:
                raise RecordError(f"the record cannot be played: {name!r} is not an option")
        own = self.own_board
        board = self.board if own is None else BoardFacts(self.board, own["facts"])
        try:
            rules = make_rules(self.game, self.players, board, **self.options)
        except (ThurnError, OSError, RuntimeError) as error:
            where = "" if own is None else "own_board: "
            # Names in a damaged board may be of any length.
            raise RecordError(f"the record cannot be played: {where}{clipped(str(error), LONGEST_REASON)}") from None
        if own is not None and own["digest"] != rules.board_digest:
            said, found = own["digest"][:16], rules.board_digest[:16]
            raise RecordError(f"own_board: the digest of the facts begins with {found!r}, the record says {said!r}")
        return rules

    def as_dict(self) -> dict[str, Any]:
        """Return the record as a dict, in the order in which it is written."""
        record: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "board": self.board,
            "options": self.options,
            "players": self.players,
            "start_player": self.start_player,
            **self.chance,
            "moves": self.moves,
        }
        if self.result is not None:
            record["result"] = self.result
        if self.agents:
            record["agents"] = self.agents
        if self.own_board is not None:
            record["own_board"] = self.own_board
        return record

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, source: str = "record") -> Record:
        """Parse a record; `thurn_env.table.replay.verify` checks the moves.

        Args:
            text: JSON text.
            source: name of the source for error messages.

        Raises:
            RecordError: the text is not a valid record.
        """
        try:
            data = json.loads(text, object_pairs_hook=_once)
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None
        except json.JSONDecodeError as error:
            raise RecordError(f"{source}: not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
        except RecursionError:
            raise RecordError(f"{source}: nested too deeply to be a record") from None
        except ValueError as error:
            # `ValueError` covers integers with thousands of digits.
            raise RecordError(f"{source}: not JSON that can be read: {error}") from None
        try:
            return cls.from_dict(data)
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None
        except RecursionError:
            raise RecordError(f"{source}: nested too deeply to be a record") from None

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """Make a record from parsed JSON.

        Raises:
            RecordError: the data is not a valid record.
        """
        if not isinstance(data, dict):
            raise RecordError(f"a record is a JSON object, not {type(data).__name__}")
        if data.get("format") != FORMAT:
            raise RecordError(f"format must be {FORMAT!r}, not {quoted(data.get('format'))}")
        fields = dict(data)
        del fields["format"]
        known = {
            "game": str,
            "board": str,
            "options": dict,
            "players": int,
            "start_player": int,
            "moves": list,
        }
        values: dict[str, Any] = {}
        for key, kind in known.items():
            if key not in fields:
                raise RecordError(f"the record lacks {key!r}")
            value = fields.pop(key)
            if not _is(value, kind):
                raise RecordError(f"{key} must be {_JSON_NAMES[kind]}, not {quoted(value)}")
            values[key] = value
        result = fields.pop("result", None)
        agents = fields.pop("agents", [])
        own_board = fields.pop("own_board", None)
        _check_list("moves", values["moves"], str)
        _check_names(agents)
        _check_unicode("board", values["board"])
        _check_own_board(own_board)
        # Names of cities and tickets are in composed Unicode; editors and file systems may have decomposed them.
        values["moves"], fields, own_board = _composed(values["moves"]), _composed(fields), _composed(own_board)
        if result is not None:
            if not isinstance(result, dict):
                raise RecordError(f"result must be an object with scores and ranks, not {quoted(result)}")
            if set(result) != {"scores", "ranks"}:
                raise RecordError(f"result must have scores and ranks, not {quoted(sorted(map(str, result)))}")
            for key in ("scores", "ranks"):
                _check_list(f"result {key}", result[key], int)
        record = cls(**values, chance=fields, result=result, agents=agents, own_board=own_board)
        rules = record.rules
        for key in fields:
            if key not in rules.chance_forms:
                raise RecordError(f"unknown entry {quoted(key)}")
        for key, form in rules.chance_forms.items():
            if key not in fields:
                raise RecordError(f"the record lacks {key!r}")
            _check_outcomes(key, fields[key], form)
        _check_number(agents, record.players)
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a JSON file atomically.

        Raises:
            ThurnError: the file cannot be written.
        """
        write_text(Path(path), self.to_json() + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a file with a single record; use `load_all` for several.

        Raises:
            RecordError: the file does not hold exactly one valid record.
        """
        records = list(cls.load_all(path))
        if len(records) != 1:
            raise RecordError(
                f"{path}: holds {len(records)} records; give a file with one, or read all of them with Record.load_all"
            )
        return records[0]

    @classmethod
    def load_all(cls, path: str | os.PathLike[str]) -> Iterator[Record]:
        """Yield the records of a JSON or JSON lines file.

        Raises:
            RecordError: the file is empty or a record is not valid.
        """
        texts = texts_of_records(path)
        board: dict[str, Any] | None = None
        for number, text in texts:
            record = cls.from_json(text, str(path) if len(texts) == 1 else f"{path}, line {number}")
            if record.own_board is not None:
                # Games of a tournament share one board: keep it in memory once.
                board = board if board == record.own_board else record.own_board
                record = replace(record, own_board=board)
            yield record


@lru_cache(maxsize=64)
def _own_board(rules: Shown) -> dict[str, Any] | None:
    """Return `own_board` for records of these rules, which are constant; looking it up would slow down every record."""
    facts = rules.board_facts()
    return None if facts is None else {"digest": rules.board_digest, "facts": facts}


_JSON_NAMES: dict[type, str] = {str: "a text", dict: "an object", int: "a whole number", list: "a list"}


def _is(value: Any, kind: type) -> bool:
    """Return whether a value is of a type in `_JSON_NAMES`; NumPy integers are integers, True is not."""
    return whole(value) is not None if kind is int else isinstance(value, kind)


def _composed(value: Any) -> Any:
    """Return a JSON value with all strings in composed Unicode."""
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, list):
        return [_composed(item) for item in value]
    if isinstance(value, dict):
        return {composed(key): _composed(item) for key, item in value.items()}
    return value


def _check_unicode(what: str, text: str) -> None:
    """Raise `RecordError` for lone surrogates, which JSON can write as `\\ud800` but which cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RecordError(f"{what}: {quoted(text)} is not Unicode text") from None


def _check_names(agents: Any) -> None:
    _check_list("agents", agents, str)
    for name in agents:
        _check_unicode("agents", name)


def _check_number(agents: list[str], players: int) -> None:
    if agents and len(agents) != players:
        raise RecordError(f"agents: {len(agents)} names for {players} players")


def _check_own_board(value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, dict) or set(value) != set(OWN_BOARD):
        raise RecordError(f"own_board must be an object with {' and '.join(OWN_BOARD)}, not {quoted(value)}")
    for key, kind in OWN_BOARD.items():
        if not isinstance(value[key], kind):
            raise RecordError(f"own_board: {key} must be {_JSON_NAMES[kind]}, not {quoted(value[key])}")
    _check_unicode("own_board", json.dumps(value, ensure_ascii=False))


def _check_list(what: str, value: Any, kind: type) -> None:
    if not isinstance(value, list):
        raise RecordError(f"{what} must be a list, not {quoted(value)}")
    for item in value:
        if not _is(item, kind):
            raise RecordError(f"{what}: {quoted(item)} is not {_JSON_NAMES[kind]}")


def _check_outcomes(key: str, value: Any, form: type) -> None:
    """Check outcomes of chance: lists of names, in a list or in an object by name."""
    if form is list:
        _check_list(key, value, list)
        for order in value:
            _check_list(f"an order of {key}", order, str)
        return
    if not isinstance(value, dict):
        raise RecordError(f"{key} must be an object of lists, not {quoted(value)}")
    for name, order in value.items():
        _check_list(f"{key}: {clipped(name)}", order, str)


def texts_of_records(path: str | os.PathLike[str]) -> list[tuple[int, str]]:
    """Return the texts of all records in a JSON or JSON lines file, each with the number of its first line.

    Raises:
        RecordError: the file cannot be read, or it is empty.
    """
    text = read_text(path, RecordError)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise RecordError(f"{path}: the file is empty")
    # Other programs may format one record over several lines.
    return [(1, text)] if len(lines) > 1 and not _is_json(lines[0][1]) else lines


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise `RecordError` for a duplicate key, since JSON readers differ in how they treat it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError(f"{quoted(twice)} is given twice")
    return found


def save_all(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records to a JSON lines file atomically.

    Raises:
        ThurnError: the file cannot be written.
    """
    write_text(Path(path), "".join(record.to_json() + "\n" for record in records))
