"""A game as text that replays and verifies itself: the format `thurn-record/1`.

A record is one JSON object: the game and its options, the outcomes of chance, all moves in text form, and the result.
Anyone can replay it without this package. Files hold one record (`.json`) or one per line (`.jsonl`).
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from thurn_env.checks import plain, quoted, whole
from thurn_env.errors import RecordError, ThurnError, clipped
from thurn_env.files import composed, read_text, write_text
from thurn_env.games import make_rules
from thurn_env.games.board_files import BoardFacts, as_name
from thurn_env.games.contract import Chance, GameRules

__all__ = ["Record", "save_all"]

FORMAT = "thurn-record/1"
LONGEST_REASON = 320
"""The most characters of the reason why there are no rules of a record."""
OWN_BOARD = {"digest": str, "facts": dict}
"""What a record holds of a board that does not come with the package."""


@dataclass(frozen=True)
class Record:
    """A recorded game.

    Attributes:
        game: the game's name.
        board: the board's name, or the path of its file.
        options: the game's options; those not named have their defaults.
        players: number of players.
        start_player: the seat that began.
        chance: the outcomes of chance, under the keys of the game (such as `decks`, top card first).
        moves: every move in text form, forced ones included.
        result: `{"scores": [...], "ranks": [...]}` by seat; None for an unfinished game.
        agents: the agents' names by seat; may be empty.
        own_board: of a board that does not come with the package its `digest` and `facts`, the contents of its file;
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
        # Whoever makes a record may give a path, and JSON has no place for NumPy's numbers.
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
        """The record of a game of these rules."""
        facts = rules.board_facts()
        return cls(
            rules.name,
            rules.board_name,
            dict(rules.options),
            rules.players,
            start_player,
            copy.deepcopy(chance),
            moves,
            result,
            list(agents),
            None if facts is None else {"digest": rules.board_digest, "facts": facts},
        )

    @property
    def rules(self) -> GameRules:
        """The rules that the record names; `RecordError` if they do not exist."""
        for name in ("game", "players", "board"):
            if name in self.options:
                raise RecordError(f"the record cannot be played: {name!r} is no option")
        own = self.own_board
        board = self.board if own is None else BoardFacts(self.board, own["facts"])
        try:
            rules = make_rules(self.game, self.players, board, **self.options)
        except (ThurnError, OSError, RuntimeError) as error:
            where = "" if own is None else "own_board: "
            # Names of a damaged board may be of any length.
            raise RecordError(f"the record cannot be played: {where}{clipped(str(error), LONGEST_REASON)}") from None
        if own is not None and own["digest"] != rules.board_digest:
            said, found = own["digest"][:16], rules.board_digest[:16]
            raise RecordError(f"own_board: the digest of the facts begins with {found!r}, the record says {said!r}")
        return rules

    def as_dict(self) -> dict[str, Any]:
        """The record in the order in which it is written."""
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
        """The record as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, source: str = "record") -> Record:
        """Read a record; `RecordError` names what is wrong. `thurn_env.table.replay.verify` checks the moves."""
        try:
            data = json.loads(text, object_pairs_hook=_once)
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None
        except json.JSONDecodeError as error:
            raise RecordError(f"{source}: not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
        except RecursionError:
            raise RecordError(f"{source}: nested too deeply to be a record") from None
        except ValueError as error:
            # A number with thousands of digits.
            raise RecordError(f"{source}: not JSON that can be read: {error}") from None
        try:
            return cls.from_dict(data)
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None
        except RecursionError:
            raise RecordError(f"{source}: nested too deeply to be a record") from None

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """Read a record from parsed JSON; `RecordError` names what is wrong."""
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
        _check_list("agents", agents, str)
        _check_unicode("board", values["board"])
        for name in agents:
            _check_unicode("agents", name)
        _check_own_board(own_board)
        # Cities and tickets are named in composed letters; editors and file systems may have taken them apart.
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
        if agents and len(agents) != record.players:
            raise RecordError(f"agents: {len(agents)} names for {record.players} players")
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record as a JSON file, all or nothing."""
        write_text(Path(path), self.to_json() + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a file with one record; for several use `load_all`."""
        records = list(cls.load_all(path))
        if len(records) != 1:
            raise RecordError(f"{path}: holds {len(records)} records; Record.load_all reads several")
        return records[0]

    @classmethod
    def load_all(cls, path: str | os.PathLike[str]) -> Iterator[Record]:
        """Read the records of a file, JSON or JSON lines, one after the other."""
        text = read_text(path, RecordError)
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if not lines:
            raise RecordError(f"{path}: the file is empty")
        if len(lines) > 1 and not _is_json(lines[0][1]):
            # One record over several lines, as other programs may format it.
            yield cls.from_json(text, str(path))
            return
        board: dict[str, Any] | None = None
        for number, line in lines:
            record = cls.from_json(line, str(path) if len(lines) == 1 else f"{path}, line {number}")
            if record.own_board is not None:
                # Games of one tournament have one board: it need not be in memory for each of them.
                board = board if board == record.own_board else record.own_board
                record = replace(record, own_board=board)
            yield record


_JSON_NAMES: dict[type, str] = {str: "a text", dict: "an object", int: "a whole number", list: "a list"}


def _is(value: Any, kind: type) -> bool:
    """Whether a value is of a kind of `_JSON_NAMES`; NumPy's whole numbers are numbers, and True is none."""
    return whole(value) is not None if kind is int else isinstance(value, kind)


def _composed(value: Any) -> Any:
    """A JSON value with composed letters in all its texts."""
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, list):
        return [_composed(item) for item in value]
    if isinstance(value, dict):
        return {composed(key): _composed(item) for key, item in value.items()}
    return value


def _check_unicode(what: str, text: str) -> None:
    """Refuse half characters, which JSON can write as `\\ud800` and no file or terminal takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RecordError(f"{what}: {quoted(text)} is not Unicode text") from None


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
    """Outcomes of chance: lists of names in a list, or in an object by name."""
    if form is list:
        _check_list(key, value, list)
        for order in value:
            _check_list(f"an order of {key}", order, str)
        return
    if not isinstance(value, dict):
        raise RecordError(f"{key} must be an object of lists, not {quoted(value)}")
    for name, order in value.items():
        _check_list(f"{key}: {clipped(name)}", order, str)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; `RecordError` if it says something twice, as readers differ in which they believe."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError(f"{quoted(twice)} is given twice")
    return found


def save_all(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records as JSON lines, all or nothing."""
    write_text(Path(path), "".join(record.to_json() + "\n" for record in records))
