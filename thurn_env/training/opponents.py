"""Opponents of training runs and of their evaluations, by name."""

from __future__ import annotations

from thurn_env.envs.copies import Copies
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, BatchAgent, make_agent, make_opponent

EACH = "each:"
"""Prefix for agents that can only play single games: every game gets its own one, which is slow."""


def opponent_named(name: str, rules: GameRules) -> Agent | BatchAgent | Copies:
    """Return the opponent of a name: the spec of an agent, or `each:` before it.

    Raises:
        AgentError: there is no such agent, or it does not play this game.
    """
    if not name.startswith(EACH):
        return make_opponent(name, rules.bots)
    spec = name.removeprefix(EACH)
    make_agent(spec, rules.bots).reset(0, rules, 0)
    return Copies(spec)
