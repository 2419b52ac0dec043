"""The board of a game: places, tracks, tickets and passengers, as one immutable value.

A `Board` checks itself on construction, so every `Board` is valid. The order of its colours, places, pairs and tickets
is an interface: actions and observations follow it.
"""

from __future__ import annotations

from dataclasses import dataclass

from thurn_env.games.board_tables import BoardError
from thurn_env.games.zug_um_zug_deutschland.board.checks import board_problems
from thurn_env.games.zug_um_zug_deutschland.board.facts import Facts


@dataclass(frozen=True, slots=True)
class Board(Facts):
    """All facts of a board.

    Raises:
        BoardError: the facts are inconsistent.
    """

    def __post_init__(self) -> None:
        for problem in board_problems(self):
            raise BoardError(problem)
