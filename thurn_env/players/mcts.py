"""`mcts:1000`: search over information sets by playing on from many deals of the hidden cards.

The search itself is a kernel, see `thurn_env.engine.search_rules`. This is its face: it sets the search up, keeps the
tree while nothing new is seen, stops as soon as the choice is settled, and says what was found.
"""

from __future__ import annotations

import time

from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import new_records
from thurn_env.engine.trees import ROOT, Tree, children_of, clear, keep_subtree, new_tree
from thurn_env.errors import AgentError
from thurn_env.games.contract import RecordedChance, Records
from thurn_env.players.analysis import Analysis, Line
from thurn_env.players.evaluation import evaluation_of
from thurn_env.players.search_options import Budget, SearchOptions
from thurn_env.table.game import Game, View

__all__ = ["MCTS"]

PIECES = 16
"""In how many pieces the iterations, or the time, are taken; between them the search may stop."""
DEALS = 4
"""Deals in which an action is played to find out whether it shows anything."""
TIMED_NODES = 1 << 20
"""Nodes of a tree that grows as long as the time allows."""


class MCTS:
    """An agent that searches.

    Args:
        argument: what follows the colon of its spec, see `SearchOptions`.

    Raises:
        AgentError: an unknown option or a wrong value.
    """

    def __init__(self, argument: str = "1000") -> None:
        self.options: Budget = SearchOptions.parse(argument)
        self.name = f"mcts:{argument}"
        self._rules: RecordedChance | None = None

    def reset(self, seat: int, rules: RecordedChance, seed: int) -> None:
        """A new game: an empty tree, and all randomness from the seed."""
        if rules is not self._rules:
            self._tree = self._new_tree(rules)
            self._rules = rules
            # Loads the kernel, or compiles it, before the time of a decision is running.
            game = Game.from_rules(rules, 0)
            self._seat = game.seat
            self._grow(game.states, 1)
            clear(self._tree)
        self._tree.generator[:] = seeded(seed)
        self._seat = seat
        self._last: tuple[Game, int] | None = None

    def _new_tree(self, rules: RecordedChance) -> Tree:
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
        # Half a game says nothing of its end: without an evaluation of positions rollouts go to the end.
        whole = options.cut is None or (options.evaluation == "auto" and not len(weights))
        tree.settings["exploration"] = options.c
        tree.settings["prior"] = options.prior
        tree.settings["urgency"] = options.urgency
        tree.settings["margin"] = options.margin
        tree.settings["cut_off"] = -1 if whole else options.cut
        tree.settings["rollout"] = rules.bots.index(options.rollout)
        tree.settings["others_in_tree"] = options.opponents == "tree"
        return tree

    def act(self, view: View) -> int:
        """The action that was followed most."""
        self._search(view)
        tree = self._tree
        best = max(
            children_of(tree, ROOT), key=lambda child: (tree.nodes["visits"][child], -tree.nodes["action"][child])
        )
        action = int(tree.nodes["action"][best])
        self._last = view.game, action
        return action

    def analyse(self, view: View) -> Analysis:
        """Search a position and say what was found; `view` must be that of the seat to move, with a choice.

        The search begins anew, and plays every game to its end to see the scores, which takes longer than `act`.

        Raises:
            AgentError: there is nothing to choose.
        """
        if view.game.over or view.game.seat != view.seat or len(view.legal_actions) < 2:
            raise AgentError("there is nothing to search: the view must be that of a seat to move that has a choice")
        if self._rules is not view.game.rules:
            self.reset(view.seat, view.game.rules, 0)
        tree = self._tree
        self._last = None
        tree.settings["scored"] = True
        try:
            self._search(view)
        finally:
            tree.settings["scored"] = False
        players = len(tree.values)
        lines = []
        for child in self._by_visits(ROOT):
            node = tree.nodes[child]
            value = node["values"][view.seat] / node["visits"]
            lines.append(
                Line(
                    action=view.game.rules.action_texts[node["action"]],
                    visits=int(node["visits"]),
                    chance=float((value * (players - 1) + 1) / players),
                    score=float(node["scores"][view.seat] / node["visits"]),
                    best=tuple(self._best_line(child)),
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

    def _search(self, view: View) -> None:
        """Grow the tree of the position."""
        begun = time.perf_counter()
        if view.seat != self._seat:
            self._seat, self._last = view.seat, None
        if not self._keep(view.game):
            clear(self._tree)
        if self.options.ms:
            self._search_until(view, begun, self.options.ms / 1000)
            return
        piece = max(1, self.options.iterations // PIECES)
        while (left := self._left()) > 0:
            self._grow(view.game.states, min(piece, left))

    def _search_until(self, view: View, begun: float, seconds: float) -> None:
        """Grow the tree until so many seconds have passed, at least by one iteration, or until it is full."""
        piece, now = 1, begun
        while now - begun < seconds or not self._tree.nodes["visits"][ROOT]:
            if self._full():
                return
            self._grow(view.game.states, piece)
            # Long enough that looking at the clock costs nothing, short enough that the last piece ends in time.
            last, now = now, time.perf_counter()
            if now - last < seconds / PIECES:
                piece *= 2
            elif piece > 1:
                piece //= 2

    def _grow(self, states: Records, iterations: int) -> None:
        """Search some iterations on from a game."""
        assert self._rules is not None
        self._rules.search(states, 0, self._seat, iterations, self._tree)

    def _full(self) -> bool:
        """Whether the tree takes no more iterations; here a full one gets better figures still."""
        return False

    def _left(self) -> int:
        """How many more iterations are to be done; none if the second best cannot come first any more."""
        visits = self._tree.nodes["visits"]
        left = self.options.iterations - int(visits[ROOT])
        best = [int(visits[child]) for child in self._by_visits(ROOT)[:2]]
        return left if len(best) < 2 or best[0] - best[1] <= left else 0

    def _keep(self, game: Game) -> bool:
        """Keep the part of the tree below the last action if it led here and showed nothing new to the seat.

        It showed nothing if it leads here however the hidden cards lie.
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
                self._keep_below(child)
                return True
        return False

    def _keep_below(self, node: int) -> None:
        """Keep the part of the tree below a node."""
        keep_subtree(self._tree, node)

    def _after(self, game: Game, action: int) -> Game | None:
        """The game after an action and all forced ones, as the seat sees it; None if another seat is to choose.

        Two games that look alike to the seat are the same, byte by byte, when they are dealt anew alike.
        """
        game.play(action)
        while not game.over and len(game.legal_actions) == 1:
            game.play(int(game.legal_actions[0]))
        return None if game.over or game.seat != self._seat else game.redeal(self._seat, 0)
