"""An adviser with made-up figures for tests of reviews: it takes no time and needs no kernels."""

from __future__ import annotations

from threading import Event

from thurn_env.games.contract import GameRules
from thurn_env.players.analysis import Analysis, Line
from thurn_env.table.game import View

SPEC = "tests.analysts:Made"
WAITING = "tests.analysts:Waiting"
GO_ON = Event()


class Made:
    """An analyst whose win probabilities fall with the place of an action in the list of the legal ones.

    The first action is best with 60 %, each following one costs 4 % more than the one before, down to 10 %.
    """

    name = "made"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a game."""

    def act(self, view: View) -> str:
        """Return the first action."""
        return view.legal[0]

    def analyse(self, view: View) -> Analysis:
        """Return the figures of all actions."""
        return self.analyse_move(view, 0, 1.0, True)

    def analyse_move(self, view: View, played: int, effort: float, scored: bool) -> Analysis:
        """Return the figures of all actions."""
        lines = []
        others = view.game.players - 1
        for place, action in enumerate(view.legal):
            chance = max(0.1, 0.6 - 0.04 * place)
            chances = [(1 - chance) / others] * view.game.players
            chances[view.seat] = chance
            score = 40.0 - place if scored else float("nan")
            lines.append(Line(action, round(1000 * effort) - place, chance, score, ("next",), tuple(chances)))
        return Analysis(view.seat, round(1000 * effort), tuple(lines))


class Waiting(Made):
    """The same, but after four moves of the game it waits for `GO_ON`."""

    def analyse_move(self, view: View, played: int, effort: float, scored: bool) -> Analysis:
        """Return the figures of all actions, once it may."""
        if view.game.moves_played > 4:
            assert GO_ON.wait(60)
        return super().analyse_move(view, played, effort, scored)
