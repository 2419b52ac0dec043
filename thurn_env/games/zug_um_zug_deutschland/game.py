"""Zug um Zug: Deutschland as an implementation of the game contract."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from thurn_env.drawing.picture import Picture
from thurn_env.games.contract import (
    Records,
    Table,
)
from thurn_env.games.options import checked_players, chosen_options
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.shipped import BOARDS
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.options import Options
from thurn_env.games.zug_um_zug_deutschland.show import reasons, tables, words
from thurn_env.games.zug_um_zug_deutschland.show.picture import drawn, position_of


class ZugUmZugDeutschland(BoundRules):
    """The game with one board, one set of options and one number of players."""

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        super().__init__(players, board, board_name, options)
        self._seal()

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_rules, (self.players, self.board, self.board_name, self.rule_options)

    def public(self, states: Records, index: int) -> dict[str, Any]:
        return words.public(self, states[index])

    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        return words.hand(self, states[index], seat)

    def text(self, states: Records, index: int, seat: int | None) -> str:
        return words.table(self, states[index], self.scores(states, index), seat)

    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        return drawn(self, position_of(self, states[index], self.ranks(states, index), seat, names))

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
def _make_rules(players: int, board: Board, board_name: str, options: Options) -> ZugUmZugDeutschland:
    return ZugUmZugDeutschland(players, board, board_name, options)


def make_rules(players: int, board: Any = None, options: dict[str, Any] | None = None) -> ZugUmZugDeutschland:
    """Return the rules for a number of players, a board (name, file or `Board`; None: germany) and options.

    Raises:
        OptionError: wrong number of players, unknown option or value.
        BoardError: unknown or invalid board.
    """
    number = checked_players(ZugUmZugDeutschland.title, ZugUmZugDeutschland.player_numbers, players)
    chosen = chosen_options(Options, options)
    name, loaded = BOARDS.named(board)
    return _make_rules(number, loaded, name, chosen)
