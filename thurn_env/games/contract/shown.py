"""Display of a game: texts, explanations, pictures and tables."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from thurn_env.drawing.picture import Picture
from thurn_env.games.contract.rules import Records, Rules

HIDDEN_MOVE = -1
"""Entry of a re-dealt copy's list of moves for a move that only its mover saw."""
SECRET = "(secret)"
"""Text of such a move."""


class Table(NamedTuple):
    """A table to display in a terminal or in the documentation.

    Attributes:
        title: caption.
        columns: headings.
        rows: one text for every column.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Shown(Rules):
    """A game that can be displayed."""

    @abstractmethod
    def public(self, states: Records, index: int) -> dict[str, Any]:
        """Return all public information as plain values."""

    @abstractmethod
    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        """Return the cards in a hand: name to count."""

    @abstractmethod
    def text(self, states: Records, index: int, seat: int | None) -> str:
        """Return the table as text, with the hand of `seat`, or with all hands if None."""

    @abstractmethod
    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        """Return a picture of the table, with the hand of `seat`, with all hands if None, or with no hand if -1.

        `names` are the players' names by seat; players without a name are called by their number.
        """

    @abstractmethod
    def explain(self, states: Records, index: int) -> str:
        """Explain in words what the player to move may do, and why other actions are not legal."""

    @abstractmethod
    def why_illegal(self, states: Records, index: int, action: int) -> str:
        """Explain in words why an action is not legal now."""

    @abstractmethod
    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        """Return the score of every seat by source."""

    def move_text(self, action: int, mover: int, seat: int | None) -> str:
        """Return the text of a move as `seat` may see it, or `SECRET`; None sees everything."""
        return SECRET if seat not in (None, mover) and action in self.secret_actions else self.action_texts[action]

    @abstractmethod
    def about(self) -> str:
        """Return a description of the board: its title, its sizes, and the sources of its facts."""

    @abstractmethod
    def tables(self) -> dict[str, Table]:
        """Return the tables by name: `actions`, `observation`, `options`, and the facts of the board."""

    @abstractmethod
    def board_facts(self) -> dict[str, Any] | None:
        """Return the contents of the board's file as plain values; None for a shipped board."""
