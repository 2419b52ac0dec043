"""Families of actions, see `thurn_env.games.action_table`."""

from thurn_env.games.action_table import ActionTable, Family
from thurn_env.games.zug_um_zug_deutschland.rules.names import LOCOMOTIVE
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks


def _kinds(tracks: Tracks) -> tuple[str, ...]:
    return (*tracks.board.colours, LOCOMOTIVE)


def _drawn(tracks: Tracks) -> tuple[str, ...]:
    return tuple(map(str, range(tracks.board.constants.tickets_drawn + 1)))


def _tickets(tracks: Tracks) -> tuple[str, ...]:
    return tuple(ticket.name for ticket in tracks.board.tickets)


def _claims(tracks: Tracks) -> tuple[str, ...]:
    return tuple(claim.name for claim in tracks.claims)


def _lengths(tracks: Tracks) -> tuple[str, ...]:
    return tuple(map(str, range(max(pair.length for pair in tracks.board.pairs) + 1)))


def _passengers(tracks: Tracks) -> tuple[str, ...]:
    return tracks.board.passenger_colours


FAMILIES: tuple[Family[Tracks], ...] = (
    Family(
        "take",
        _kinds,
        "take this face-up card; a locomotive only as the first card and the only one (G6)",
        axis="kinds",
    ),
    Family("draw", None, "draw the deck's top card unseen (G6)"),
    Family("tickets", None, "draw tickets (G9)"),
    Family("long", _drawn, "draw K tickets from the long pile, the others from the short one (G5, G9)"),
    Family("keep", _tickets, "keep this ticket (G5, G9)", axis="tickets"),
    Family("return", _tickets, "return this ticket (G5, G9)", axis="tickets"),
    Family("claim", _claims, "claim a track between these places (G7)", axis="claims"),
    Family(
        "with", _kinds, "pay the grey track with cards of this colour, or with locomotives alone (G7, P6)", axis="kinds"
    ),
    Family("locomotives", _lengths, "pay with K locomotives (G7, P6)"),
    Family(
        "passenger",
        _passengers,
        "take a passenger of this colour from the end of the track asked for (G8)",
        axis="passenger_colours",
    ),
    Family("leave", None, "take none there (G8)"),
    Family("pass", None, "do nothing; only when nothing else is legal (G10, P9)"),
)


def action_table(tracks: Tracks) -> ActionTable[Tracks]:
    """Return the action space of a board."""
    return ActionTable(FAMILIES, tracks)
