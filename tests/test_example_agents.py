"""The example agents of the checkout play both games."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from agents import one_move_ahead
from agents.one_move_ahead import OneMoveAhead
from thurn_env import make_rules, verify
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import copy_of_agent, make_agent
from thurn_env.players.match import play_match

TABLES = [make_rules("thurn_und_taxis", 2, "tiny"), make_rules("zug_um_zug_deutschland", 2, "tiny_rails")]


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_one_move_ahead(rules: GameRules) -> None:
    agents = [make_agent("agents.one_move_ahead:OneMoveAhead", rules.bots), make_agent("random", rules.bots)]
    first, second = (play_match(rules, agents, seed=5) for _ in range(2))
    assert first == second
    verify(first)
    assert first.agents == [OneMoveAhead.name, "random"]


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", ["program", "searching_program"])
def test_programs(rules: GameRules, name: str) -> None:
    """The same seed gives the same game, in a process that played before and in a new one."""
    command = shlex.join([sys.executable, str(Path(one_move_ahead.__file__).with_name(f"{name}.py"))])
    agents = [make_agent(f"exec:{command}", rules.bots), make_agent("random", rules.bots)]
    first, second = (play_match(rules, agents, seed=5) for _ in range(2))
    assert first == second == play_match(rules, [copy_of_agent(agents[0]), agents[1]], seed=5)
    verify(first)
