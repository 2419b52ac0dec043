"""`mcts:1000`: information-set Monte Carlo tree search, with rollouts from many deals of the hidden cards.

The search itself is a kernel, see `thurn_env.engine.search_rules`. This module sets it up, reuses the tree while
nothing new is revealed, stops early once the choice is settled, and reports the results.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import new_records
from thurn_env.engine.trees import NO_CUT_OFF, NO_NODE, ROOT, Tree, children_of, clear, keep_subtree, new_tree
from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules, Records
from thurn_env.players.agent import check_asked
from thurn_env.players.analysis import Analysis, Line
from thurn_env.players.evaluation import evaluation_of
from thurn_env.players.search_options import Budget, SearchOptions
from thurn_env.table.game import Game, View

__all__ = ["MCTS"]

PIECES = 16
"""Number of pieces that the iterations or the time are split into; the search may stop after each."""
DEALS = 4
"""Number of deals in which an action is played to test whether it reveals anything."""
TIMED_NODES = 1 << 20
"""Largest number of nodes of a tree with a time budget."""
MEASURED = 0.25
"""Least share of the visits for an action that was played, so that its figures are reliable."""
FAR = 1e6
"""Far beyond every value and bonus: an action whose value is lower by this is not chosen."""


class MCTS:
    """An agent that searches.

    Args:
        argument: part of the spec after the colon, see `SearchOptions`.

    Raises:
        AgentError: an option is unknown or its value invalid.
    """

    def __init__(self, argument: str = "1000") -> None:
        self.options: Budget = SearchOptions.parse(argument)
        self.name = f"mcts:{argument}"
        self._rules: GameRules | None = None

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game with an empty tree; all randomness comes from the seed."""
        if rules is not self._rules:
            self._tree = self._new_tree(rules)
            self._rules = rules
            # Load or compile the kernel now, not during a timed decision.
            game = Game.from_rules(rules, 0)
            self._seat = game.seat
            self._grow(game.states, 1)
            clear(self._tree)
        self._tree.generator[:] = seeded(seed)
        self._seat = seat
        self._last: tuple[Game, int] | None = None

    def _new_tree(self, rules: GameRules) -> Tree:
        options = self.options
        assert isinstance(options, SearchOptions)
        if options.rollout not in rules.bots:
            raise AgentError(f"mcts: {rules.title} has no bot {options.rollout!r}; it has {', '.join(rules.bots)}")
        weights = evaluation_of(rules, options.evaluation)
        tree = new_tree(
            players=rules.players,
            actions=rules.action_size,
            observation=rules.observation_size,
            nodes=2 * options.iterations + 1 if options.iterations else TIMED_NODES,
            scratch=new_records(1, rules.state_dtype),
            weights=weights,
            generator=seeded(0),
        )
        # The margin in the middle of a game says nothing: without an evaluation rollouts go to the end.
        whole = options.cut is None or (options.evaluation == "auto" and not len(weights))
        tree.settings["exploration"] = options.c
        tree.settings["prior"] = options.prior
        tree.settings["urgency"] = options.urgency
        tree.settings["margin"] = options.margin
        tree.settings["cut_off"] = NO_CUT_OFF if whole else options.cut
        tree.settings["rollout"] = rules.bots.index(options.rollout)
        tree.settings["others_in_tree"] = options.opponents == "tree"
        return tree

    def act(self, view: View) -> int:
        """Return the most visited action."""
        check_asked(self.name, self._rules is not None, view)
        if len(view.legal_actions) == 1:
            return int(view.legal_actions[0])
        self._search(view)
        tree = self._tree
        best = max(
            children_of(tree, ROOT), key=lambda child: (tree.nodes["visits"][child], -tree.nodes["action"][child])
        )
        action = int(tree.nodes["action"][best])
        self._last = view.game, action
        return action

    def analyse(self, view: View) -> Analysis:
        """Search a position and return the results; `view` must belong to the seat to move, with a choice.

        The search starts with an empty tree and plays every rollout to its end to see the scores, so it is slower than
        `act`.

        Raises:
            AgentError: there is no choice.
        """
        return self._analyse(view, None, 1.0, True)

    def analyse_move(self, view: View, played: int, effort: float, scored: bool) -> Analysis:
        """Search a position as `analyse` does, and measure the action that was played.

        If the search prefers other actions, further iterations visit only the played one, until it has `MEASURED` of
        the visits. Otherwise an action that the search gave up early would be judged by a handful of visits.

        Args:
            view: view of the seat to move, which has a choice.
            played: index of the action to measure.
            effort: share of the iterations or of the time, from 0 to 1.
            scored: whether to play every rollout to its end to see the scores, which is many times slower.

        Raises:
            AgentError: there is no choice.
        """
        return self._analyse(view, played, effort, scored)

    def _analyse(self, view: View, played: int | None, effort: float, scored: bool) -> Analysis:
        if view.game.over or view.game.seat != view.seat or len(view.legal_actions) < 2:
            raise AgentError("there is nothing to search: the view must be that of a seat to move that has a choice")
        if self._rules is not view.game.rules:
            self.reset(view.seat, view.game.rules, 0)
        tree = self._tree
        self._last = None
        tree.settings["scored"] = scored
        try:
            self._search(view, effort)
            ranked = self._by_visits(ROOT)
            if played is not None:
                self._measure(view, played)
        finally:
            tree.settings["scored"] = False
        players = len(tree.values)
        lines = []
        # The visits that measure an action do not recommend it.
        for child in [*ranked, *sorted(set(children_of(tree, ROOT)) - set(ranked))]:
            node = tree.nodes[child]
            values = node["values"] / node["visits"]
            chances = tuple(float((value * (players - 1) + 1) / players) for value in values)
            lines.append(
                Line(
                    action=view.game.rules.action_texts[node["action"]],
                    visits=int(node["visits"]),
                    chance=chances[view.seat],
                    score=float(node["scores"][view.seat] / node["visits"]) if scored else math.nan,
                    best=tuple(self._best_line(child)),
                    chances=chances,
                )
            )
        return Analysis(view.seat, int(tree.nodes["visits"][ROOT]), tuple(lines))

    def _by_visits(self, node: int) -> list[int]:
        visits = self._tree.nodes["visits"]
        return sorted(children_of(self._tree, node), key=lambda child: -visits[child])

    def _best_line(self, node: int) -> list[str]:
        assert self._rules is not None
        line = []
        while children := self._by_visits(node):
            node = children[0]
            line.append(self._rules.action_texts[self._tree.nodes["action"][node]])
        return line

    def _measure(self, view: View, action: int) -> None:
        """Visit an action until it has `MEASURED` of the visits that the search made, or the tree is full."""
        nodes = self._tree.nodes
        wanted = math.ceil(MEASURED * nodes["visits"][ROOT])
        while True:
            child = next((child for child in children_of(self._tree, ROOT) if nodes["action"][child] == action), None)
            visits = 0 if child is None else int(nodes["visits"][child])
            before = int(nodes["visits"][ROOT])
            if visits >= wanted:
                return
            with self._steered(view.seat, child):
                # The search tries an action without a node at random among all of these.
                self._grow(view.game.states, 1 if child is None else wanted - visits)
            if nodes["visits"][ROOT] == before:
                return

    @contextmanager
    def _steered(self, seat: int, child: int | None) -> Iterator[None]:
        """Let the root choose only one of its children; for None, only actions without a node."""
        values, visits = self._tree.nodes["values"], self._tree.nodes["visits"]
        others = [other for other in children_of(self._tree, ROOT) if other != child]
        kept = values[others]
        values[others, seat] -= FAR * visits[others]
        values[ROOT, seat] = FAR * visits[ROOT] * (1 if child is None else -1)
        try:
            yield
        finally:
            values[others] = kept
            values[ROOT] = values[children_of(self._tree, ROOT)].sum(axis=0)

    def _search(self, view: View, effort: float = 1.0) -> None:
        """Grow the tree of the position, with a share of the iterations or of the time."""
        check_asked(self.name, self._rules is not None, view)
        begun = time.perf_counter()
        if view.seat != self._seat:
            self._seat, self._last = view.seat, None
        if not self._keep(view.game):
            clear(self._tree)
        if self.options.ms:
            self._search_until(view, begun, effort * self.options.ms / 1000)
            return
        iterations = math.ceil(effort * self.options.iterations)
        piece = max(1, iterations // PIECES)
        while (left := self._left(iterations)) > 0:
            self._grow(view.game.states, min(piece, left))
        if not self._looked:
            self._grow(view.game.states, 1)

    @property
    def _looked(self) -> bool:
        """Whether the root has an action, as it has after two iterations; the first may only look at the root."""
        root = self._tree.nodes[ROOT]
        return bool(root["first_child"] != NO_NODE or root["visits"] > 1)

    def _search_until(self, view: View, begun: float, seconds: float) -> None:
        """Grow the tree for `seconds` seconds from `begun`, at least until an action is known, or until it is full."""
        piece, now = 1, begun
        while now - begun < seconds or not self._looked:
            if self._full():
                return
            self._grow(view.game.states, piece)
            # Long enough that reading the clock costs nothing, short enough that the last piece ends in time.
            last, now = now, time.perf_counter()
            if now - last < seconds / PIECES:
                piece *= 2
            elif piece > 1:
                piece //= 2

    def _grow(self, states: Records, iterations: int) -> None:
        """Run `iterations` search iterations from the game in `states`."""
        assert self._rules is not None
        self._rules.search(states, 0, self._seat, iterations, self._tree)

    def _full(self) -> bool:
        """Return whether further iterations are useless; here they still improve the figures of a full tree."""
        return False

    def _left(self, iterations: int) -> int:
        """Return how many of the iterations are left; 0 if the second best action can no longer become the first."""
        visits = self._tree.nodes["visits"]
        left = iterations - int(visits[ROOT])
        best = [int(visits[child]) for child in self._by_visits(ROOT)[:2]]
        return left if len(best) < 2 or best[0] - best[1] <= left else 0

    def _keep(self, game: Game) -> bool:
        """Keep the subtree below the last action if it led here and revealed nothing to the seat.

        The action revealed nothing if it leads to the same position for all sampled deals of the hidden cards. Rare
        cards may be missing from the sample; the search, which has seen more deals, may then know actions that are not
        legal here.
        """
        last, self._last = self._last, None
        if last is None:
            return False
        before, action = last
        now = game.redeal(self._seat, 0)
        if any(self._after(before.redeal(self._seat, deal), action) != now for deal in range(DEALS)):
            return False
        for child in children_of(self._tree, ROOT):
            if self._tree.nodes["action"][child] == action:
                known = self._tree.nodes["action"][list(children_of(self._tree, child))]
                if not game.action_mask[known].all():
                    return False
                self._keep_below(child)
                return True
        return False

    def _keep_below(self, node: int) -> None:
        """Keep the subtree below a node."""
        keep_subtree(self._tree, node)

    def _after(self, game: Game, action: int) -> Game | None:
        """Return the seat's view after an action and all forced ones; None if the seat is not to move then.

        Re-dealing with the same seed makes positions that look alike to the seat equal byte by byte.
        """
        game.play(action)
        while not game.over and len(game.legal_actions) == 1:
            game.play(int(game.legal_actions[0]))
        return None if game.over or game.seat != self._seat else game.redeal(self._seat, 0)
