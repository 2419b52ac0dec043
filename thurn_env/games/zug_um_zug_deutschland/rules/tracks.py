"""Claims and nodes derived from a board's pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from thurn_env.games.zug_um_zug_deutschland.board.board import Board


class Claim(NamedTuple):
    """A track of a pair in one colour that can be claimed. Equal tracks of a pair are one claim (P6).

    Attributes:
        name: name in actions, such as `Augsburg-Ulm grey`.
        pair: index of the pair in the board's list.
        colour: the colour, or grey.
        tracks: number of such tracks of the pair.
    """

    name: str
    pair: int
    colour: str
    tracks: int


@dataclass(frozen=True)
class Tracks:
    """The claims and nodes of a board.

    Tracks join nodes: a city, or the terminal of one track to a country (G12). Cities come first, in the order of the
    places.
    """

    board: Board

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """All claims: by pair, within a pair in the order in which its colours first occur."""
        return tuple(
            Claim(f"{pair.name} {colour}", index, colour, pair.colours.count(colour))
            for index, pair in enumerate(self.board.pairs)
            for colour in dict.fromkeys(pair.colours)
        )

    @cached_property
    def nodes(self) -> tuple[tuple[int, int], ...]:
        """Place and pair of every node; the pair is -1 for a city, which belongs to many."""
        places = self.board.places
        cities = [(index, -1) for index, place in enumerate(places) if not place.country]
        terminals = [
            (index, number)
            for number, pair in enumerate(self.board.pairs)
            for end in pair.ends
            if places[index := self.board.place_index(end)].country
        ]
        return (*cities, *terminals)

    def node(self, place: int, pair: int) -> int:
        """Return the node at which the tracks of a pair end in a place."""
        return self.nodes.index((place, pair if self.board.places[place].country else -1))

    def nodes_of(self, place: int) -> tuple[int, ...]:
        """Return the nodes of a place: one for a city, all terminals for a country."""
        return tuple(index for index, (there, _) in enumerate(self.nodes) if there == place)
