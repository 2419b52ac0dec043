"""Agents with a planted weakness, to test whether `thurn exploit` finds it.

    thurn exploit eval.planted:NeverAdministrator --hours 1 --out runs/planted

Each plays *Thurn und Taxis* like the scripted bot `heuristic`, but for one habit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from thurn_env.engine.generator import seeded
from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules
from thurn_env.table.game import View

__all__ = ["AlwaysClosesAtThree", "NeverAdministrator", "OpenHand", "ResignsProvinces"]

GAME = "thurn_und_taxis"


class Planted(ABC):
    """The bot `heuristic`, which leaves out some actions wherever others are legal.

    In place of such an action it plays what the next weaker bot would choose, and so on.
    """

    name: ClassVar[str]

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game; raise `AgentError` for another game."""
        if rules.name != GAME:
            raise AgentError(f"{self.name} plays {GAME} only, not {rules.name}")
        self._rules, self._generator = rules, seeded(seed)

    def act(self, view: View) -> int:
        """Return the choice of the strongest bot that does not choose an action that is left out."""
        kept = (action for action in self._choices(view) if not self.leaves_out(self._rules.action_texts[action]))
        return next(kept, int(view.legal_actions[0]))

    def _choices(self, view: View) -> Iterator[int]:
        """Yield the choices of all bots, the strongest first, then all legal actions."""
        for bot in reversed(range(len(self._rules.bots))):
            yield self._rules.bot_action(view.game.states, 0, bot, self._generator)
        yield from view.legal_actions.tolist()

    @abstractmethod
    def leaves_out(self, action: str) -> bool:
        """Return whether the agent leaves out an action wherever it can."""


class NeverAdministrator(Planted):
    """Never has the display replaced."""

    name = "never administrator"

    def leaves_out(self, action: str) -> bool:
        """See `Planted`."""
        return action == "administrator"


class AlwaysClosesAtThree(Planted):
    """Closes every route as soon as it may, at three cities."""

    name = "always closes at three"

    def act(self, view: View) -> int:
        """See `Planted`."""
        close = self._rules.action_indices["close"]
        return close if view.action_mask[close] else super().act(view)

    def leaves_out(self, action: str) -> bool:
        """See `Planted`."""
        return False


class OpenHand(Planted):
    """Takes cards from the display only, so that all other players know its hand."""

    name = "open hand"

    def leaves_out(self, action: str) -> bool:
        """See `Planted`."""
        return action == "draw"


class ResignsProvinces(Planted):
    """Gives up every second province of the board: it takes and lays none of their cards."""

    name = "resigns provinces"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """See `Planted`."""
        super().reset(seat, rules, seed)
        resigned = {province.name for province in rules.board.provinces[1::2]}
        self._cities = {city.name for city in rules.board.cities if city.province in resigned}

    def leaves_out(self, action: str) -> bool:
        """See `Planted`."""
        family, _, city = action.partition(" ")
        return family in ("take", "left", "right", "start") and city in self._cities
