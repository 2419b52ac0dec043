"""The whole tree of a small game: information sets, values, best responses, and the file of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.micro import ROUNDS, micro, random_policy
from thurn_env import OptionError, make_rules
from thurn_env.table.extensive_form import extensive_form, set_numbers, write_efg
from thurn_env.table.position import Position
from thurn_env.table.seen import observed
from thurn_env.table.tree import CHANCE, END, GameTree


@cache
def positions_of_micro() -> list[Position]:
    """The position of every node."""
    tree = micro()
    found = [Position(tree.sets[0].position.rules, 0)] * len(tree.movers)
    for node, children in enumerate(tree.children):
        position = found[node]
        choices = list(position.chance) or position.legal_actions
        for child, choice in zip(children, choices, strict=True):
            found[child] = position.after(choice)
    return found


def test_sizes() -> None:
    """The sizes that the page states."""
    tree = micro()
    assert len(tree.movers) == 17_310
    assert len(tree.sets) == 3_447
    assert tree.movers.count(CHANCE) == 3_751
    assert tree.movers.count(END) == 9_648


def test_an_information_set_holds_what_looks_alike_to_its_seat() -> None:
    """Same observation, actions and view, byte by byte; but not all of the hidden cards are the same."""
    tree = micro()
    positions = positions_of_micro()
    differing = 0
    for one in tree.sets:
        first = positions[one.nodes[0]]
        view = first.view()
        for node in one.nodes[1:]:
            other = positions[node]
            assert other.seat == one.seat
            assert tuple(other.legal_actions) == one.actions
            assert other.information_state(one.seat) == one.text
            assert other.view().game.to_bytes() == view.game.to_bytes()
            seen = observed(other.rules, other.states, one.seat)
            assert seen.tobytes() == view.observation.tobytes()
            differing += other.states.tobytes() != first.states.tobytes()
    assert differing > 10


def test_different_logs_differ_in_something_seen() -> None:
    """A log tells no more than the moves and the observations: equal ones give equal logs."""
    tree = micro()
    by_past: dict[tuple[object, ...], set[str]] = defaultdict(set)
    pasts: list[tuple[object, ...]] = [()] * len(tree.movers)
    for node, position in enumerate(positions_of_micro()):
        past = pasts[node]
        if position.dealt and not position.chance:
            # The board has no secret actions, so that every move is seen.
            past = (*past, *(observed(position.rules, position.states, 1).tobytes(),))
            by_past[past].add(position.information_state(1))
        choices = list(position.chance) or position.legal_actions
        for child, choice in zip(tree.children[node], choices, strict=True):
            pasts[child] = past if position.chance else (*past, choice)
    assert len(by_past) > 3_000
    assert all(len(logs) == 1 for logs in by_past.values())


def test_nobody_forgets() -> None:
    """Perfect recall: all nodes of an information set have the same own information sets and actions before them."""
    tree = micro()
    pasts: list[tuple[tuple[int, int], ...]] = [()] * (2 * len(tree.movers))
    for node, children in enumerate(tree.children):
        for place, child in enumerate(children):
            for seat in range(2):
                past = pasts[2 * node + seat]
                if tree.movers[node] == seat:
                    past = (*past, (tree.owners[node], place))
                pasts[2 * child + seat] = past
    for one in tree.sets:
        assert len({pasts[2 * node + one.seat] for node in one.nodes}) == 1


def test_a_game_that_treats_both_seats_alike() -> None:
    """With the start player drawn by chance no two seats share a log, and the uniform policy is worth 0.

    The exploitability stays the same.
    """
    drawn, fixed = micro(None), micro()
    assert len({one.text for one in drawn.sets}) == len(drawn.sets)
    assert {one.text.partition("\n")[0] for one in drawn.sets} == {"seat 0", "seat 1"}
    assert drawn.values(drawn.uniform()) == pytest.approx([0, 0], abs=1e-12)
    assert fixed.values(fixed.uniform()) == pytest.approx([1 / 16, -1 / 16], abs=1e-12)
    assert fixed.exploitability(fixed.uniform()) == pytest.approx(0.826388888888889, abs=1e-12)
    assert drawn.exploitability(drawn.uniform()) == pytest.approx(0.826388888888889, abs=1e-12)


def test_returns_are_those_of_the_reward() -> None:
    rules = make_rules("thurn_und_taxis", 2, "micro", max_rounds=ROUNDS)
    won, margin = micro(), GameTree(Position(rules, 0), reward="margin")
    ends = [node for node, mover in enumerate(won.movers) if mover == END]
    assert won.movers == margin.movers
    assert np.sign(won.returns[ends]).tolist() == np.sign(margin.returns[ends]).tolist()
    assert set(won.returns[ends].ravel().tolist()) <= {-1.0, 0.0, 1.0}
    assert len(np.unique(margin.returns[ends])) > 3
    with pytest.raises(OptionError, match="reward"):
        GameTree(Position(rules, 0), reward="wins")


def test_a_policy_may_be_lists() -> None:
    tree = micro()
    lists = [chances.tolist() for chances in tree.uniform()]
    assert tree.values(lists).tolist() == tree.values(tree.uniform()).tolist()
    assert tree.best_response(lists, 1) == tree.best_response(tree.uniform(), 1)
    assert tree.exploitability(lists) == tree.exploitability(tree.uniform())


@pytest.mark.parametrize("wrong", [2.0, -0.5, np.nan, np.inf])
def test_wrong_probabilities(wrong: float) -> None:
    tree = micro()
    policy = tree.uniform()
    policy[3][0] = wrong
    for use in (tree.values, tree.exploitability, lambda policy: tree.best_response(policy, 0)):
        with pytest.raises(OptionError, match=r"^set 3 needs \d+ probabilities that add up to 1, not "):
            use(policy)


def test_policies_of_other_trees() -> None:
    tree = micro()
    for policy in (tree.uniform()[1:], tree.uniform() * 2, []):
        with pytest.raises(OptionError, match="sets of probabilities, not"):
            tree.exploitability(policy)
    policy = tree.uniform()
    policy[0] = np.append(policy[0], 0.0)
    with pytest.raises(OptionError, match="set 0 needs"):
        tree.values(policy)
    with pytest.raises(OptionError, match="set 0 needs"):
        tree.values([["a"], *policy[1:]])  # type: ignore[list-item]
    for seat in (-1, 2):
        with pytest.raises(OptionError, match="seat must be"):
            tree.best_response(tree.uniform(), seat)


@pytest.mark.parametrize("seed", range(3))
def test_a_best_response_earns_its_value(seed: int) -> None:
    tree = micro()
    policy = random_policy(tree, seed)
    for seat in range(2):
        best = tree.best_response(policy, seat)
        answer = [np.eye(len(chances))[best.choices.get(owner, 0)] for owner, chances in enumerate(policy)]
        mixed = [answer[owner] if one.seat == seat else policy[owner] for owner, one in enumerate(tree.sets)]
        assert tree.values(mixed)[seat] == pytest.approx(best.value, abs=1e-12)
        assert best.value >= tree.values(policy)[seat]
        others = random_policy(tree, seed + 100)
        other = [others[owner] if one.seat == seat else policy[owner] for owner, one in enumerate(tree.sets)]
        assert tree.values(other)[seat] <= best.value + 1e-12


def test_forced_decisions_change_no_value() -> None:
    """They add nodes with a single action only."""
    rules = make_rules("thurn_und_taxis", 2, "micro", max_rounds=2)
    whole, skipped = GameTree(Position(rules, 0, skip_forced=False)), micro()
    assert len(whole.movers) > len(skipped.movers)
    assert sum(len(one.actions) > 1 for one in whole.sets) == len(skipped.sets)
    assert whole.values(whole.uniform()) == pytest.approx(skipped.values(skipped.uniform()), abs=1e-12)
    assert whole.exploitability(whole.uniform()) == pytest.approx(skipped.exploitability(skipped.uniform()), abs=1e-12)


def test_a_large_tree_is_refused() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    with pytest.raises(OptionError, match="more than 1,000 nodes; choose a smaller board, fewer rounds"):
        GameTree(Position(rules), most_nodes=1000)


def test_the_file_has_a_line_for_every_node(tmp_path: Path) -> None:
    tree = micro()
    write_efg(tree, tmp_path / "micro.efg", 'three "towns"')
    head, *lines = (tmp_path / "micro.efg").read_text("utf-8").splitlines()
    assert head == """EFG 2 R "three 'towns'" { "seat 0" "seat 1" }"""
    assert "\n".join([head, *lines]) == extensive_form(tree, 'three "towns"').rstrip("\n")
    kinds = Counter(line[0] for line in lines)
    assert kinds == {"c": 3_751, "t": 9_648, "p": 17_310 - 3_751 - 9_648}
    numbers = set_numbers(tree)
    for seat in range(2):
        own = [number for number, one in zip(numbers, tree.sets, strict=True) if one.seat == seat]
        assert own == list(range(1, len(own) + 1))
