"""Search trees as arrays."""

from __future__ import annotations

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import new_records
from thurn_env.engine.trees import NO_NODE, ROOT, Tree, children_of, clear, keep_subtree, new_tree


def tree_of(parents: list[int], visits: list[int]) -> Tree:
    """A tree of nodes 1, 2 ... below the given parents; every node's action is its number, its visits are given."""
    tree = new_tree(
        players=2,
        actions=100,
        observation=3,
        nodes=50,
        scratch=new_records(1, np.dtype([("nothing", np.int8)])),
        weights=np.zeros(0, np.float32),
        generator=seeded(1),
    )
    for number, parent in enumerate(parents, start=1):
        tree.nodes["parent"][number] = parent
        tree.nodes["first_child"][number] = NO_NODE
        tree.nodes["next_sibling"][number] = tree.nodes["first_child"][parent]
        tree.nodes["first_child"][parent] = number
        tree.nodes["action"][number] = number
    tree.nodes["visits"][: len(visits)] = visits
    tree.used[0] = len(parents) + 1
    return tree


def shape(tree: Tree, node: int = ROOT) -> dict[tuple[int, int], object]:
    """Actions and visits of everything below a node."""
    return {
        (int(tree.nodes["action"][child]), int(tree.nodes["visits"][child])): shape(tree, child)
        for child in children_of(tree, node)
    }


def test_children_come_last_first() -> None:
    tree = tree_of([0, 0, 1, 0], [4, 1, 1, 0, 1])
    assert children_of(tree, ROOT) == [4, 2, 1]
    assert children_of(tree, 1) == [3]
    assert children_of(tree, 3) == []


def test_keeping_a_subtree_forgets_everything_else() -> None:
    """By hand: 1 and 2 lie below the root; 3 and 5 below 2; 4 below 1; 6 below 5."""
    tree = tree_of([0, 0, 2, 1, 2, 5], [20, 7, 13, 4, 6, 8, 2])
    keep_subtree(tree, 2)
    assert shape(tree) == {(3, 4): {}, (5, 8): {(6, 2): {}}}
    assert tree.used[0] == 4
    assert tree.nodes["visits"][ROOT] == 13
    assert tree.nodes["parent"][ROOT] == NO_NODE
    assert tree.nodes["next_sibling"][ROOT] == NO_NODE
    for child in children_of(tree, ROOT):
        assert tree.nodes["parent"][child] == ROOT


def test_a_subtree_may_be_kept_again_and_again() -> None:
    tree = tree_of([0, 0, 2, 1, 2, 5], [20, 7, 13, 4, 6, 8, 2])
    keep_subtree(tree, 2)
    keep_subtree(tree, next(node for node in children_of(tree, ROOT) if tree.nodes["action"][node] == 5))
    assert shape(tree) == {(6, 2): {}}
    keep_subtree(tree, children_of(tree, ROOT)[0])
    assert shape(tree) == {}
    assert tree.used[0] == 1


def test_clearing_leaves_a_root() -> None:
    tree = tree_of([0, 1], [5, 3, 1])
    clear(tree)
    assert tree.used[0] == 1
    assert children_of(tree, ROOT) == []
    assert tree.nodes["visits"][ROOT] == 0
