"""Facts of a board as text and as tables."""

from __future__ import annotations

from collections import Counter

from thurn_env.games.contract import Table
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules


def about(rules: BoundRules) -> str:
    """Describe the board in words."""
    board = rules.board
    constants = board.constants
    cities = sum(not place.country for place in board.places)
    tracks = sum(len(pair.colours) for pair in board.pairs)
    points = ", ".join(map(str, constants.track_points))
    return "\n".join(
        [
            f"{rules.title}, board {board.name}: {board.title}",
            f"{cities} cities and {len(board.places) - cities} countries, {len(board.pairs)} pairs of places with "
            f"{tracks} tracks; {board.cards} train cards, {constants.locomotives} of them locomotives; "
            f"{len(board.short_tickets)} short and {len(board.long_tickets)} long tickets; "
            f"{sum(place.passengers for place in board.places)} passengers",
            f"{constants.trains_per_player} trains per player; the end begins when a player has at most "
            f"{constants.last_trains} of them left; tracks of length 1 to {len(constants.track_points)} score {points}",
            board.sources,
        ]
    )


def board_tables(rules: BoundRules) -> dict[str, Table]:
    """Return the tables of the board by name."""
    return {
        "pairs": _pairs(rules),
        "tickets": _tickets(rules),
        "passengers": _passengers(rules),
        **_certainty_if_stated(rules),
    }


def _pairs(rules: BoundRules) -> Table:
    points = rules.board.constants.track_points
    rows = [
        (pair.name, str(pair.length), str(points[pair.length - 1]), ", ".join(pair.colours))
        for pair in rules.board.pairs
    ]
    return Table("Tracks", ("between", "length", "points", "colours"), rows)


def _tickets(rules: BoundRules) -> Table:
    piles = (("short", rules.board.short_tickets), ("long", rules.board.long_tickets))
    rows = [(pile, ticket.name, str(ticket.points)) for pile, tickets in piles for ticket in tickets]
    return Table("Tickets", ("pile", "ticket", "points"), rows)


def _passengers(rules: BoundRules) -> Table:
    numbers = Counter(place.passengers for place in rules.board.places)
    rows = [
        (str(number), ", ".join(place.name for place in rules.board.places if place.passengers == number))
        for number in sorted(numbers, reverse=True)
    ]
    return Table("Passengers at the start", ("in each", "places"), rows)


def _certainty_if_stated(rules: BoundRules) -> dict[str, Table]:
    """Return a table of which facts are confirmed by a named source or reconstructed, if the board's file states it."""
    rows = list(rules.board.status)
    return {"certainty": Table("Certainty of the facts", ("fact", "status"), rows)} if rows else {}
