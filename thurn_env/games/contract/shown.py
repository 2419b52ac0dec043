"""What people see of a game: words, reasons, pictures and tables."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from thurn_env.drawing.picture import Picture
from thurn_env.games.contract.rules import Records, Rules

HIDDEN_MOVE = -1
"""Stands in a re-dealt copy's list of moves for those that only their movers saw."""
SECRET = "(secret)"
"""Stands for the text of such a move."""


class Table(NamedTuple):
    """A table for people, in a terminal or in the documentation.

    Attributes:
        title: what it shows.
        columns: the headings.
        rows: one text for every column.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Shown(Rules):
    """A game that can be shown."""

    @abstractmethod
    def public(self, states: Records, index: int) -> dict[str, Any]:
        """Everything that lies open, as plain values."""

    @abstractmethod
    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        """The cards in a hand: name to number."""

    @abstractmethod
    def text(self, states: Records, index: int, seat: int | None) -> str:
        """The table in words; with the hand of `seat`, or with all hands when None."""

    @abstractmethod
    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        """The table as a picture; with the hand of `seat`, or with all hands when None.

        `names` are what to call the players, by seat; those without one are called by their number.
        """

    @abstractmethod
    def explain(self, states: Records, index: int) -> str:
        """In words: what the player to move may do, and why other actions are not legal."""

    @abstractmethod
    def why_illegal(self, states: Records, index: int, action: int) -> str:
        """In words: why an action is not legal now."""

    @abstractmethod
    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        """Every seat's score by source."""

    def told(self, action: int, mover: int, seat: int | None) -> str:
        """The text of a move as `seat` is told of it; `SECRET` if only the mover may know. None sees everything."""
        return SECRET if seat not in (None, mover) and action in self.secret_actions else self.action_texts[action]

    @abstractmethod
    def about(self) -> str:
        """The board in words: its title, its sizes, and where its facts come from."""

    @abstractmethod
    def tables(self) -> dict[str, Table]:
        """Tables by name: `actions`, `observation`, `options`, and the facts of the board."""

    @abstractmethod
    def board_facts(self) -> dict[str, Any] | None:
        """The contents of the board's file, as plain values; None for a board that comes with the game."""
