"""Game trees for OpenSpiel's compiled solvers, and policies of the trees in OpenSpiel's form and back.

from thurn_env import make_rules
from thurn_env.envs.open_spiel_trees import SpielTree
from thurn_env.table.position import Position
from thurn_env.table.tree import GameTree

tree = SpielTree(GameTree(Position(make_rules("thurn_und_taxis", 2, "micro", max_rounds=2))))
solver = tree.cfr_plus()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thurn_env.envs.open_spiel_extra import pyspiel
from thurn_env.games.contract import Float64Array
from thurn_env.table.extensive_form import extensive_form
from thurn_env.table.tree import CHANCE, GameTree, TreePolicy

__all__ = ["SpielTree"]

Table = Mapping[str, Sequence[tuple[int, float]]]
"""A policy as OpenSpiel takes it: the actions with their probabilities, by information state string."""


class SpielTree:
    """A tree as a game of OpenSpiel, of the kind `efg_game`.

    Args:
        tree: the tree.

    Attributes:
        tree: the tree.
        game: the game.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.game: Any = pyspiel.load_efg_game(extensive_form(tree))
        self._states: list[tuple[str, list[int]]] = [("", [])] * len(tree.sets)
        # OpenSpiel numbers actions by their texts in the whole file, so the numbers are taken from its states.
        waiting = [(self.game.new_initial_state(), 0)]
        while waiting:
            state, node = waiting.pop()
            if tree.movers[node] == CHANCE:
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
                if (owner := tree.owners[node]) >= 0:
                    self._states[owner] = state.information_state_string(), actions
            waiting += zip(map(state.child, actions), tree.children[node], strict=True)

    def cfr_plus(self) -> Any:
        """Return a solver that has not begun; `evaluate_and_update_policy` runs one iteration of CFR+."""
        return pyspiel.CFRPlusSolver(self.game)

    def table(self, policy: TreePolicy) -> dict[str, list[tuple[int, float]]]:
        """Return a policy of the tree in OpenSpiel's form, for example for `pyspiel.exploitability(game, table)`."""
        return {
            text: list(zip(actions, probabilities, strict=True))
            for (text, actions), probabilities in zip(self._states, self.tree.checked(policy), strict=True)
        }

    def policy(self, table: Table) -> list[Float64Array]:
        """Return a policy of OpenSpiel, such as `solver.tabular_average_policy().policy_table()`, for the tree.

        It is an array for every information set, float64 (legal actions,). Sets that the table leaves out are played
        uniformly.
        """
        policy = self.tree.uniform()
        for owner, (text, actions) in enumerate(self._states):
            if text in table:
                probabilities = dict(table[text])
                policy[owner] = np.array([probabilities.get(action, 0.0) for action in actions])
        return policy
