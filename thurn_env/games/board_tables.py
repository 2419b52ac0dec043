"""Checks shared by the boards of all games: keys and types of TOML tables, names, bounds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, Literal, get_args

from thurn_env.checks import quoted
from thurn_env.errors import ThurnError, clipped


class BoardError(ThurnError):
    """There is no such board, or its facts are inconsistent."""


Status = Literal["confirmed", "reconstructed"]
STATUSES: tuple[Status, ...] = get_args(Status)

Keys = dict[str, Any]
"""Keys of a table and their types; [type] stands for a list of that type."""

PLAIN = "must be printable text, not empty, without blanks at its ends"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean "Ulm"?` for the nearest known name, or an empty text."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    nearest = get_close_matches(clipped(name).casefold(), by_folded, n=1)
    return f'; did you mean "{clipped(by_folded[nearest[0]])}"?' if nearest else ""


def unknown_name(thing: str, name: str, known: Iterable[str]) -> str:
    """Return the error message for a name that does not occur on the board."""
    return f'no {thing} is called "{clipped(name)}"{did_you_mean(name, known)}'


def outside(what: str, value: int, least: int, most: int) -> Iterator[str]:
    """Yield an error message if a number is out of bounds."""
    if not least <= value <= most:
        yield f"{what} is {value}; it must lie in {least}..{most}"


def is_plain(name: str) -> bool:
    """Return whether a name can be printed in a line of text."""
    return bool(name) and name == name.strip() and name.isprintable()


def bad_or_repeated(thing: str, names: Iterable[str], which: str) -> Iterator[str]:
    """Yield an error message for every invalid or duplicate name."""
    seen: dict[str, str] = {}
    for name in names:
        if not is_plain(name):
            yield f'{thing} "{clipped(name)}": a name {PLAIN}'
        if name.casefold() in seen:
            taken = clipped(seen[name.casefold()])
            yield f'{thing} "{clipped(name)}": the {which} must differ, and "{taken}" is taken already'
        seen[name.casefold()] = name


def check_table(where: str, table: dict[str, Any], needed: Keys, optional: Keys | None = None) -> None:
    """Check the keys and types of a table.

    Unknown keys come first: a misspelt key is also missing, but its own name is the better clue.
    """
    keys = needed | (optional or {})
    for key, value in table.items():
        if key not in keys:
            raise BoardError(f'{where}: unknown key "{clipped(key)}"{did_you_mean(key, keys)}')
        if not _fits(value, keys[key]):
            raise BoardError(f"{where}: {key} must be {_described(keys[key])}, not {as_toml(value)}")
    for key in needed:
        if key not in table:
            raise BoardError(f'{where}: the key "{key}" is missing')


def check_format(document: dict[str, Any], wanted: str) -> None:
    """Check the name of the format, the first entry of a board."""
    if document.get("format") != wanted:
        found = f"format is {quoted(document['format'])}" if "format" in document else 'there is no key "format"'
        raise BoardError(f'{found}; a board begins with format = "{wanted}"')


def checked_status(what: str, status: object) -> Status:
    """Return the status of a fact if it is valid."""
    for known in STATUSES:
        if status == known:
            return known
    raise BoardError(f"{what} must be {' or '.join(map(as_toml, STATUSES))}, not {as_toml(status)}")


def _fits(value: object, kind: Any) -> bool:
    if isinstance(kind, list):
        return isinstance(value, list) and all(_fits(item, kind[0]) for item in value)
    return type(value) is kind  # exactly: to Python a bool is an int


def _described(kind: Any, number: Literal["one", "many"] = "one") -> str:
    if isinstance(kind, list):
        return {"one": "a list", "many": "lists"}[number] + " of " + _described(kind[0], "many")
    words = {
        str: ("a text", "texts"),
        int: ("a whole number", "whole numbers"),
        bool: ("true or false", "truths"),
        dict: ("a table", "tables"),
    }
    return words[kind][number == "many"]


def frozen(value: Any) -> Any:
    """Return a value of a table in immutable form: lists become tuples."""
    return tuple(value) if isinstance(value, list) else value


def as_table(entry: Any) -> dict[str, Any]:
    """Return an entry of a board (a dataclass) as a table of its file, without default values."""
    values = ((declared, getattr(entry, declared.name)) for declared in fields(entry))
    table = {
        declared.name: list(value) if isinstance(value, tuple) else value
        for declared, value in values
        if value != declared.default
    }
    return table | ({"status": dict(entry.status)} if "status" in table else {})


def called(thing: str, table: dict[str, Any], number: int) -> str:
    """Return what error messages call an entry of a list: its name if it has one, else its number."""
    name = table.get("name")
    return f'{thing} "{clipped(name)}"' if isinstance(name, str) else f"{thing} number {number}"


def digest_of(facts: dict[str, Any]) -> str:
    """Return the SHA-256 digest of facts (64 hex digits)."""
    canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def as_toml(value: object) -> str:
    """Return a value roughly as it appears in the file, cut to 60 characters."""
    return clipped(_as_toml(value))


def _as_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_as_toml, value))}]"
    return str(value)
