"""What a board's pairs make together: the claims that can be made, and the nodes that they join."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from thurn_env.games.zug_um_zug_deutschland.board.board import Board


class Claim(NamedTuple):
    """One thing to claim: a track of this pair in this colour. Equal tracks of a pair are one claim (P6).

    Attributes:
        name: as actions write it, `Augsburg-Ulm grey`.
        pair: the pair's place in the board's list.
        colour: the colour, or grey.
        tracks: how many such tracks the pair has.
    """

    name: str
    pair: int
    colour: str
    tracks: int


@dataclass(frozen=True)
class Tracks:
    """The claims and nodes of a board.

    A node is what tracks join: a city, or the terminal of one track to a country (G12). The cities come first, in the
    order of the places.
    """

    board: Board

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """All claims: by pair, of one pair in the order in which its colours are named first."""
        return tuple(
            Claim(f"{pair.name} {colour}", index, colour, pair.colours.count(colour))
            for index, pair in enumerate(self.board.pairs)
            for colour in dict.fromkeys(pair.colours)
        )

    @cached_property
    def nodes(self) -> tuple[tuple[int, int], ...]:
        """Every node as the place and the pair that it belongs to; the pair is -1 for a city, which belongs to many."""
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
        """The node at which the tracks of a pair end in a place."""
        return self.nodes.index((place, pair if self.board.places[place].country else -1))

    def nodes_of(self, place: int) -> tuple[int, ...]:
        """The nodes of a place: one for a city, all terminals for a country."""
        return tuple(index for index, (there, _) in enumerate(self.nodes) if there == place)
