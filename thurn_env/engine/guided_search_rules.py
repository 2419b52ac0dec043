"""Tree search guided by a policy network, written once for all games; a game passes its rules.

The tree and the deals are those of `search_rules`, but there are no rollouts: at a new position of the searching seat,
a forward pass gives the priors of the moves and the value of the position, as in AlphaZero (Silver and others, 2017).
The other seats sample from the same network, given what they would know in the current deal, or play as a scripted bot.
Games are played to their end only if scores are wanted.
"""

from collections.abc import Callable

import numpy as np

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Float32Array, Int16Array, RulesRecord, State, States, int64, rule
from thurn_env.engine.network_rules import Network, forward
from thurn_env.engine.returns import WIN
from thurn_env.engine.search_rules import SearchGame
from thurn_env.engine.trees import NO_NODE, ROOT, Tree, action_of_new, add_node, is_new, new_node_for

BY_NETWORK = -1
"""In place of a bot's number: the other seats play by the network."""
LEAST, MOST = np.float32(-50.0), np.float32(10.0)
"""Bounds of a logit relative to the highest legal one. In another deal all legal actions may be far below it, and their
priors must not all be 0.
"""
FINEST = 1 << 30
"""Resolution of a random number in the range from 0 to 1."""


@rule
def write_probabilities(
    network: Network, probabilities: Float32Array, actions: Int16Array, size: int, temperature: float
) -> None:
    """Write the unnormalised probability of every action from the logits divided by a temperature.

    Actions that are not legal now are included: other deals make other actions legal in the same node.
    """
    highest = np.float32(-np.inf)
    for position in range(size):
        highest = max(highest, network.logits[actions[position]])
    for action in range(probabilities.shape[0]):
        relative = (network.logits[action] - highest) / np.float32(temperature)
        probabilities[action] = np.exp(min(max(relative, LEAST), MOST))


