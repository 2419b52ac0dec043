"""The whole tree of the board micro, made once for all tests of a process."""

from __future__ import annotations

from functools import cache

import numpy as np

from thurn_env import make_rules
from thurn_env.games.contract import Float64Array
from thurn_env.table.position import Position
from thurn_env.table.tree import GameTree

ROUNDS = 2


@cache
def micro(start_player: int | None = 0) -> GameTree:
    """The tree for two players and two rounds."""
    return GameTree(Position(make_rules("thurn_und_taxis", 2, "micro", max_rounds=ROUNDS), start_player))


def random_policy(tree: GameTree, seed: int) -> list[Float64Array]:
    """A policy drawn at random."""
    generator = np.random.default_rng(seed)
    return [generator.dirichlet(np.ones(len(one.actions))) for one in tree.sets]
