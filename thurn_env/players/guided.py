"""`ppo+mcts:PATH,200`: search guided by a learned policy.

The search is a kernel, see `thurn_env.engine.guided_search_rules`; everything else is shared with `mcts`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.guided_search_rules import BY_NETWORK
from thurn_env.engine.kernels import new_records
from thurn_env.engine.network_rules import NO_CITIES, Network
from thurn_env.engine.trees import ROOT, Tree, children_of, clear, keep_subtree, new_tree
from thurn_env.engine.way_rules import new_way_plan, no_ways
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float64Array, GameRules, Int64Array, Records
from thurn_env.players.mcts import MCTS, MEASURED
from thurn_env.players.policy import Policy, policy_for
from thurn_env.players.priors import prior_temperature
from thurn_env.players.scorers import for_kernels
from thurn_env.players.search_options import REWARDS_FOR_SEARCH, GuidedOptions
from thurn_env.players.ways import copied

__all__ = ["Found", "GuidedSearch"]

TIMED_NODES = 1 << 15
"""Largest number of nodes of a tree with a time budget; every node stores a prior per action."""


def searchable(policy: Policy) -> bool:
    """Return whether the values of a policy are on the scale of the tree.

    With a shaped reward, they are the reward still to come, without what the margin has paid so far.
    """
    return reward_of(policy) in REWARDS_FOR_SEARCH and not shaping_of(policy)


def reward_of(policy: Policy) -> str:
    """Return the reward that a policy was trained for."""
    reward: str = policy.made.get("config", {}).get("reward", "win")
    return reward


def shaping_of(policy: Policy) -> float:
    """Return the weight of the shaping of the reward that a policy was trained for."""
    shaping: float = policy.made.get("config", {}).get("shaping", 0.0)
    return shaping


def network_of(policy: Policy, nodes: int) -> Network:
    """Return a policy in the form that the kernel takes, with room for `nodes` nodes."""
    layers = [*policy.trunk, policy.actions]
    sizes = [layers[0].weight.shape[0], *(layer.weight.shape[1] for layer in layers)]
    parts = [part.ravel() for layer in (*layers, policy.value) for part in layer]
    actions = sizes[-1]
    cities = copied(policy.cities or NO_CITIES)
    return Network(
        cities=cities,
        ways=copied(policy.ways or no_ways()),
        scores=for_kernels(policy.scorers),
        weights=np.ascontiguousarray(np.concatenate(parts), np.float32),
        sizes=np.array(sizes, np.int64),
        city_hidden=np.zeros((3, *cities.names.shape), np.float32),
        way_plans=new_way_plan(),
        dense_input=np.zeros(sizes[0] + cities.names.size, np.float32),
        hidden=np.zeros((max(1, len(policy.trunk)), max([1, *sizes[1:-1]])), np.float32),
        logits=np.zeros(actions, np.float32),
        probabilities=np.zeros(actions, np.float32),
        priors=np.zeros((nodes, actions), np.float32),
    )


class Found(NamedTuple):
    """What a search found out about the actions of one position.

    Attributes:
        visits: how often each action was tried, int64 (A,).
        values: mean result of each action for the seat to move, from -1 to 1; 0 without visits. float64 (A,).
        value: mean result of all iterations.
    """

    visits: Int64Array
    values: Float64Array
    value: float


class GuidedSearch(MCTS):
    """An agent that searches with a policy's priors and values.

    Args:
        argument: part of the spec after the colon: the policy as for `ppo:`, then the number of iterations and other
            options, see `GuidedOptions`.

    Attributes:
        path: path of a file or name of a published model.
        options: options of the search.
        temperature: divisor of the policy's logits, known after `reset`.

    Raises:
        AgentError: an option is unknown or its value invalid.
    """

    def __init__(self, argument: str = "") -> None:
        self.path, _, rest = argument.partition(",")
        if not self.path:
            raise AgentError("ppo+mcts needs a model: ppo+mcts:PATH,200, a file or a published model")
        self.options: GuidedOptions = GuidedOptions.parse(rest) if rest else GuidedOptions()
        self.name = f"ppo+mcts:{argument}"
        self._rules: GameRules | None = None

    def _new_tree(self, rules: GameRules) -> Tree:
        options = self.options
        if options.opponents != "policy" and options.opponents not in rules.bots:
            raise AgentError(
                f"ppo+mcts: opponents must be policy or one of {', '.join(rules.bots)}, not {options.opponents!r}"
            )
        policy = policy_for(rules, self.path)
        if not searchable(policy):
            shaped = f" with shaping {shaping_of(policy):g}" if shaping_of(policy) else ""
            raise AgentError(
                f"ppo+mcts: {self.path} was trained for the reward {reward_of(policy)!r}{shaped}, so its values are "
                f"not win probabilities; ppo:{self.path} plays it without search"
            )
        # A kept subtree has fewer nodes than visits. An action to measure may be the last one that gets a node.
        most = math.ceil((1 + MEASURED) * options.iterations) + rules.action_size + 2
        nodes = most if options.iterations else TIMED_NODES
        self._network = network_of(policy, nodes)
        tree = new_tree(
            players=rules.players,
            actions=rules.action_size,
            observation=rules.observation_size,
            nodes=nodes,
            scratch=new_records(1, rules.state_dtype),
            weights=np.zeros(0, np.float32),
            generator=seeded(0),
        )
        tree.settings["exploration"] = options.c
        tree.settings["urgency"] = options.urgency
        self.temperature = options.temperature or prior_temperature(policy, rules)
        tree.settings["temperature"] = self.temperature
        tree.settings["rollout"] = BY_NETWORK if options.opponents == "policy" else rules.bots.index(options.opponents)
        return tree

    def search(self, states: Records, index: int, seat: int, seed: int) -> Found:
        """Search one of many games from an empty tree, with all iterations; `reset` comes first.

        Args:
            states: the games, which are only read.
            index: number of the game, which must not be over.
            seat: the seat to move.
            seed: seed of the search.
        """
        assert self._rules is not None
        tree = self._tree
        clear(tree)
        tree.generator[:] = seeded(seed)
        self._last = None
        self._rules.guided_search(states, index, seat, self.options.iterations, tree, self._network)
        visits, values = np.zeros(self._rules.action_size, np.int64), np.zeros(self._rules.action_size)
        for node in tree.nodes[list(children_of(tree, ROOT))]:
            visits[node["action"]] = node["visits"]
            values[node["action"]] = node["values"][seat] / max(1, node["visits"])
        root = tree.nodes[ROOT]
        return Found(visits, values, float(root["values"][seat] / root["visits"]))

    def _grow(self, states: Records, iterations: int) -> None:
        assert self._rules is not None
        iterations = min(iterations, len(self._tree.nodes) - int(self._tree.used[0]))
        self._rules.guided_search(states, 0, self._seat, iterations, self._tree, self._network)

    def _full(self) -> bool:
        return int(self._tree.used[0]) == len(self._tree.nodes)

    def _keep_below(self, node: int) -> None:
        kept = keep_subtree(self._tree, node)
        self._network.priors[: len(kept)] = self._network.priors[kept]
