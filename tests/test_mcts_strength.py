"""What search is for, measured in compiled games."""

from __future__ import annotations

import pytest

from thurn_env import make_rules
from thurn_env.commands.bench_search import search_figures
from thurn_env.players.agent import make_agent
from thurn_env.players.match import run_match
from thurn_env.tournament.certificate import certify

RULES = make_rules("thurn_und_taxis", 3, "tiny")


@pytest.mark.parametrize("bot", ["greedy", "heuristic"])
def test_search_beats_the_bot_that_plays_its_rollouts(bot: str) -> None:
    """Eighteen games against two of them: twelve wins or more would be chance in one case of 250."""
    wins = 0
    for seed in range(6):
        for seat in range(3):
            agents = [make_agent(bot, RULES.bots) for _ in range(3)]
            agents[seat] = make_agent(f"mcts:100,rollout={bot},cut=none", RULES.bots)
            wins += run_match(RULES, agents, seed).winner == seat
    assert wins >= 12


@pytest.mark.parametrize("argument", ["60", "60,rollout=sensible-random,cut=4", "60,opponents=tree"])
def test_choices_do_not_depend_on_hidden_cards(argument: str) -> None:
    assert certify(f"mcts:{argument}", RULES, 60, 3, 1).changed == 0


def test_the_benchmark_measures_rollouts() -> None:
    figures = list(search_figures(RULES, 0.001))
    assert [figure.name for figure in figures] == [
        "search with rollouts of sensible-random",
        "search with rollouts of heuristic",
    ]
    assert all(figure.value > 0 and figure.unit == "rollouts/s" for figure in figures)
