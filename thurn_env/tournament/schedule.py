"""Schedules: tables of entrants, decks and seatings.

A *table* assigns an entrant to every seat. The format determines the tables:

    round-robin      all combinations of different entrants; with fewer entrants than seats all combinations with
                     repetition in which every entrant sits
    one-against-all  the first entrant against each other one, which fills all other seats: A B, A C, or A B B B,
                     A C C C
    ladder           every entrant from the second on against copies of the one before it: A B, B C, or A A A B
    tables           the given tables

All tables play the same decks, and every deck is played in several *seatings*: cards and start player stay, the
entrants change seats, so that every entrant gets the same luck. *Rotations* move the entrants by one seat; with three
or four different entrants at a table, their order around it changes from deck to deck, so that no entrant always
follows the same neighbour. *Permutations* play every deck in all distinct orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, permutations
from typing import Literal, get_args

from thurn_env.errors import OptionError
from thurn_env.tournament.seeds import Seeds, game_seeds

Format = Literal["round-robin", "one-against-all", "ladder", "tables"]
Seating = Literal["rotations", "permutations"]
Table = tuple[int, ...]
"""Entrants at a table, by number."""

FORMATS: tuple[Format, ...] = get_args(Format)
SEATINGS: tuple[Seating, ...] = get_args(Seating)


def entrant_names(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the entrants: their specs, numbered if a spec is repeated (`greedy#2`)."""
    seen: Counter[str] = Counter()
    names = []
    for spec in specs:
        seen[spec] += 1
        names.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
    return tuple(names)


def tables(entrants: int, players: int, format: Format = "round-robin") -> list[Table]:
    """Return the tables of a format, as numbers of entrants.

    Raises:
        OptionError: the format needs more entrants, or its tables have to be given.
    """
    if format == "round-robin":
        if entrants >= players:
            return list(combinations(range(entrants), players))
        choices = combinations_with_replacement(range(entrants), players)
        return [table for table in choices if len(set(table)) == entrants]
    if format == "tables":
        raise OptionError("give the tables, for example 'greedy,random' and 'random,random'")
    if entrants < 2:
        raise OptionError(f"format {format!r} needs at least two agents")
    others = players - 1
    if format == "ladder":
        return [(*[rung - 1] * others, rung) for rung in range(1, entrants)]
    return [(0, *[other] * others) for other in range(1, entrants)]


def named_tables(texts: Sequence[str], names: Sequence[str], players: int) -> list[Table]:
    """Parse tables given as names of entrants separated by commas; names may contain commas themselves.

    Raises:
        OptionError: a table has the wrong number of seats or an unknown name, or an entrant has no seat.
    """
    found = []
    for text in texts:
        seated = _seated(text, names, players)
        if seated is None:
            raise OptionError(f"table {text!r}{_misfit(text, names, players)}")
        found.append(tuple(names.index(name) for name in seated))
    for number, name in enumerate(names):
        if not any(number in table for table in found):
            raise OptionError(f"{name!r} has no seat at any table; add it to a table or leave it out of the agents")
    return found


def _seated(text: str, names: Sequence[str], seats: int) -> list[str] | None:
    """Split a text into `seats` names, longer ones first; None if that is impossible."""
    if seats == 1:
        return [text] if text in names else None
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(f"{name},") and (others := _seated(text[len(name) + 1 :], names, seats - 1)):
            return [name, *others]
    return None


def _misfit(text: str, names: Sequence[str], players: int) -> str:
    """Describe why a table does not fit."""
    for seats in range(1, text.count(",") + 2):
        if _seated(text, names, seats):
            return f" has {seats} {'agent' if seats == 1 else 'agents'}, but there are {players} players"
    while known := next((name for name in sorted(names, key=len, reverse=True) if text.startswith(f"{name},")), ""):
        text = text[len(known) + 1 :]
    stranger = next((part for part in text.split(",") if part not in names), text)
    return f": unknown agent {stranger!r}; the agents are {', '.join(names)}"


def seatings(table: Table, deck: int, seating: Seating = "rotations") -> list[Table]:
    """Return the distinct seatings in which a table plays a deck: the entrant of every seat."""
    if seating == "permutations":
        return list(dict.fromkeys(permutations(table)))
    if len(set(table)) == len(table):
        orders = list(permutations(table[1:]))
        order = (table[0], *orders[deck % len(orders)])
    else:
        order = table
    turned = [order[-shift:] + order[:-shift] for shift in range(len(order))]
    return list(dict.fromkeys(turned))


def same_games(tables: Sequence[Table], seating: Seating) -> tuple[Table, Table] | None:
    """Return two tables that would play the same games, or None."""
    seen: dict[frozenset[Table], Table] = {}
    for table in tables:
        # If all entrants differ, every order around the table occurs over the decks.
        start = tuple(sorted(table)) if len(set(table)) == len(table) else table
        key = frozenset(seatings(start, 0, seating))
        if key in seen:
            return seen[key], table
        seen[key] = table
    return None


@dataclass(frozen=True, slots=True)
class Slot:
    """A game to play.

    Attributes:
        deck: number of the deck.
        rotation: number of the seating.
        seats: entrant of every seat.
        seeds: seeds of the game.
    """

    deck: int
    rotation: int
    seats: tuple[int, ...]
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a tournament. The games of a table have a fixed order: by deck, then by seating.

    A seed defines an endless series of decks; the tournament plays `decks` of them from number `first_deck` on. With a
    secret the seed has other decks, see `thurn_env.tournament.seeds`.
    """

    tables: tuple[Table, ...]
    decks: int
    seed: int
    seating: Seating = "rotations"
    first_deck: int = 0
    secret: str = field(default="", repr=False)

    def games_per_deck(self, table: Table) -> int:
        """Return the number of seatings in which a table plays every deck."""
        return len(seatings(table, 0, self.seating))

    def games_at(self, table: Table) -> int:
        """Return the number of games that a table plays."""
        return self.decks * self.games_per_deck(table)

    @property
    def games(self) -> int:
        """Total number of games."""
        return sum(self.games_at(table) for table in self.tables)

    def slot(self, table: Table, number: int) -> Slot:
        """Return game `number`, from 0, of a table."""
        deck, rotation = divmod(number, self.games_per_deck(table))
        deck += self.first_deck
        seats = seatings(table, deck, self.seating)[rotation]
        return Slot(deck, rotation, seats, game_seeds(self.secret, self.seed, deck, len(seats)))
