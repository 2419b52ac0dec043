"""Checks of boards; messages name the board's own entries."""

from __future__ import annotations

from collections.abc import Iterator

from thurn_env.engine.way_rules import MOST_CLAIMS
from thurn_env.games.board_tables import PLAIN, bad_or_repeated, is_plain, outside, unknown_name
from thurn_env.games.zug_um_zug_deutschland.board.facts import Facts, Pair, Ticket
from thurn_env.games.zug_um_zug_deutschland.rules.names import GREY, LOCOMOTIVE, MAX_PLAYERS

# The engine stores most of these in one byte.
MOST_COLOURS = 20
MOST_PLACES = 100
MOST_TERMINALS = 20  # more than cities: every track to a country has one
MOST_PAIRS = 250
MOST_TRACKS = 10  # of a pair
MOST_LENGTH = 20
MOST_CARDS = 1000
MOST_TICKETS = 120
MOST_TICKETS_DRAWN = 10
MOST_POINTS = 100
MOST_MAP_UNITS = 10_000


def board_problems(board: Facts) -> Iterator[str]:
    """Yield the problems of a board; later checks rely on the earlier ones having passed."""
    yield from _constant_problems(board)
    yield from _name_problems(board)
    yield from _place_problems(board)
    yield from _pair_problems(board)
    yield from _ticket_problems(board)


def _constant_problems(board: Facts) -> Iterator[str]:
    constants = board.constants
    bounds = {
        "trains_per_player": (1, 200),
        "cards_per_colour": (1, 100),
        "locomotives": (0, 100),
        "first_hand": (0, 50),
        "display_size": (1, 20),
        "most_locomotives": (1, constants.display_size),
        "all_tracks_from": (1, 100),
        "tickets_drawn": (1, MOST_TICKETS_DRAWN),
        "least_kept_first": (0, constants.tickets_drawn),
        "least_kept": (0, constants.tickets_drawn),
        "globetrotter": (0, MOST_POINTS),
        "passengers_per_colour": (0, 100),
        "most_passengers": (0, MOST_POINTS),
        "second_most_passengers": (0, constants.most_passengers),
        "last_trains": (0, constants.trains_per_player),
    }
    for name, (least, most) in bounds.items():
        yield from outside(name, getattr(constants, name), least, most)
    yield from outside("the number of track_points", len(constants.track_points), 1, MOST_LENGTH)
    for points in constants.track_points:
        yield from outside("an entry of track_points", points, 0, MOST_POINTS)
    yield from outside("the number of colours", len(board.colours), 1, MOST_COLOURS)
    yield from outside("the number of passenger_colours", len(board.passenger_colours), 1, MOST_COLOURS)
    yield from outside("the map's width", board.width, 1, MOST_MAP_UNITS)
    yield from outside("the map's height", board.height, 1, MOST_MAP_UNITS)
    needed = MAX_PLAYERS * constants.first_hand + constants.display_size
    if not needed < board.cards <= MOST_CARDS:
        yield (
            f"the colours make {board.cards} train cards; there must be more than the {needed} that {MAX_PLAYERS} "
            f"players and the display begin with, and at most {MOST_CARDS}"
        )


def _name_problems(board: Facts) -> Iterator[str]:
    if not is_plain(board.name):
        yield f'the board\'s name "{board.name}" {PLAIN}'
    yield from bad_or_repeated("colour", (*board.colours, GREY, LOCOMOTIVE), "names, grey and locomotive too,")
    yield from bad_or_repeated("passenger colour", board.passenger_colours, "names")
    yield from bad_or_repeated("place", [place.name for place in board.places], "names")
    yield from bad_or_repeated("pair", [pair.name for pair in board.pairs], "names")
    yield from bad_or_repeated("ticket", [ticket.name for ticket in board.tickets], "names")


