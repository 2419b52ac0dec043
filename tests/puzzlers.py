"""The puzzles that come with the project, and agents that know them or fail at them."""

from __future__ import annotations

from eval.puzzles.puzzle import load_puzzles
from thurn_env.games.contract import GameRules
from thurn_env.table.game import View

PUZZLES = load_puzzles()
"""Loaded once for all tests, since loading replays every game."""


class Knowing:
    """It has read the files: it finds the puzzle by the moves so far, and answers right, or wrong if told so."""

    name = "knowing"

    def __init__(self, wrong: str = "") -> None:
        self.wrong = bool(wrong)
        self.known = {tuple(puzzle.game.moves): puzzle for puzzle in PUZZLES}

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.seat = seat

    def act(self, view: View) -> int | str:
        puzzle = self.known[tuple(view.game.moves)]
        assert view.seat == self.seat == puzzle.seat
        return next(move for move in view.legal if (move in puzzle.best) != self.wrong)


class Erring(Knowing):
    """The same, always wrong."""

    def __init__(self) -> None:
        super().__init__("wrong")


class Failing:
    """It fails in some way in every second decision."""

    name = "failing"
    calls = 0

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        pass

    def act(self, view: View) -> int | str:
        Failing.calls += 1
        if Failing.calls % 2:
            raise LookupError("I have no idea")
        return "discard Ansbach"