def guided_search_of(game: SearchGame) -> Callable[..., None]:
    """Return the function `guided_search` for this game, described inside."""

    @rule
    def predict(state: State, rules: RulesRecord, seat: int, tree: Tree, network: Network) -> float:
        """Run a forward pass on the game as a seat sees it; return the value."""
        game.observe(state, rules, seat, tree.row, tree.observation)
        return forward(network, tree.observation)

    @rule
    def sample(state: State, rules: RulesRecord, tree: Tree, network: Network, actions: Int16Array, size: int) -> int:
        """Sample the mover's action from the network."""
        predict(state, rules, int64(state.seat), tree, network)
        probabilities = network.probabilities
        write_probabilities(network, probabilities, actions, size, 1.0)
        total = 0.0
        for position in range(size):
            total += probabilities[actions[position]]
        mark = below(tree.generator, FINEST) / FINEST * total
        for position in range(size):
            mark -= probabilities[actions[position]]
            if mark < 0.0:
                return int64(actions[position])
        return int64(actions[size - 1])

    @rule
    def follow(
        state: State, rules: RulesRecord, seat: int, tree: Tree, network: Network, actions: Int16Array, size: int
    ) -> int:
        """Choose the move where the tree has none: by the network, or by the bot if another seat is to move."""
        bot = int64(tree.settings[0].rollout)
        if state.seat == seat or bot == BY_NETWORK:
            return sample(state, rules, tree, network, actions, size)
        return int64(game.choose(state, rules, bot, tree.generator, actions, size))

    @rule
    def choose_child(tree: Tree, network: Network, node: int, seat: int, actions: Int16Array, size: int) -> int:
        """Choose an action by PUCT: return the child's number, or `new_node_for` an action without a node."""
        settings = tree.settings[0]
        child = int64(tree.nodes[node].first_child)
        while child != NO_NODE:
            tree.children[tree.nodes[child].action] = child
            child = int64(tree.nodes[child].next_sibling)
        priors = network.priors[node]
        total = 0.0
        for position in range(size):
            total += priors[actions[position]]
        here = tree.nodes[node]
        usual = here.values[seat] / max(1, here.visits) - settings.urgency
        found = -1
        highest = -np.inf
        for position in range(size):
            action = int64(actions[position])
            child = int64(tree.children[action])
            weight = settings.exploration * priors[action] / total
            if child == NO_NODE:
                bound = usual + weight * np.sqrt(here.visits)
                if bound > highest:
                    highest = bound
                    found = new_node_for(action)
                continue
            below_it = tree.nodes[child]
            below_it.available += 1
            bound = usual if below_it.visits == 0 else below_it.values[seat] / below_it.visits
            bound += weight * np.sqrt(below_it.available) / (1 + below_it.visits)
            if bound > highest:
                highest = bound
                found = child
        child = int64(tree.nodes[node].first_child)
        while child != NO_NODE:
            tree.children[tree.nodes[child].action] = NO_NODE
            child = int64(tree.nodes[child].next_sibling)
        return found

    @rule
    def descend(state: State, rules: RulesRecord, seat: int, tree: Tree, network: Network, actions: Int16Array) -> int:
        """Walk down to a new position of the seat, or to the end of the game; return its node.

        Writes the value for every seat to `tree.values`.
        """
        node = ROOT
        players = tree.values.shape[0]
        while True:
            size = game.list_actions(state, rules, actions)
            if size == 0:
                for player in range(players):
                    tree.values[player] = game.final_reward(state, rules, player, WIN)
                return node
            if size == 1:
                game.play(state, rules, int64(actions[0]))
            elif state.seat != seat:
                game.play(state, rules, follow(state, rules, seat, tree, network, actions, size))
            elif tree.nodes[node].favoured == 0:
                # `favoured` says here whether the node has had a forward pass.
                value = predict(state, rules, seat, tree, network)
                # Training makes policies too sure for priors: what they hardly consider would never be searched.
                temperature = tree.settings[0].temperature
                write_probabilities(network, network.priors[node], actions, size, temperature)
                tree.nodes[node].favoured = 1
                tree.values[:] = -value / (players - 1)
                tree.values[seat] = value
                return node
            else:
                chosen = choose_child(tree, network, node, seat, actions, size)
                if is_new(chosen):
                    game.play(state, rules, action_of_new(chosen))
                    node = add_node(tree, node, action_of_new(chosen), False)
                else:
                    game.play(state, rules, int64(tree.nodes[chosen].action))
                    node = chosen

    @rule
    def play_on(state: State, rules: RulesRecord, seat: int, tree: Tree, network: Network, actions: Int16Array) -> None:
        """Play the game to its end."""
        size = game.list_actions(state, rules, actions)
        while size > 0:
            action = int64(actions[0])
            if size > 1:
                action = follow(state, rules, seat, tree, network, actions, size)
            game.play(state, rules, action)
            size = game.list_actions(state, rules, actions)

    @rule
    def guided_search(
        states: States,
        index: int,
        rules: RulesRecord,
        seat: int,
        iterations: int,
        tree: Tree,
        network: Network,
        actions: Int16Array,
    ) -> None:
        """Run `iterations` iterations from game `index` of `states` as `seat` sees it; each adds at most one node."""
        for _ in range(iterations):
            tree.scratch[0] = states[index]
            state = tree.scratch[0]
            game.redeal(state, rules, seat, tree.generator)
            node = descend(state, rules, seat, tree, network, actions)
            scored = tree.settings[0].scored
            if scored:
                play_on(state, rules, seat, tree, network, actions)
            number = int64(node)
            while number != NO_NODE:
                for player in range(tree.values.shape[0]):
                    tree.nodes[number].values[player] += tree.values[player]
                    if scored:
                        tree.nodes[number].scores[player] += float(game.score(state, rules, player))
                tree.nodes[number].visits += 1
                number = int64(tree.nodes[number].parent)

    return guided_search
