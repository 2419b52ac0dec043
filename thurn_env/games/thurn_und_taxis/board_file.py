"""Reading a board from TOML text (format `thurn-board/1`)."""

from __future__ import annotations

import tomllib
import unicodedata
from typing import Any, Literal

from thurn_env.games.thurn_und_taxis.board import Board, Carriage, City, Province, Stack
from thurn_env.games.thurn_und_taxis.board_checks import BoardError, did_you_mean

FORMAT = "thurn-board/1"

# The keys of every table and what they hold: a type, or [type] for a list of it.
Keys = dict[str, Any]

BOARD: Keys = {
    "format": str,
    "name": str,
    "title": str,
    "sources": str,
    "roads": [[str]],
    "constants": dict,
    "map": dict,
    "provinces": [dict],
    "cities": [dict],
    "stacks": [dict],
    "carriages": [dict],
}
CONSTANTS: Keys = {
    "houses_per_player": int,
    "copies_per_city": int,
    "display_size": int,
    "minimum_route": int,
    "hand_limit": int,
    "cartwright_reach": int,
}
MAP: Keys = {"width": int, "height": int}
PROVINCE: Keys = {"name": str, "colour": str}
CITY: Keys = {"name": str, "province": str, "x": int, "y": int}
CITY_OPTIONAL: Keys = {"aliases": [str]}
CARRIAGE: Keys = {"length": int, "points": int}
STACK: Keys = {"name": str, "kind": str, "values": [int]}
STACK_OF_KIND: dict[str, Keys] = {
    "distance": {"length": int},
    "provinces": {"provinces": [str]},
    "all_provinces": {},
    "game_end": {},
}
STACK_OPTIONAL: dict[str, Keys] = {"all_provinces": {"first_edition_without": str}}


def parse_board(text: str, file: str) -> Board:
    """The board that the TOML text describes. Raises `BoardError`, its message beginning with the file."""
    try:
        # Composed letters, so that names agree whichever way an editor writes its umlauts.
        return _board(tomllib.loads(unicodedata.normalize("NFC", text)))
    except tomllib.TOMLDecodeError as error:
        raise BoardError(f"board file {file}: not valid TOML: {error}") from error
    except BoardError as error:
        raise BoardError(f"board file {file}: {error}") from None


def _board(document: dict[str, Any]) -> Board:
    if document.get("format") != FORMAT:
        found = f"format is {document['format']!r}" if "format" in document else 'there is no key "format"'
        raise BoardError(f'{found}; a board begins with format = "{FORMAT}"')
    _check("top level", document, BOARD)
    _check("[constants]", document["constants"], CONSTANTS)
    _check("[map]", document["map"], MAP)
    return Board(
        name=document["name"],
        title=document["title"],
        sources=document["sources"],
        provinces=tuple(_province(table, n) for n, table in enumerate(document["provinces"], 1)),
        cities=tuple(_city(table, n) for n, table in enumerate(document["cities"], 1)),
        roads=tuple(_road(names) for names in document["roads"]),
        stacks=tuple(_stack(table, n) for n, table in enumerate(document["stacks"], 1)),
        carriages=tuple(_carriage(table, n) for n, table in enumerate(document["carriages"], 1)),
        **document["constants"],
        **document["map"],
    )


def _province(table: dict[str, Any], number: int) -> Province:
    _check(_where("province", table, number), table, PROVINCE)
    return Province(**table)


def _city(table: dict[str, Any], number: int) -> City:
    _check(_where("city", table, number), table, CITY, CITY_OPTIONAL)
    return City(**table | {"aliases": tuple(table.get("aliases", ()))})


def _road(names: list[str]) -> tuple[str, str]:
    if len(names) != 2:
        raise BoardError(f"road {_as_toml(names)}: a road joins two cities, this one names {len(names)}")
    return names[0], names[1]


def _stack(table: dict[str, Any], number: int) -> Stack:
    where = _where("stack", table, number)
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in STACK_OF_KIND:
        found = f"kind is {_as_toml(kind)}" if "kind" in table else 'the key "kind" is missing'
        raise BoardError(f"{where}: {found}; the kinds are {', '.join(STACK_OF_KIND)}")
    _check(where, table, STACK | STACK_OF_KIND[kind], STACK_OPTIONAL.get(kind, {}))
    facts: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Stack(**facts)


def _carriage(table: dict[str, Any], number: int) -> Carriage:
    _check(f"carriage number {number}", table, CARRIAGE)
    return Carriage(**table)


def _where(thing: str, table: dict[str, Any], number: int) -> str:
    name = table.get("name")
    return f'{thing} "{name}"' if isinstance(name, str) else f"{thing} number {number}"


def _check(where: str, table: dict[str, Any], needed: Keys, optional: Keys | None = None) -> None:
    """Refuse unknown keys first: a misspelt key is missing too, but its own name is the better clue."""
    keys = needed | (optional or {})
    for key, value in table.items():
        if key not in keys:
            raise BoardError(f'{where}: unknown key "{key}"{did_you_mean(key, keys)}')
        if not _fits(value, keys[key]):
            raise BoardError(f"{where}: {key} must be {_described(keys[key])}, not {_as_toml(value)}")
    for key in needed:
        if key not in table:
            raise BoardError(f'{where}: the key "{key}" is missing')


def _fits(value: object, kind: Any) -> bool:
    if isinstance(kind, list):
        return isinstance(value, list) and all(_fits(item, kind[0]) for item in value)
    return type(value) is kind  # exactly: to Python a bool is an int


def _described(kind: Any, number: Literal["one", "many"] = "one") -> str:
    if isinstance(kind, list):
        return {"one": "a list", "many": "lists"}[number] + " of " + _described(kind[0], "many")
    words = {str: ("a text", "texts"), int: ("a whole number", "whole numbers"), dict: ("a table", "tables")}
    return words[kind][number == "many"]


def _as_toml(value: object) -> str:
    """The value much as it stands in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_as_toml, value))}]"
    return str(value)
