"""Who plays whom, on which deck, in which seats.

A *table* is a choice of entrants, one for every seat. With as many entrants as seats or more, the tables are all
combinations of different entrants; with fewer, all combinations with repetition in which every entrant sits.

Every table plays the same decks, and every deck once in every rotation of the seats: cards and start player stay, the
entrants move on by one seat. So everybody gets everybody's luck. With three or four different entrants at a table, the
order in which they sit around it changes from deck to deck, so that nobody always follows the same neighbour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

DECK_STREAM = 0
"""The purpose of the random stream that game seeds are drawn from."""


def entrant_names(specs: Sequence[str]) -> tuple[str, ...]:
    """The names of the entrants: their specs, numbered from the second of the same spec on (`greedy#2`)."""
    seen: Counter[str] = Counter()
    names = []
    for spec in specs:
        seen[spec] += 1
        names.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
    return tuple(names)


def tables(entrants: int, players: int) -> list[tuple[int, ...]]:
    """All tables, as numbers of entrants in ascending order."""
    if entrants >= players:
        return list(combinations(range(entrants), players))
    choices = combinations_with_replacement(range(entrants), players)
    return [table for table in choices if len(set(table)) == entrants]


def rotations(table: tuple[int, ...], deck: int) -> list[tuple[int, ...]]:
    """The different seatings in which a table plays a deck: the entrant of every seat."""
    if len(set(table)) == len(table):
        orders = list(permutations(table[1:]))
        order = (table[0], *orders[deck % len(orders)])
    else:
        order = table
    turned = [order[-shift:] + order[:-shift] for shift in range(len(order))]
    return list(dict.fromkeys(turned))


def deck_seed(seed: int, deck: int) -> int:
    """The seed of every game that is played with this deck."""
    words = np.random.SeedSequence(seed, spawn_key=(DECK_STREAM, deck)).generate_state(1, np.uint64)
    return int(words[0])


@dataclass(frozen=True, slots=True)
class Slot:
    """A game to be played.

    Attributes:
        deck: the number of its deck.
        rotation: the number of the rotation.
        seats: the entrant of every seat.
        seed: the seed of the game.
    """

    deck: int
    rotation: int
    seats: tuple[int, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a tournament. A table's games have a fixed order: deck by deck, rotation by rotation."""

    entrants: int
    players: int
    decks: int
    seed: int

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The tables in order."""
        return tables(self.entrants, self.players)

    def games_at(self, table: tuple[int, ...]) -> int:
        """The number of games that a table plays."""
        return self.decks * len(rotations(table, 0))

    @property
    def games(self) -> int:
        """The number of all games."""
        return sum(self.games_at(table) for table in self.tables)

    def slot(self, table: tuple[int, ...], number: int) -> Slot:
        """The game with this number, from 0, of a table."""
        deck, rotation = divmod(number, len(rotations(table, 0)))
        return Slot(deck, rotation, rotations(table, deck)[rotation], deck_seed(self.seed, deck))
