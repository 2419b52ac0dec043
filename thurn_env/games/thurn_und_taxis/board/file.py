"""Reading and writing of boards as TOML documents (format `thurn-board/1`)."""

from __future__ import annotations

from typing import Any

from thurn_env.games.board_tables import (
    BoardError,
    Keys,
    Status,
    as_table,
    as_toml,
    called,
    check_format,
    check_table,
    checked_status,
    did_you_mean,
    frozen,
)
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.facts import Carriage, City, Horses, Province, Stack, Statuses

FORMAT = "thurn-board/1"

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


def read_board(document: dict[str, Any]) -> Board:
    """Return the board that a TOML document describes; raise `BoardError` if it is invalid."""
    check_format(document, FORMAT)
    check_table("top level", document, BOARD, BOARD_OPTIONAL)
    check_table("[map]", document["map"], MAP)
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


def board_document(board: Board) -> dict[str, Any]:
    """Return a document from which `read_board` makes an equal board, as plain values."""
    statuses = board.road_status or (None,) * len(board.roads)
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": board.name,
        "title": board.title,
        "sources": board.sources,
        "constants": {key: getattr(board, key) for key in CONSTANTS},
        "map": {key: getattr(board, key) for key in MAP},
        "provinces": [as_table(province) for province in board.provinces],
        "cities": [_city_table(city) for city in board.cities],
        "roads": [[*road, status] if status else [*road] for road, status in zip(board.roads, statuses, strict=True)],
        "stacks": [as_table(stack) for stack in board.stacks],
        "carriages": [as_table(carriage) for carriage in board.carriages],
    }
    if board.status:
        document["constants"][STATUS] = dict(board.status)
    if board.horses is not None:
        document["horses"] = as_table(board.horses)
    return document


def _city_table(city: City) -> dict[str, Any]:
    table = as_table(city)
    if city.province is None:
        del table["province"]
        table["free_city"] = True
    return table


def _province(table: dict[str, Any], number: int) -> Province:
    return Province(**_facts(called("province", table, number), table, PROVINCE))


def _city(table: dict[str, Any], number: int) -> City:
    where = called("city", table, number)
    facts = _facts(where, table, CITY, CITY_OPTIONAL)
    if facts.pop("free_city", False) == ("province" in facts):
        raise BoardError(f'{where}: give it a "province", or write free_city = true, and not both')
    return City(**{"province": None} | facts)


def _road(entry: list[str]) -> tuple[str, str, Status | None]:
    """Return two cities and an optional status."""
    if len(entry) not in (2, 3):
        raise BoardError(f"road {as_toml(entry)}: a road joins two cities, this one names {len(entry)}")
    one, other, *third = entry
    if not third:
        return one, other, None
    return (
        one,
        other,
        checked_status(f"road {as_toml(entry)}: a road joins two cities; a third text is its status and", third[0]),
    )


def _stack(table: dict[str, Any], number: int) -> Stack:
    where = called("stack", table, number)
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in STACK_OF_KIND:
        found = f"kind is {as_toml(kind)}" if "kind" in table else 'the key "kind" is missing'
        raise BoardError(f"{where}: {found}; the kinds are {', '.join(STACK_OF_KIND)}")
    return Stack(**_facts(where, table, STACK | STACK_OF_KIND[kind], STACK_OPTIONAL.get(kind, {})))


def _carriage(table: dict[str, Any], number: int) -> Carriage:
    return Carriage(**_facts(f"carriage number {number}", table, CARRIAGE))


def _horses(table: dict[str, Any]) -> Horses:
    return Horses(**_facts("[horses]", table, HORSES))


def _facts(where: str, table: dict[str, Any], needed: Keys, optional: Keys | None = None) -> dict[str, Any]:
    """Return the facts of a checked table as arguments of the board's classes."""
    known = needed | (optional or {})
    check_table(where, table, needed, (optional or {}) | {STATUS: dict})
    facts = {key: frozen(value) for key, value in table.items()}
    statuses: Statuses = tuple(
        (_known_fact(where, fact, known), checked_status(f"{where}: the status of {fact}", status))
        for fact, status in table.get(STATUS, {}).items()
    )
    return facts | {STATUS: statuses}


def _known_fact(where: str, fact: str, known: Keys) -> str:
    if fact not in known:
        raise BoardError(f'{where}: a status for "{fact}", which is no fact of it{did_you_mean(fact, known)}')
    return fact
