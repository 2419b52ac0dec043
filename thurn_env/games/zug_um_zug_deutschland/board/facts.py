"""Contents of a board file: its entries, and all of them together, unchecked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thurn_env.games.board_tables import Status, digest_of


@dataclass(frozen=True, slots=True)
class Place:
    """A city or a country, its initial number of passengers, and its position on the map.

    `x` goes to the right, `y` down, in map units. A country is never passed through (G12).
    """

    name: str
    passengers: int
    x: int
    y: int
    country: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two places and the tracks between them, all of one length.

    `colours` has one entry for every track; `grey` tracks can be paid with any colour. `terminal` is where a track to a
    country ends on the map (x, y).
    """

    ends: tuple[str, str]
    length: int
    colours: tuple[str, ...]
    terminal: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """Name such as `Augsburg-Ulm`."""
        return "-".join(self.ends)


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two places to be joined, and the points for it."""

    ends: tuple[str, str]
    points: int

    @property
    def name(self) -> str:
        """Name such as `Berlin-Leipzig`."""
        return "-".join(self.ends)


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants of the game.

    Attributes:
        trains_per_player: number of trains of every player.
        cards_per_colour: number of train cards of every colour.
        locomotives: number of locomotive cards.
        first_hand: number of train cards dealt to every player.
        display_size: number of face-up train cards.
        most_locomotives: maximum number of face-up locomotives; with more the whole row is discarded (G3).
        track_points: points for tracks of length 1, 2, ...
        all_tracks_from: number of players from which on all tracks of a pair may be claimed (G11).
        tickets_drawn: number of tickets drawn at once.
        least_kept_first: minimum number of tickets kept in the set-up.
        least_kept: minimum number of tickets kept later.
        globetrotter: points for the most completed tickets.
        passengers_per_colour: number of passengers of every colour.
        most_passengers: points for the most passengers of a colour.
        second_most_passengers: points for the second most.
        last_trains: a player with at most this many trains at the end of a turn triggers the end (G13).
    """

    trains_per_player: int
    cards_per_colour: int
    locomotives: int
    first_hand: int
    display_size: int
    most_locomotives: int
    track_points: tuple[int, ...]
    all_tracks_from: int
    tickets_drawn: int
    least_kept_first: int
    least_kept: int
    globetrotter: int
    passengers_per_colour: int
    most_passengers: int
    second_most_passengers: int
    last_trains: int


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a board."""

    name: str
    title: str
    sources: str
    colours: tuple[str, ...]
    passenger_colours: tuple[str, ...]
    places: tuple[Place, ...]
    pairs: tuple[Pair, ...]
    short_tickets: tuple[Ticket, ...]
    long_tickets: tuple[Ticket, ...]
    constants: Constants
    width: int
    height: int
    status: tuple[tuple[str, Status], ...] = ()

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """All tickets, short ones first."""
        return self.short_tickets + self.long_tickets

    @property
    def cards(self) -> int:
        """Number of all train cards."""
        return len(self.colours) * self.constants.cards_per_colour + self.constants.locomotives

    def place_index(self, name: str) -> int:
        """Return the index of a place in `places`."""
        return next(index for index, place in enumerate(self.places) if place.name == name)

    @property
    def digest(self) -> str:
        """Return the SHA-256 digest (64 hex digits) of all facts that affect play.

        It includes names and every order that affects play, but not titles, positions and statuses.
        """
        facts: dict[str, Any] = {
            "colours": self.colours,
            "passenger_colours": self.passenger_colours,
            "places": [[place.name, place.country, place.passengers] for place in self.places],
            "pairs": [[pair.ends, pair.length, pair.colours] for pair in self.pairs],
            "short": [[ticket.ends, ticket.points] for ticket in self.short_tickets],
            "long": [[ticket.ends, ticket.points] for ticket in self.long_tickets],
            "constants": [getattr(self.constants, name) for name in Constants.__slots__],
        }
        return digest_of(facts)