def _place_problems(board: Facts) -> Iterator[str]:
    yield from outside("the number of places", len(board.places), 2, MOST_PLACES)
    for place in board.places:
        yield from outside(f'place "{place.name}": x', place.x, 0, board.width)
        yield from outside(f'place "{place.name}": y', place.y, 0, board.height)
        yield from outside(f'place "{place.name}": passengers', place.passengers, 0, 100)
    waiting = sum(place.passengers for place in board.places)
    passengers = len(board.passenger_colours) * board.constants.passengers_per_colour
    if waiting > passengers:
        yield f"the places want {waiting} passengers, and there are {passengers}"


def _pair_problems(board: Facts) -> Iterator[str]:
    yield from outside("the number of pairs", len(board.pairs), 1, MOST_PAIRS)
    countries = {place.name for place in board.places if place.country}
    terminals = sum(not countries.isdisjoint(pair.ends) for pair in board.pairs)
    yield from outside("the number of tracks to countries", terminals, 0, MOST_TERMINALS)
    seen = set()
    for pair in board.pairs:
        for problem in _problems_of_pair(pair, board, countries):
            yield f"pair {pair.name}: {problem}"
        if frozenset(pair.ends) in seen:
            yield f"pair {pair.name} is listed twice; list all its tracks in one place"
        seen.add(frozenset(pair.ends))
    claims = [f"{pair.name} {colour}" for pair in board.pairs for colour in dict.fromkeys(pair.colours)]
    yield from outside("the number of tracks, equal ones counted once,", len(claims), 1, MOST_CLAIMS)
    yield from bad_or_repeated("track", claims, "names")
    cut_off = _cut_off(board, countries)
    if cut_off:
        yield f"no tracks lead from {board.places[0].name} to {', '.join(cut_off)} without passing through a country"


def _problems_of_pair(pair: Pair, board: Facts, countries: set[str]) -> Iterator[str]:
    yield from _problems_of_ends(pair.ends, board)
    yield from outside("length", pair.length, 1, len(board.constants.track_points))
    yield from outside("the number of tracks", len(pair.colours), 1, MOST_TRACKS)
    for colour in pair.colours:
        if colour not in (*board.colours, GREY):
            yield unknown_name("colour", colour, (*board.colours, GREY))
    if countries.issuperset(pair.ends):
        yield "no track joins two countries"
    if (pair.terminal is not None) == countries.isdisjoint(pair.ends):
        yield "a terminal belongs to tracks to a country, and only there"


def _problems_of_ends(ends: tuple[str, str], board: Facts) -> Iterator[str]:
    names = [place.name for place in board.places]
    for end in ends:
        if end not in names:
            yield unknown_name("place", end, names)
    if ends[0] == ends[1]:
        yield "the two ends must differ"


def _cut_off(board: Facts, countries: set[str]) -> list[str]:
    """Return the places that cannot be reached from the first city; a country can be reached but not left."""
    cities = [place.name for place in board.places if not place.country]
    reached: set[str] = set()
    frontier = set(cities[:1])
    while frontier:
        reached |= frontier
        left = frontier - countries
        frontier = {end for pair in board.pairs if left.intersection(pair.ends) for end in pair.ends} - reached
    return [place.name for place in board.places if place.name not in reached]


def _ticket_problems(board: Facts) -> Iterator[str]:
    yield from outside("the number of short tickets", len(board.short_tickets), 1, MOST_TICKETS)
    yield from outside("the number of long tickets", len(board.long_tickets), 1, MOST_TICKETS)
    yield from outside("the number of tickets", len(board.tickets), 2, MOST_TICKETS)
    seen = set()
    for ticket in board.tickets:
        for problem in _problems_of_ticket(ticket, board):
            yield f"ticket {ticket.name}: {problem}"
        if frozenset(ticket.ends) in seen:
            yield f"ticket {ticket.name} is listed twice"
        seen.add(frozenset(ticket.ends))


def _problems_of_ticket(ticket: Ticket, board: Facts) -> Iterator[str]:
    yield from _problems_of_ends(ticket.ends, board)
    yield from outside("points", ticket.points, 0, MOST_POINTS)
