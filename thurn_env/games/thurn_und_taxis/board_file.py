"""Reading a board from TOML text (format `thurn-board/1`)."""

from __future__ import annotations

import tomllib
import unicodedata
from typing import Any, Literal, get_args

from thurn_env.games.thurn_und_taxis.board import Board, Carriage, City, Horses, Province, Stack, Status, Statuses
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
BOARD_OPTIONAL: Keys = {"horses": dict}
CONSTANTS: Keys = {
    "houses_per_player": int,
    "copies_per_city": int,
    "display_size": int,
    "minimum_route": int,
    "hand_limit": int,
    "cartwright_reach": int,
}
MAP: Keys = {"width": int, "height": int}
HORSES: Keys = {"own": int, "most_cards": int}
PROVINCE: Keys = {"name": str, "colour": str}
CITY: Keys = {"name": str, "x": int, "y": int}
CITY_OPTIONAL: Keys = {"province": str, "free_city": bool, "aliases": [str], "copies": int, "horses": [int]}
CARRIAGE: Keys = {"length": int, "points": int}
STACK: Keys = {"name": str, "kind": str, "values": [int]}
STACK_OF_KIND: dict[str, Keys] = {
    "distance": {"length": int},
    "provinces": {"provinces": [str]},
    "all_provinces": {},
    "free_city": {"city": str},
    "game_end": {},
}
STACK_OPTIONAL: dict[str, Keys] = {"all_provinces": {"first_edition_without": str}}
STATUS = "status"
STATUSES: tuple[Status, ...] = get_args(Status)


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
    _check("top level", document, BOARD, BOARD_OPTIONAL)
    _check("[map]", document["map"], MAP)
    roads = [_road(entry) for entry in document["roads"]]
    return Board(
        name=document["name"],
        title=document["title"],
        sources=document["sources"],
        provinces=tuple(_province(table, n) for n, table in enumerate(document["provinces"], 1)),
        cities=tuple(_city(table, n) for n, table in enumerate(document["cities"], 1)),
        roads=tuple((one, other) for one, other, _ in roads),
        road_status=tuple(status for _, _, status in roads),
        stacks=tuple(_stack(table, n) for n, table in enumerate(document["stacks"], 1)),
        carriages=tuple(_carriage(table, n) for n, table in enumerate(document["carriages"], 1)),
        horses=_horses(document["horses"]) if "horses" in document else None,
        **_facts("[constants]", document["constants"], CONSTANTS),
        **document["map"],
    )


def _province(table: dict[str, Any], number: int) -> Province:
    return Province(**_facts(_where("province", table, number), table, PROVINCE))


def _city(table: dict[str, Any], number: int) -> City:
    where = _where("city", table, number)
    facts = _facts(where, table, CITY, CITY_OPTIONAL)
    if facts.pop("free_city", False) == ("province" in facts):
        raise BoardError(f'{where}: give it a "province", or write free_city = true, and not both')
    return City(**{"province": None} | facts)


def _road(entry: list[str]) -> tuple[str, str, Status | None]:
    """Two cities, and perhaps a status."""
    if len(entry) not in (2, 3):
        raise BoardError(f"road {_as_toml(entry)}: a road joins two cities, this one names {len(entry)}")
    one, other, *third = entry
    if not third:
        return one, other, None
    return (
        one,
        other,
        _status(f"road {_as_toml(entry)}: a road joins two cities; a third text is its status and", third[0]),
    )


def _stack(table: dict[str, Any], number: int) -> Stack:
    where = _where("stack", table, number)
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in STACK_OF_KIND:
        found = f"kind is {_as_toml(kind)}" if "kind" in table else 'the key "kind" is missing'
        raise BoardError(f"{where}: {found}; the kinds are {', '.join(STACK_OF_KIND)}")
    return Stack(**_facts(where, table, STACK | STACK_OF_KIND[kind], STACK_OPTIONAL.get(kind, {})))


def _carriage(table: dict[str, Any], number: int) -> Carriage:
    return Carriage(**_facts(f"carriage number {number}", table, CARRIAGE))


def _horses(table: dict[str, Any]) -> Horses:
    return Horses(**_facts("[horses]", table, HORSES))


def _facts(where: str, table: dict[str, Any], needed: Keys, optional: Keys | None = None) -> dict[str, Any]:
    """The facts of a checked table, as the classes of boards take them."""
    known = needed | (optional or {})
    _check(where, table, needed, (optional or {}) | {STATUS: dict})
    facts = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    statuses: Statuses = tuple(
        (_known_fact(where, fact, known), _status(f"{where}: the status of {fact}", status))
        for fact, status in table.get(STATUS, {}).items()
    )
    return facts | {STATUS: statuses}


def _known_fact(where: str, fact: str, known: Keys) -> str:
    if fact not in known:
        raise BoardError(f'{where}: a status for "{fact}", which is no fact of it{did_you_mean(fact, known)}')
    return fact


def _status(what: str, status: object) -> Status:
    for known in STATUSES:
        if status == known:
            return known
    raise BoardError(f"{what} must be {' or '.join(map(_as_toml, STATUSES))}, not {_as_toml(status)}")


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
    words = {
        str: ("a text", "texts"),
        int: ("a whole number", "whole numbers"),
        bool: ("true or false", "truths"),
        dict: ("a table", "tables"),
    }
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
