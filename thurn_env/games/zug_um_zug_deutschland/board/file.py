"""Reading and writing of boards as TOML documents (format `zug-um-zug-board/1`)."""

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
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.facts import Constants, Pair, Place, Ticket

FORMAT = "zug-um-zug-board/1"

BOARD: Keys = {
    "format": str,
    "name": str,
    "title": str,
    "sources": str,
    "colours": [str],
    "passenger_colours": [str],
    "pairs": [dict],
    "places": [dict],
    "constants": dict,
    "map": dict,
    "tickets": dict,
}
CONSTANTS: Keys = dict.fromkeys(Constants.__slots__, int) | {"track_points": [int]}
MAP: Keys = {"width": int, "height": int}
TICKETS: Keys = {"short": [dict], "long": [dict]}
TICKET: Keys = {"ends": [str], "points": int}
PLACE: Keys = {"name": str, "passengers": int, "x": int, "y": int}
PAIR: Keys = {"ends": [str], "length": int, "colours": [str]}
FACTS = ("pairs", "tickets", "passengers", "places", "track_points", "constants")
"""Facts that can have a status."""


def read_board(document: dict[str, Any]) -> Board:
    """Return the board that a TOML document describes; raise `BoardError` if it is invalid."""
    check_format(document, FORMAT)
    check_table("top level", document, BOARD, {"status": dict})
    check_table("[map]", document["map"], MAP)
    check_table("[constants]", document["constants"], CONSTANTS)
    check_table("[tickets]", document["tickets"], TICKETS)
    constants = {key: frozen(value) for key, value in document["constants"].items()}
    return Board(
        name=document["name"],
        title=document["title"],
        sources=document["sources"],
        colours=tuple(document["colours"]),
        passenger_colours=tuple(document["passenger_colours"]),
        places=tuple(_place(table, number) for number, table in enumerate(document["places"], 1)),
        pairs=tuple(_pair(table, number) for number, table in enumerate(document["pairs"], 1)),
        short_tickets=tuple(_ticket(table, number) for number, table in enumerate(document["tickets"]["short"], 1)),
        long_tickets=tuple(_ticket(table, number) for number, table in enumerate(document["tickets"]["long"], 1)),
        constants=Constants(**constants),
        status=tuple(_status(fact, status) for fact, status in document.get("status", {}).items()),
        **document["map"],
    )


def board_document(board: Board) -> dict[str, Any]:
    """Return a document from which `read_board` makes an equal board, as plain values."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": board.name,
        "title": board.title,
        "sources": board.sources,
        "colours": list(board.colours),
        "passenger_colours": list(board.passenger_colours),
        "constants": as_table(board.constants),
        "map": {key: getattr(board, key) for key in MAP},
        "places": [as_table(place) for place in board.places],
        "pairs": [as_table(pair) for pair in board.pairs],
        "tickets": {
            "short": [as_table(ticket) for ticket in board.short_tickets],
            "long": [as_table(ticket) for ticket in board.long_tickets],
        },
    }
    if board.status:
        document["status"] = dict(board.status)
    return document


def _place(table: dict[str, Any], number: int) -> Place:
    where = called("place", table, number)
    check_table(where, table, PLACE, {"country": bool})
    return Place(**table)


def _pair(table: dict[str, Any], number: int) -> Pair:
    where = _between("pair", table, number)
    check_table(where, table, PAIR, {"terminal": [int]})
    _check_two(where, "ends", table["ends"])
    if "terminal" in table:
        _check_two(where, "terminal", table["terminal"])
    return Pair(**{key: frozen(value) for key, value in table.items()})


def _ticket(table: dict[str, Any], number: int) -> Ticket:
    where = _between("ticket", table, number)
    check_table(where, table, TICKET)
    _check_two(where, "ends", table["ends"])
    return Ticket(tuple(table["ends"]), table["points"])


def _between(thing: str, table: dict[str, Any], number: int) -> str:
    """Return what error messages call a pair or a ticket."""
    ends = table.get("ends")
    named = isinstance(ends, list) and all(isinstance(end, str) for end in ends)
    return f"{thing} {'-'.join(ends)}" if named and ends else f"{thing} number {number}"


def _check_two(where: str, key: str, value: list[Any]) -> None:
    if len(value) != 2:
        raise BoardError(f"{where}: {key} must have two entries, not {as_toml(value)}")


def _status(fact: str, status: object) -> tuple[str, Status]:
    if fact not in FACTS:
        raise BoardError(f'[status]: a status for "{fact}", which is no fact of a board{did_you_mean(fact, FACTS)}')
    return fact, checked_status(f"[status]: the status of {fact}", status)
