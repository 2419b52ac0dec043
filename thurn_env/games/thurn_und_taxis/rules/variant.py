"""A board, and cards with or without horses on their backs."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from thurn_env.games.thurn_und_taxis.board.board import Board


class CardKind(NamedTuple):
    """Cards that a player cannot distinguish.

    Attributes:
        name: name in actions and records: the city, with horses `city/horses`.
        city: index of the city in the board's list.
        horses: horses on its back; 0 in a game without them.
        copies: number of cards of this kind.
    """

    name: str
    city: int
    horses: int
    copies: int


@dataclass(frozen=True)
class Variant:
    """A board, and whether it is played with horses."""

    board: Board
    horses: bool = False

    @cached_property
    def kinds(self) -> tuple[CardKind, ...]:
        """All kinds of cards: by city in board order, within a city by ascending horses."""
        kinds = []
        for index, city in enumerate(self.board.cities):
            if self.horses:
                for horses, copies in sorted(Counter(city.horses).items()):
                    kinds.append(CardKind(f"{city.name}/{horses}", index, horses, copies))
            else:
                kinds.append(CardKind(city.name, index, 0, self.board.copies(city)))
        return tuple(kinds)

    @cached_property
    def kind_names(self) -> tuple[str, ...]:
        """Names of all kinds of cards."""
        return tuple(kind.name for kind in self.kinds)

    @cached_property
    def horses_on_best_card(self) -> int:
        """Maximum number of horses on one card; 0 in a game without them."""
        return max(kind.horses for kind in self.kinds)

    @property
    def cards(self) -> int:
        """Number of all cards."""
        return sum(kind.copies for kind in self.kinds)

    @property
    def most_copies(self) -> int:
        """Maximum number of cards of one kind."""
        return max(kind.copies for kind in self.kinds)

    @property
    def horses_on_fullest_carriage(self) -> int:
        """Horses on the fullest carriage that the cards allow; 0 in a game without them."""
        if not self.horses or self.board.horses is None:
            return 0
        best = sorted((kind.horses for kind in self.kinds for _ in range(kind.copies)), reverse=True)
        return self.board.horses.own + sum(best[: self.board.horses.most_cards])


def with_horses(variant: Variant) -> bool:
    """Return whether a declaration exists that is only for games with horses."""
    return variant.horses


def with_carriages(variant: Variant) -> bool:
    """Return whether a declaration exists that is only for games without horses."""
    return not variant.horses
