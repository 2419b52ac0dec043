"""The example agents of the checkout play both games."""

from __future__ import annotations

import pytest

from agents.one_move_ahead import OneMoveAhead
from thurn_env import make_rules, verify
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import play_match

TABLES = [make_rules("thurn_und_taxis", 2, "tiny"), make_rules("zug_um_zug_deutschland", 2, "tiny_rails")]


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_one_move_ahead(rules: GameRules) -> None:
    agents = [make_agent("agents.one_move_ahead:OneMoveAhead", rules.bots), make_agent("random", rules.bots)]
    first, second = (play_match(rules, agents, seed=5) for _ in range(2))
    assert first == second
    verify(first)
    assert first.agents == [OneMoveAhead.name, "random"]
