"""Thurn und Taxis as an implementation of the game contract."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from thurn_env.drawing.picture import Picture
from thurn_env.errors import OptionError
from thurn_env.games.contract import (
    Records,
    Table,
)
from thurn_env.games.options import checked_players, chosen_options
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import BOARDS
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.options import Options
from thurn_env.games.thurn_und_taxis.show import reasons, tables, words
from thurn_env.games.thurn_und_taxis.show.picture import drawn, position_of


class ThurnUndTaxis(BoundRules):
    """The game with one board, one set of options and one number of players."""

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        super().__init__(players, board, board_name, options)
        self._seal()

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_rules, (self.players, self.board, self.board_name, self.rule_options)

    def public(self, states: Records, index: int) -> dict[str, Any]:
        return words.public(self, states[index])

    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        return words.counts(self, states[index]["hand"][seat])

    def text(self, states: Records, index: int, seat: int | None) -> str:
        return words.table(self, states[index], self.scores(states, index), seat)

    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        scores, ranks = self._results(states, index)
        return drawn(self, position_of(self, states[index], scores, ranks, seat, names))

    def explain(self, states: Records, index: int) -> str:
        return reasons.explain(self, states[index], self.legal_mask(states, index))

    def why_illegal(self, states: Records, index: int, action: int) -> str:
        return reasons.why_illegal(self, states[index], action)

    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        return words.breakdown(self, states[index])

    def about(self) -> str:
        return tables.about(self)

    def board_facts(self) -> dict[str, Any] | None:
        return BOARDS.facts(self.board_name, self.board)

    def board_tables(self) -> dict[str, Table]:
        return tables.board_tables(self)


@lru_cache(maxsize=64)
def _make_rules(players: int, board: Board, board_name: str, options: Options) -> ThurnUndTaxis:
    return ThurnUndTaxis(players, board, board_name, options)


def make_rules(players: int, board: Any = None, options: dict[str, Any] | None = None) -> ThurnUndTaxis:
    """Return the rules for a number of players, a board (name, file or `Board`; None: south) and options.

    Raises:
        OptionError: wrong number of players, unknown option or value.
        BoardError: unknown or invalid board.
    """
    number = checked_players(ThurnUndTaxis.title, ThurnUndTaxis.player_numbers, players)
    chosen = chosen_options(Options, options)
    name, loaded = BOARDS.named(board)
    if chosen.all_provinces_without_baiern:
        if not any(stack.first_edition_without for stack in loaded.stacks):
            raise OptionError(
                f"option all_provinces_without_baiern: the board {loaded.name} does not say which province"
                " the first edition left out (first_edition_without)"
            )
    if chosen.horses and loaded.horses is None:
        raise OptionError(
            f"option horses: the board {loaded.name} has no horses on its cards; the online guide allows them only on"
            ' the north map (board="north")'
        )
    return _make_rules(number, loaded, name, chosen)
