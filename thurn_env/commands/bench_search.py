"""Speed of search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thurn_env.commands.measure import Figure, rate
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import new_records
from thurn_env.engine.trees import Tree, clear, new_tree
from thurn_env.games.contract import GameRules, WithBots

NODES = 1 << 17
ROLLOUTS = ("sensible-random", "heuristic")


def tree_for(rules: WithBots, rollout: str) -> Tree:
    """Return a search tree whose rollouts a bot plays to the end."""
    tree = new_tree(
        players=rules.players,
        actions=rules.action_size,
        observation=rules.observation_size,
        nodes=NODES,
        scratch=new_records(1, rules.state_dtype),
        weights=np.zeros(0, np.float32),
        generator=seeded(0),
    )
    tree.settings["exploration"] = 1.0
    tree.settings["prior"] = 0.5
    tree.settings["cut_off"] = -1
    tree.settings["rollout"] = rules.bots.index(rollout)
    return tree


def search_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Measure search iterations from a game's first decision, each with a rollout to the end of the game."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)

    def searcher(tree: Tree) -> Callable[[int], None]:
        def work(number: int) -> None:
            clear(tree)
            rules.search(states, 0, rules.seat(states, 0), number, tree)

        return work

    for rollout in ROLLOUTS:
        work = searcher(tree_for(rules, rollout))
        work(1)  # compiles
        yield Figure(f"search with rollouts of {rollout}", rate(work, seconds), "rollouts/s")
