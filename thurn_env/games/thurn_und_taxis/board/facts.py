"""Contents of a board file: its entries, and all of them together, unchecked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from thurn_env.games.board_tables import BoardError, Status, digest_of, unknown_name

StackKind = Literal["distance", "provinces", "all_provinces", "free_city", "game_end"]
Statuses = tuple[tuple[str, Status], ...]
"""Status of facts of an entry, by name in the board's file; facts without a status are left out."""


@dataclass(frozen=True, slots=True)
class City:
    """A city, its province, and its position on the map (x to the right, y down, in map units).

    A free city has no province. `copies` is the number of its cards where that differs from the other cities'.
    `horses` are the horses on each of its cards, on boards that have them.
    """

    name: str
    province: str | None
    x: int
    y: int
    aliases: tuple[str, ...] = ()
    copies: int | None = None
    horses: tuple[int, ...] = ()
    status: Statuses = ()


@dataclass(frozen=True, slots=True)
class Province:
    """A province and its colour on the map (`#rrggbb`)."""

    name: str
    colour: str
    status: Statuses = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of bonus tiles, the best on top.

    `length` is for distance stacks only: the number of cities that a route needs. `provinces` is for province stacks
    only: a player needs a house in every city of them. `first_edition_without` is for the all-provinces
    stack only: the province that the first edition's rule omits. `city` is for stacks of free cities
    only: a house there takes the top tile.
    """

    name: str
    kind: StackKind
    values: tuple[int, ...]
    length: int | None = None
    provinces: tuple[str, ...] = ()
    first_edition_without: str | None = None
    city: str | None = None
    status: Statuses = ()


@dataclass(frozen=True, slots=True)
class Carriage:
    """A carriage: the route length that earns it and its points."""

    length: int
    points: int
    status: Statuses = ()


@dataclass(frozen=True, slots=True)
class Horses:
    """Facts for games with horses: horses of an empty carriage, and maximum number of cards on a carriage."""

    own: int
    most_cards: int
    status: Statuses = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a board."""

    name: str
    title: str
    sources: str
    cities: tuple[City, ...]
    provinces: tuple[Province, ...]
    roads: tuple[tuple[str, str], ...]
    stacks: tuple[Stack, ...]
    carriages: tuple[Carriage, ...]
    houses_per_player: int
    copies_per_city: int
    display_size: int
    minimum_route: int
    hand_limit: int
    cartwright_reach: int
    width: int
    height: int
    horses: Horses | None = None
    road_status: tuple[Status | None, ...] = ()
    status: Statuses = ()

    def city_index(self, name: str) -> int:
        """Return the index of a city in `cities`, given its name or an alias; raise `BoardError` if there is none."""
        for index, city in enumerate(self.cities):
            if name == city.name or name in city.aliases:
                return index
        names = [city.name for city in self.cities]
        raise BoardError(f"board {self.name}: {unknown_name('city', name, names)}")

    def province_index(self, name: str) -> int:
        """Return the index of a province in `provinces`; raise `BoardError` if there is none."""
        names = [province.name for province in self.provinces]
        if name in names:
            return names.index(name)
        raise BoardError(f"board {self.name}: {unknown_name('province', name, names)}")

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the names of the cities joined to this one by a road, in board order."""
        here = self.cities[self.city_index(name)].name
        joined = {there for road in self.roads if here in road for there in road if there != here}
        return tuple(city.name for city in self.cities if city.name in joined)

    def copies(self, city: City) -> int:
        """Return the number of cards of a city."""
        return self.copies_per_city if city.copies is None else city.copies

    @property
    def free_cities(self) -> tuple[City, ...]:
        """Cities that belong to no province."""
        return tuple(city for city in self.cities if city.province is None)

    @property
    def digest(self) -> str:
        """Return the SHA-256 digest (64 hex digits) of all facts that affect play.

        It includes the names of cities and provinces and every order that affects play, but not titles, colours,
        positions, aliases, stack names, statuses and the order of the roads. Absent facts are omitted, so that new
        kinds of facts do not change the digests of older boards.
        """
        facts: dict[str, Any] = {
            "cities": [[city.name, city.province] for city in self.cities],
            "provinces": [province.name for province in self.provinces],
            "roads": sorted(sorted(map(self.city_index, road)) for road in self.roads),
            "stacks": [
                [
                    stack.kind,
                    stack.length,
                    sorted(map(self.province_index, stack.provinces)),
                    stack.first_edition_without,
                    stack.values,
                ]
                for stack in self.stacks
            ],
            "carriages": [[carriage.length, carriage.points] for carriage in self.carriages],
            "houses_per_player": self.houses_per_player,
            "copies_per_city": self.copies_per_city,
            "display_size": self.display_size,
            "minimum_route": self.minimum_route,
            "hand_limit": self.hand_limit,
            "cartwright_reach": self.cartwright_reach,
        }
        if any(self.copies(city) != self.copies_per_city for city in self.cities):
            facts["copies"] = [self.copies(city) for city in self.cities]
        if any(stack.city for stack in self.stacks):
            facts["free_cities"] = [[stack.city, stack.values] for stack in self.stacks if stack.city]
        if self.horses:
            on_cards = [sorted(city.horses) for city in self.cities]
            facts["horses"] = [self.horses.own, self.horses.most_cards, on_cards]
        return digest_of(facts)
