"""The whole tree of a small game, with exact values and best responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from thurn_env.checks import checked_whole, quoted
from thurn_env.errors import OptionError
from thurn_env.games.contract import Float64Array, RewardMode
from thurn_env.table.position import Position

__all__ = ["CHANCE", "END", "BestResponse", "GameTree", "InformationSet", "TreePolicy"]

CHANCE = -1
"""Mover of a node where chance is to act."""
END = -2
"""Mover of a node where the game is over."""
MOST_NODES = 2_000_000
"""Default for the largest number of nodes of a tree; two million nodes take minutes to make and gigabytes of memory."""

ROUNDING = 1e-6
"""Largest difference from 1 of the sum of a set's probabilities; networks compute in float32."""

TreePolicy = Sequence[Float64Array | Sequence[float]]
"""A probability for every legal action of every information set."""


@dataclass(frozen=True)
class InformationSet:
    """Positions that the player to move cannot tell apart.

    Attributes:
        seat: seat of that player.
        text: everything that the seat saw.
        actions: indices of the legal actions, ascending.
        position: one of the positions; agents cannot tell which.
        nodes: numbers of the nodes.
    """

    seat: int
    text: str
    actions: tuple[int, ...]
    position: Position
    nodes: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class BestResponse:
    """A best response of one seat to the policy of the others.

    Attributes:
        value: its expected return.
        choices: place of the chosen action in `InformationSet.actions`, for every information set of the seat that it
            can reach.
    """

    value: float
    choices: dict[int, int]


