"""Advice to people: what to play and why, and what was thought of what they played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, make_agent
from thurn_env.players.analysis import Analysis, Analyst, Line
from thurn_env.table.game import View
from thurn_env.table.record import Record
from thurn_env.table.replay import replay

__all__ = ["Advice", "Adviser"]

ADVISER = "mcts:4000"
"""The agent that advises unless another one is named."""
OTHERS = 3
"""How many other actions a piece of advice speaks of."""
AHEAD = 4
"""How many moves ahead it tells."""
AS_GOOD = 0.01
"""Chances to win that differ by less are the same to a search of a few thousand iterations."""


@dataclass(frozen=True)
class Advice:
    """What an adviser would play in a position.

    Attributes:
        adviser: its name.
        action: the action that it would play.
        analysis: what it found; None if it gives no reasons.
    """

    adviser: str
    action: str
    analysis: Analysis | None = None

    def __str__(self) -> str:
        """The advice and its reasons, in words."""
        if self.analysis is None:
            return f"{self.adviser} would play {self.action}."
        best, *others = self.analysis.lines
        then = f"; then {', '.join(best.best[:AHEAD])}" if best.best else ""
        advice = f"{self.adviser} would play {self.action}: a chance to win of {_figures(best)}{then}."
        if not others:
            return advice
        listed = "; ".join(f"{line.action}: {_figures(line)}" for line in others[:OTHERS])
        more = f"; and {len(others) - OTHERS} more" if len(others) > OTHERS else ""
        return f"{advice} Others it tried: {listed}{more}."

    def cost(self, played: str) -> float | None:
        """How much of the chance to win another action gave away, from 0 to 1; None if the adviser cannot say."""
        if played == self.action:
            return 0.0
        lines = {line.action: line for line in self.analysis.lines} if self.analysis else {}
        return max(0.0, lines[self.action].chance - lines[played].chance) if played in lines else None

    def on(self, played: str) -> str:
        """What the adviser thinks of what was played, in a sentence."""
        if played == self.action:
            chance = f", with a chance to win of {self.analysis.lines[0].chance:.0%}" if self.analysis else ""
            return f"{self.adviser} would have played it too{chance}."
        cost = self.cost(played)
        if cost is None:
            return f"{self.adviser} would have played {self.action}."
        assert self.analysis is not None
        best = self.analysis.lines[0].chance
        if cost < AS_GOOD:
            return f"{self.adviser} holds it to be as good as {self.action}, with a chance to win of {best:.0%}."
        return (
            f"{self.adviser} would have played {self.action}, with a chance to win of {best:.0%} instead of "
            f"{best - cost:.0%}."
        )


def _figures(line: Line) -> str:
    return f"{line.chance:.0%} in {line.visits:,} tries"


class Adviser:
    """Advises in games of these rules.

    Args:
        rules: the rules of the games.
        spec: the agent that advises; None: `ADVISER`.

    Raises:
        AgentError: there is no agent of the given spec.
    """

    def __init__(self, rules: GameRules, spec: str | None = None) -> None:
        self.rules = rules
        self.agent: Agent = make_agent(spec or ADVISER, rules.bots)

    def review(self, record: Record, on_move: Callable[[], None] = lambda: None) -> list[Advice | None]:
        """For every move of a record what to play there, from what its player knew; None where there was no choice.

        Args:
            record: a game of these rules.
            on_move: called after every move that was looked at.

        Raises:
            RecordError: the record is not true, see `thurn_env.replay`.
        """
        found: list[Advice | None] = []
        for game, _ in zip(replay(record), record.moves, strict=False):
            found.append(self.advise(game.view()) if len(game.legal) > 1 else None)
            on_move()
        return found

    def advise(self, view: View) -> Advice:
        """What to play in a position; `view` must be that of the seat to move. The same view gets the same advice."""
        legal = view.legal
        if len(legal) == 1:
            return Advice("anyone", legal[0])
        self.agent.reset(view.seat, self.rules, 0)
        if isinstance(self.agent, Analyst):
            analysis = self.agent.analyse(view)
            return Advice(self.agent.name, analysis.lines[0].action, analysis)
        # The agent may play on in its view, so the position is kept.
        game = view.game.copy()
        action = game.legal_index(self.agent.act(view))
        return Advice(self.agent.name, self.rules.action_texts[action])
