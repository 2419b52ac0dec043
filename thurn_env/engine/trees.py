"""Search trees: the records that a game's search kernel reads and writes."""

from typing import Any, Final, NamedTuple

import numpy as np

from thurn_env.engine.kernels import (
    Float32Array,
    Float64Array,
    Int16Array,
    Int64Array,
    States,
    UInt64Array,
    inlined_rule,
    int64,
    new_records,
    rule,
)

NO_NODE: Final = -1
"""In place of a node's number."""
ROOT: Final = 0
NO_CUT_OFF: Final = -1
"""In place of a number of decisions: rollouts go to the end of the game."""


@inlined_rule
def new_node_for(action: int) -> int:
    """Return the choice of an action without a node, as a number below that of any node."""
    return -2 - action


@inlined_rule
def is_new(choice: int) -> bool:
    """Return whether a choice is an action without a node."""
    return choice <= -2


@inlined_rule
def action_of_new(choice: int) -> int:
    """Return the action of such a choice."""
    return -2 - choice


SETTINGS = np.dtype(
    [
        ("exploration", np.float64),  # weight of the exploration bonus
        ("margin", np.float64),  # share of the margin in a result; the rest is winning
        ("prior", np.float64),  # prior of the rollout bot's choice
        ("temperature", np.float64),  # of the priors of a policy: 1 leaves them, higher ones make them more even
        ("urgency", np.float64),  # value deducted for an action that was not tried yet
        ("cut_off", np.int32),  # decisions after which a rollout ends with the turn, or NO_CUT_OFF
        ("rollout", np.int8),  # number of the scripted bot that plays rollouts
        ("others_in_tree", np.int8),  # whether the other seats' decisions take nodes; else the bot makes them
        ("scored", np.int8),  # whether every game is played to its end to record scores
    ],
    align=True,
)


def node_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of a node: a position of the searching seat's information set, reached by `action`."""
    return np.dtype(
        [
            ("values", np.float64, (players,)),  # sums of results, by seat
            ("scores", np.float64, (players,)),  # sums of final scores, by seat, if they are wanted
            ("visits", np.int32),
            ("available", np.int32),  # how often the action could be chosen
            ("parent", np.int32),
            ("first_child", np.int32),
            ("next_sibling", np.int32),
            ("action", np.int16),
            ("favoured", np.int8),  # whether the rollout bot would have chosen it
        ],
        align=True,
    )


class Tree(NamedTuple):
    """Search tree of one seat. A actions, O observation values, P players.

    Attributes:
        nodes: records of `node_dtype`; the root is the first.
        used: int64 (1,), number of used nodes.
        children: int32 (A,), buffer: child of every action at the current node.
        settings: one record of `SETTINGS`.
        scratch: one state record, the game of the iteration.
        weights: float32 (O + 1,), evaluation of unfinished games: a weight for every value of the observation, and the
            bias; empty if there is none.
        observation: float32 (O,), buffer.
        row: int16 (O,), buffer.
        values: float64 (P,), buffer: result of the iteration, by seat.
        generator: uint64 (1,), random generator of deals and rollouts.
    """

    nodes: States
    used: np.ndarray[Any, np.dtype[np.int64]]
    children: np.ndarray[Any, np.dtype[np.int32]]
    settings: States
    scratch: States
    weights: Float32Array
    observation: Float32Array
    row: Int16Array
    values: Float64Array
    generator: UInt64Array


@rule
def add_node(tree: Tree, parent: int, action: int, favoured: bool) -> int:
    """Add a child node; return its number."""
    number = int64(tree.used[0])
    tree.used[0] += 1
    node = tree.nodes[number]
    node.values[:] = 0.0
    node.scores[:] = 0.0
    node.visits = 0
    node.available = 1
    node.parent = parent
    node.first_child = NO_NODE
    node.next_sibling = tree.nodes[parent].first_child
    node.action = action
    node.favoured = favoured
    tree.nodes[parent].first_child = number
    return number


def new_tree(
    *,
    players: int,
    actions: int,
    observation: int,
    nodes: int,
    scratch: States,
    weights: Float32Array,
    generator: UInt64Array,
) -> Tree:
    """Return an empty tree.

    Args:
        players: number of players, P.
        actions: number of actions, A.
        observation: length of the observation, O.
        nodes: maximum number of nodes; a full tree still improves its statistics but does not grow.
        scratch: a state record of the game.
        weights: see `Tree`.
        generator: see `Tree`.
    """
    tree = Tree(
        nodes=new_records(nodes, node_dtype(players)),
        used=np.zeros(1, np.int64),
        children=np.full(actions, NO_NODE, np.int32),
        settings=new_records(1, SETTINGS),
        scratch=scratch,
        weights=weights,
        observation=np.zeros(observation, np.float32),
        row=np.zeros(observation, np.int16),
        values=np.zeros(players),
        generator=generator,
    )
    clear(tree)
    return tree


def clear(tree: Tree) -> None:
    """Reset the tree to a root without visits."""
    tree.nodes[:1] = np.zeros(1, tree.nodes.dtype)
    for name in ("parent", "first_child", "next_sibling", "action"):
        tree.nodes[name][ROOT] = NO_NODE
    tree.used[0] = 1


def children_of(tree: Tree, node: int) -> list[int]:
    """Return the numbers of a node's children."""
    found = []
    child = int(tree.nodes["first_child"][node])
    while child != NO_NODE:
        found.append(child)
        child = int(tree.nodes["next_sibling"][child])
    return found


def keep_subtree(tree: Tree, node: int) -> Int64Array:
    """Make a node the root and discard everything that is not below it; return the old numbers of the kept nodes."""
    used = int(tree.used[0])
    above = tree.nodes["parent"][:used].astype(np.int64)
    above[ROOT], above[node] = ROOT, node
    # Every step doubles the distance looked up, until all nodes are at the root or at the node.
    while not np.array_equal(further := above[above], above):
        above = further
    kept = np.flatnonzero(above == node)
    places = np.full(used + 1, NO_NODE, np.int32)  # the last place stands for NO_NODE itself
    places[kept] = np.arange(len(kept))
    nodes = tree.nodes[kept]
    for name in ("parent", "first_child", "next_sibling"):
        nodes[name] = places[nodes[name]]
    nodes["parent"][ROOT] = nodes["next_sibling"][ROOT] = NO_NODE
    tree.nodes[: len(kept)] = nodes
    tree.used[0] = len(kept)
    return kept