class GameTree:
    """All positions of a game.

    Args:
        root: the position at the root.
        reward: reward mode of the returns.
        most_nodes: largest number of nodes.

    Attributes:
        players: number of players.
        movers: for every node the seat to move, `CHANCE` or `END`. The root is node 0; nodes precede their children.
        children: for every node the numbers of its children, in the order of actions or of outcomes.
        probabilities: for every chance node the probabilities of its outcomes; empty for other nodes.
        labels: for every node the texts of its actions or outcomes.
        owners: for every decision the number of its information set, else -1.
        returns: for every end the returns by seat; zeros for other nodes: float64 (nodes, players).
        sets: the information sets.

    Raises:
        OptionError: the tree has more nodes.
    """

    def __init__(self, root: Position, reward: RewardMode = "win", most_nodes: int = MOST_NODES) -> None:
        limit = checked_whole("most_nodes", most_nodes, 1, 10**9)
        self.players = root.rules.players
        self.movers: list[int] = []
        self.children: list[list[int]] = []
        self.probabilities: list[tuple[float, ...]] = []
        self.labels: list[tuple[str, ...]] = []
        self.owners: list[int] = []
        self.sets: list[InformationSet] = []
        numbers: dict[tuple[int, str], int] = {}
        returns: list[list[float]] = []
        waiting: list[tuple[Position, int]] = [(root, -1)]
        while waiting:
            position, parent = waiting.pop()
            node = len(self.movers)
            if node == limit:
                raise OptionError(
                    f"the tree has more than {limit:,} nodes; choose a smaller board, fewer rounds, or raise most_nodes"
                )
            if parent >= 0:
                self.children[parent].append(node)
            self.children.append([])
            returns.append(position.returns(reward))
            choices = list(position.chance) or position.legal_actions
            texts = position.outcomes if position.chance else position.rules.action_texts
            self.labels.append(tuple(texts[choice] for choice in choices))
            self.probabilities.append(tuple(position.chance.values()))
            owner = -1
            if position.chance:
                self.movers.append(CHANCE)
            elif position.over:
                self.movers.append(END)
            else:
                self.movers.append(position.seat)
                text = position.information_state(position.seat)
                owner = numbers.setdefault((position.seat, text), len(self.sets))
                if owner == len(self.sets):
                    self.sets.append(InformationSet(position.seat, text, tuple(choices), position))
                self.sets[owner].nodes.append(node)
            self.owners.append(owner)
            waiting += [(position.after(choice), node) for choice in reversed(choices)]
        self.returns: Float64Array = np.array(returns)

    def uniform(self) -> list[Float64Array]:
        """Return the policy that plays every legal action equally often: for every set float64 (actions,)."""
        return [np.full(len(one.actions), 1 / len(one.actions)) for one in self.sets]

    def _probabilities(self, node: int, policy: Sequence[Sequence[float]]) -> Sequence[float]:
        """Return the probabilities of a node's children."""
        owner = self.owners[node]
        return self.probabilities[node] if owner < 0 else policy[owner]

    def checked(self, policy: TreePolicy) -> list[list[float]]:
        """Return a policy as lists; raise `OptionError` if it is none of this tree."""
        if len(policy) != len(self.sets):
            raise OptionError(
                f"a policy of this tree has {len(self.sets):,} sets of probabilities, not {len(policy):,}"
            )
        checked = []
        for number, (one, given) in enumerate(zip(self.sets, policy, strict=True)):
            try:
                probabilities = np.asarray(given, np.float64)
            except (TypeError, ValueError):
                probabilities = np.zeros(0)
            right = probabilities.shape == (len(one.actions),) and (probabilities >= 0).all()
            if not (right and abs(probabilities.sum() - 1) < ROUNDING):
                raise OptionError(
                    f"set {number} needs {len(one.actions)} probabilities that add up to 1, not {quoted(given)}"
                )
            checked.append(probabilities.tolist())
        return checked

    def values(self, policy: TreePolicy) -> Float64Array:
        """Return the expected return of every seat if all follow a policy: float64 (players,).

        Args:
            policy: for every set the probabilities of its actions.

        Raises:
            OptionError: it is no policy of this tree.
        """
        return self._values(self.checked(policy))

    def _values(self, policy: Sequence[Sequence[float]]) -> Float64Array:
        values = self.returns.copy()
        for node in range(len(self.movers) - 1, -1, -1):
            for child, probability in zip(self.children[node], self._probabilities(node, policy), strict=True):
                values[node] += probability * values[child]
        first: Float64Array = values[0]
        return first

    def best_response(self, policy: TreePolicy, seat: int) -> BestResponse:
        """Return the best response of a seat to the others' policy.

        Raises:
            OptionError: it is no policy of this tree, or there is no such seat.
        """
        return self._best_response(self.checked(policy), checked_whole("seat", seat, 0, self.players - 1))

    def _best_response(self, policy: Sequence[Sequence[float]], seat: int) -> BestResponse:
        reach = np.zeros(len(self.movers))  # how probable chance and the others make a node
        reach[0] = 1
        for node, mover in enumerate(self.movers):
            for child, probability in zip(self.children[node], self._probabilities(node, policy), strict=True):
                reach[child] = reach[node] * (1 if mover == seat else probability)
        values: dict[int, float] = {}
        choices: dict[int, int] = {}

        def value(node: int) -> float:
            if node not in values:
                if self.movers[node] == seat:
                    values[node] = value(self.children[node][choice(self.owners[node])])
                else:
                    probabilities = self._probabilities(node, policy)
                    values[node] = self.returns[node, seat] + sum(
                        probability * value(child)
                        for child, probability in zip(self.children[node], probabilities, strict=True)
                    )
            return values[node]

        def choice(owner: int) -> int:
            if owner not in choices:
                one = self.sets[owner]
                gains = [
                    sum(reach[node] * value(self.children[node][place]) for node in one.nodes)
                    for place in range(len(one.actions))
                ]
                choices[owner] = int(np.argmax(gains))
            return choices[owner]

        return BestResponse(float(value(0)), choices)

    def exploitability(self, policy: TreePolicy) -> float:
        """Return by how much a seat gains with a best response, on average over the seats.

        Raises:
            OptionError: it is no policy of this tree.
        """
        checked = self.checked(policy)
        values = self._values(checked)
        gains = [self._best_response(checked, seat).value - values[seat] for seat in range(self.players)]
        return float(np.mean(gains))
