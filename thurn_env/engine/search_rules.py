"""Monte Carlo tree search over information sets, written once for all games; a game passes its rules.

Single-observer information-set search (Cowling, Powley and Whitehouse, 2012). The tree is that of the searching seat.
Every iteration re-deals everything that the seat cannot know, walks down the tree along moves that are legal in that
deal, adds one node, runs a rollout with a scripted bot, and adds the result to all nodes on the path. Moves are chosen
by value plus a bonus that grows with their prior (as in AlphaZero: here the scripted bot's choice has about one half,
and all others share the rest) and with how often they were available, not with how often their parent was visited.

Forced decisions have no node. Results are vectors with a value for every seat; each mover chooses by its own.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int16Array, RulesRecord, State, States, int64, rule
from thurn_env.engine.returns import MARGIN, WIN
from thurn_env.engine.trees import NO_CUT_OFF, NO_NODE, ROOT, Tree, action_of_new, add_node, is_new, new_node_for


class SearchGame(NamedTuple):
    """Compiled functions that a game passes.

    Attributes:
        list_actions: writes the legal actions and returns their number; 0 when the game is over.
        play: plays a legal action.
        list_fast: `list_actions` compiled into rollouts, where most of the time is spent.
        play_fast: `play`, likewise.
        redeal: replaces everything that a seat cannot know by a random deal.
        choose: returns the action of a scripted bot among the listed ones.
        final_reward: returns a seat's return for the current state, by reward mode.
        score: returns a seat's current score.
        observe: writes a seat's observation.
    """

    list_actions: Callable[..., Any]
    play: Callable[..., Any]
    list_fast: Callable[..., Any]
    play_fast: Callable[..., Any]
    redeal: Callable[..., Any]
    choose: Callable[..., Any]
    final_reward: Callable[..., Any]
    score: Callable[..., Any]
    observe: Callable[..., Any]


def search_of(game: SearchGame) -> Callable[..., None]:
    """Return the function `search` for this game, described inside."""

    @rule
    def choose_child(tree: Tree, node: int, seat: int, actions: Int16Array, size: int) -> int:
        """Choose an action: return the child's number, or `new_node_for` an action without a node.

        It has the highest value plus bonus. The bonus grows with the prior of the action and falls with how often it
        was tried when it was available. An action without a node has the value of its parent minus `urgency`.
        """
        settings = tree.settings[0]
        child = int64(tree.nodes[node].first_child)
        while child != NO_NODE:
            tree.children[tree.nodes[child].action] = child
            child = int64(tree.nodes[child].next_sibling)
        share = (1.0 - settings.prior) / max(1, size - 1)
        here = tree.nodes[node]
        untried = here.values[seat] / here.visits - settings.urgency
        untried += settings.exploration * share * np.sqrt(here.visits)
        found = -1
        highest = -np.inf
        ties = 0
        for position in range(size):
            action = int64(actions[position])
            child = int64(tree.children[action])
            if child == NO_NODE:
                if untried > highest:
                    highest = untried
                    ties = 0
                if untried == highest:
                    ties += 1
                    if below(tree.generator, ties) == 0:
                        found = new_node_for(action)
                continue
            below_it = tree.nodes[child]
            below_it.available += 1
            bound = below_it.values[seat] / below_it.visits
            chance = settings.prior if below_it.favoured else share
            bound += settings.exploration * chance * np.sqrt(below_it.available) / (1 + below_it.visits)
            if bound > highest:
                highest = bound
                found = child
        child = int64(tree.nodes[node].first_child)
        while child != NO_NODE:
            tree.children[tree.nodes[child].action] = NO_NODE
            child = int64(tree.nodes[child].next_sibling)
        return found

    @rule
    def descend(state: State, rules: RulesRecord, seat: int, tree: Tree, actions: Int16Array) -> int:
        """Walk down the tree, playing along, and add a node; return its number."""
        node = ROOT
        settings = tree.settings[0]
        while True:
            size = game.list_actions(state, rules, actions)
            if size == 0:
                return node
            if size == 1:
                game.play(state, rules, int64(actions[0]))
            elif state.seat != seat and not settings.others_in_tree:
                game.play(
                    state, rules, game.choose(state, rules, int64(settings.rollout), tree.generator, actions, size)
                )
            else:
                favoured = tree.nodes[node].first_child == NO_NODE
                if favoured:
                    bot = int64(settings.rollout)
                    chosen = new_node_for(int64(game.choose(state, rules, bot, tree.generator, actions, size)))
                else:
                    chosen = choose_child(tree, node, int64(state.seat), actions, size)
                if is_new(chosen):
                    game.play(state, rules, action_of_new(chosen))
                    if tree.used[0] == tree.nodes.shape[0]:
                        return node
                    return add_node(tree, node, action_of_new(chosen), favoured)
                game.play(state, rules, int64(tree.nodes[chosen].action))
                node = chosen

    @rule
    def roll_out(state: State, rules: RulesRecord, tree: Tree, actions: Int16Array, cut_off: int) -> bool:
        """Let the bot play `cut_off` decisions, then to the end of the turn; return whether the game ended."""
        bot = int64(tree.settings[0].rollout)
        decisions = 0
        mover = int64(state.seat)
        size = game.list_fast(state, rules, actions)
        while size > 0:
            if state.seat != mover:
                if cut_off != NO_CUT_OFF and decisions >= cut_off:
                    return False
                mover = int64(state.seat)
            action = int64(actions[0])
            if size > 1:
                decisions += 1
                action = game.choose(state, rules, bot, tree.generator, actions, size)
            game.play_fast(state, rules, action)
            size = game.list_fast(state, rules, actions)
        return True

    @rule
    def evaluate(state: State, rules: RulesRecord, tree: Tree, seat: int) -> float:
        """Return the logit of a seat's winning probability, by the evaluation weights and its observation."""
        game.observe(state, rules, seat, tree.row, tree.observation)
        size = tree.observation.shape[0]
        logit = np.float32(0.0)
        for position in range(size):
            logit += tree.weights[position] * tree.observation[position]
        return float(logit + tree.weights[size])

    @rule
    def write_values(state: State, rules: RulesRecord, tree: Tree, finished: bool) -> None:
        """Write the value of the game for every seat: winning, and to a small extent the margin.

        Values are on the scale of the win reward, from -1 / (players - 1) to 1. The value of an unfinished game is the
        expected win reward under the seats' winning probabilities.
        """
        players = tree.values.shape[0]
        total = 0.0
        for seat in range(players):
            if finished or tree.weights.shape[0] == 0:
                break
            tree.values[seat] = 1.0 / (1.0 + np.exp(-evaluate(state, rules, tree, seat)))
            total += tree.values[seat]
        margin = tree.settings[0].margin
        for seat in range(players):
            ahead = max(-1.0, min(1.0, game.final_reward(state, rules, seat, MARGIN)))
            by_margin = ((ahead + 1.0) / 2.0 * players - 1.0) / (players - 1)
            if finished:
                value = (1.0 - margin) * game.final_reward(state, rules, seat, WIN) + margin * by_margin
            elif total > 0.0:
                value = (tree.values[seat] / total * players - 1.0) / (players - 1)
            else:
                value = by_margin
            tree.values[seat] = value

    @rule
    def add_result(tree: Tree, node: int) -> None:
        """Add the result of an iteration to the node and its ancestors."""
        number = int64(node)
        while number != NO_NODE:
            for player in range(tree.values.shape[0]):
                tree.nodes[number].values[player] += tree.values[player]
            tree.nodes[number].visits += 1
            number = int64(tree.nodes[number].parent)

    @rule
    def add_scores(state: State, rules: RulesRecord, tree: Tree, node: int) -> None:
        """Add the scores of a finished game to the node and its ancestors."""
        for player in range(tree.values.shape[0]):
            points = float(game.score(state, rules, player))
            number = int64(node)
            while number != NO_NODE:
                tree.nodes[number].scores[player] += points
                number = int64(tree.nodes[number].parent)

    @rule
    def search(
        states: States, index: int, rules: RulesRecord, seat: int, iterations: int, tree: Tree, actions: Int16Array
    ) -> None:
        """Run `iterations` iterations from game `index` of `states` as `seat` sees it."""
        for _ in range(iterations):
            tree.scratch[0] = states[index]
            state = tree.scratch[0]
            game.redeal(state, rules, seat, tree.generator)
            node = descend(state, rules, seat, tree, actions)
            finished = roll_out(state, rules, tree, actions, int64(tree.settings[0].cut_off))
            write_values(state, rules, tree, finished)
            add_result(tree, node)
            if tree.settings[0].scored:
                roll_out(state, rules, tree, actions, NO_CUT_OFF)
                add_scores(state, rules, tree, node)

    return search
