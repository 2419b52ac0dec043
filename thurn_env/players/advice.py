"""Advice to people: the recommended action with reasons, and an opinion of an action already played."""

from __future__ import annotations

from dataclasses import dataclass

from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, make_agent
from thurn_env.players.analysis import Analysis, Analyst, Line, MoveAnalyst
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.table.game import View

__all__ = ["Advice", "Adviser"]

ADVISER = "mcts:4000"
"""Spec of the default adviser."""
OTHERS = 3
"""Largest number of alternative actions in the text."""
AHEAD = 4
"""Number of moves of the expected continuation in the text."""
AS_GOOD = 0.01
"""Win probabilities that differ by less count as equal for a search of a few thousand iterations."""


@dataclass(frozen=True)
class Advice:
    """An adviser's recommendation for a position.

    Attributes:
        adviser: name of the adviser.
        action: recommended action as text.
        analysis: search results; None if the adviser gives no reasons.
    """

    adviser: str
    action: str
    analysis: Analysis | None = None

    def __str__(self) -> str:
        """Return the advice and its reasons as text."""
        if self.analysis is None:
            return f"{self.adviser} would play {self.action}."
        best, *others = self.analysis.lines
        then = f"; then {', '.join(best.best[:AHEAD])}" if best.best else ""
        advice = f"{self.adviser} would play {self.action}: win probability {_figures(best)}{then}."
        if not others:
            return advice
        listed = "; ".join(f"{line.action}: {_figures(line)}" for line in others[:OTHERS])
        more = f"; and {len(others) - OTHERS} more" if len(others) > OTHERS else ""
        return f"{advice} Alternatives: {listed}{more}."

    def cost(self, played: str) -> float | None:
        """Return the win probability that an action gave away, from 0 to 1; None if the adviser does not know.

        An adviser without figures knows it of no action: zeros for agreement alone would make everybody faultless.
        """
        if self.analysis is None:
            return None
        if played == self.action:
            return 0.0
        lines = {line.action: line for line in self.analysis.lines}
        return max(0.0, lines[self.action].chance - lines[played].chance) if played in lines else None

    def on(self, played: str) -> str:
        """Return the adviser's opinion of an action that was played, as a sentence."""
        if played == self.action:
            chance = f", with a win probability of {self.analysis.lines[0].chance:.0%}" if self.analysis else ""
            return f"{self.adviser} would have played it too{chance}."
        cost = self.cost(played)
        if cost is None:
            return f"{self.adviser} would have played {self.action}."
        assert self.analysis is not None
        best = self.analysis.lines[0].chance
        if cost < AS_GOOD:
            return f"{self.adviser} rates it as good as {self.action}, with a win probability of {best:.0%}."
        return (
            f"{self.adviser} would have played {self.action}, with a win probability of {best:.0%} instead of "
            f"{best - cost:z.0%}."
        )


def _figures(line: Line) -> str:
    return f"{line.chance:.0%} after {line.visits:,} visits"


class Adviser:
    """An adviser for games with these rules.

    Args:
        rules: rules of the games.
        spec: spec of the agent that advises; None for `ADVISER`.
        sandbox: sandbox for an adviser that is a program of its own; None for none.
        name: name of the adviser in its advice; None for the agent's own.

    Raises:
        AgentError: there is no agent with this spec.
    """

    def __init__(
        self, rules: GameRules, spec: str | None = None, sandbox: Sandbox | None = None, name: str | None = None
    ) -> None:
        self.rules = rules
        self.agent: Agent = make_agent(spec or ADVISER, rules.bots, sandbox)
        self.name = name or self.agent.name

    def advise(self, view: View) -> Advice:
        """Return the advice for the view of the seat to move. The same view gets the same advice."""
        legal = view.legal
        if len(legal) == 1:
            return Advice("anyone", legal[0])
        self.agent.reset(view.seat, self.rules, 0)
        if isinstance(self.agent, Analyst):
            analysis = self.agent.analyse(view)
            return Advice(self.name, analysis.lines[0].action, analysis)
        # The agent may play moves in its view, so keep the position.
        game = view.game.copy()
        action = game.legal_index(self.agent.act(view))
        return Advice(self.name, self.rules.action_texts[action])

    def on_move(self, view: View, played: str, effort: float, *, scored: bool = False) -> Advice:
        """Return the advice for a view in which an action was played, which the adviser measures if it can.

        Args:
            view: view of the seat to move, which has a choice.
            played: action that was played, as text.
            effort: share of the adviser's budget, from 0 to 1; only for a `MoveAnalyst`.
            scored: whether a `MoveAnalyst` records expected scores.
        """
        if not isinstance(self.agent, MoveAnalyst):
            return self.advise(view)
        self.agent.reset(view.seat, self.rules, 0)
        analysis = self.agent.analyse_move(view, self.rules.action_indices[played], effort, scored)
        return Advice(self.name, analysis.lines[0].action, analysis)
