"""Stages of compilation: kernels that are needed at the same time, and calls that compile all of them."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.lane_rules import first_illegal
from thurn_env.engine.lanes import GO_ON, Lanes, new_memory
from thurn_env.engine.network_rules import NO_CITIES, Network
from thurn_env.engine.sharing import alone
from thurn_env.engine.trees import new_tree
from thurn_env.games.contract import GameRules

NO_LANES = np.empty(0, np.int64)


class Stage(NamedTuple):
    """Kernels that are compiled together.

    Attributes:
        title: what they are for.
        seconds: estimated compile time on one core if the same process has compiled the earlier stages.
        compile: calls every one of them once.
    """

    title: str
    seconds: int
    compile: Callable[[GameRules], None]


def call_game(rules: GameRules) -> None:
    """Call every kernel for single games once."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)
    mask, observation = rules.legal_mask(states, 0), np.zeros(rules.observation_size, np.float32)
    rules.step(states, 0, -1, True, mask, observation)
    rules.play(states, 0, int(mask.argmax()))
    rules.observe(states, 0, 0, observation)
    rules.redeal(states, 0, 0, seeded(0))
    rules.scores(states, 0)
    rules.rewards(states, 0, 0)
    rules.potentials(states, 0)
    rules.deal_recorded(states, 0, 0, -1)
    rules.play_recorded(states, 0, int(rules.legal_mask(states, 0).argmax()))


def call_bots(rules: GameRules) -> None:
    """Let a bot choose an action."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)
    rules.bot_action(states, 0, 0, seeded(0))


def call_bot_games(rules: GameRules) -> None:
    """Let bots play a game."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)
    bots, generators = np.zeros(rules.players, np.int8), np.zeros((rules.players, 1), np.uint64)
    rules.play_bots(states, 0, bots, generators, rules.no_chance())


def call_lanes(dtype: Any, bots: bool) -> Callable[[GameRules], None]:
    """Return a function that steps zero lanes whose observations have this dtype."""

    def call(rules: GameRules) -> None:
        memory, settings = new_memory(1, rules.players)
        lanes = Lanes(
            states=rules.new_states(1),
            final_states=rules.new_states(1),
            memory=memory,
            settings=settings,
            observations=np.zeros((1, rules.observation_size), dtype or rules.count_dtype),
            masks=np.zeros((1, rules.action_size), np.int8),
            rewards=np.zeros((1, rules.players)),
            terminated=np.zeros(1, np.bool_),
            truncated=np.zeros(1, np.bool_),
            seats=np.zeros(1, np.int8),
            statistics=np.zeros((1, rules.players, len(rules.statistics)), np.int32),
        )
        first_illegal(NO_LANES, NO_LANES, lanes.masks)
        rules.step_lanes(lanes, GO_ON, NO_LANES, NO_LANES, bots, alone(1))
        rules.observe_lanes(lanes.states, NO_LANES, NO_LANES, lanes.observations.dtype)

    return call


def call_search(rules: GameRules) -> None:
    """Search with zero iterations."""
    rules.search(rules.new_states(1), 0, 0, 0, _tree(rules))


def call_guided_search(rules: GameRules) -> None:
    """Search with zero iterations, guided by a network without layers."""
    # Copies: read-only arrays are another type to a kernel.
    cities = NO_CITIES._replace(**{name: array.copy() for name, array in NO_CITIES._asdict().items()})
    empty = np.zeros(0, np.float32)
    network = Network(
        cities=cities,
        weights=empty,
        sizes=np.zeros(2, np.int64),
        city_hidden=np.zeros((3, 0, 0), np.float32),
        dense_input=empty,
        hidden=np.zeros((1, 1), np.float32),
        logits=empty,
        probabilities=empty,
        priors=np.zeros((1, rules.action_size), np.float32),
    )
    rules.guided_search(rules.new_states(1), 0, 0, 0, _tree(rules), network)


def _tree(rules: GameRules) -> Any:
    return new_tree(
        players=rules.players,
        actions=rules.action_size,
        observation=rules.observation_size,
        nodes=1,
        scratch=rules.new_states(1),
        weights=np.zeros(0, np.float32),
        generator=seeded(0),
    )


def call_weighted(rules: GameRules) -> None:
    """Let bots with weights play a game."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)
    rules.play_weighted(states, 0, [rules.heuristic_weights()] * rules.players)


def call_benchmark(rules: GameRules) -> None:
    """Play zero decisions."""
    for loop in rules.benchmark_loops(rules.new_states(1)).values():
        loop(0)


STAGES = MappingProxyType(
    {
        "game": Stage("single games", 9, call_game),
        "bots": Stage("scripted bots", 9, call_bots),
        "bot-games": Stage("whole games of scripted bots", 4, call_bot_games),
        "batch": Stage("many games at once", 4, call_lanes(np.float32, False)),
        "batch-with-bots": Stage("many games at once with bots", 5, call_lanes(np.float32, True)),
        "search": Stage("search", 4, call_search),
        "guided-search": Stage("search with a policy", 6, call_guided_search),
        "counts": Stage("many games at once in whole numbers", 4, call_lanes(None, False)),
        "counts-with-bots": Stage("many games at once in whole numbers with bots", 5, call_lanes(None, True)),
        "weights": Stage("bots with weights of their own", 9, call_weighted),
        "benchmark": Stage("the benchmark's loops", 12, call_benchmark),
    }
)
"""All stages by name, in the order in which `thurn warm` compiles them."""
PLAYED = ("game", "bots", "bot-games", "batch", "batch-with-bots", "search", "guided-search")
"""Stages that playing, watching and training need; the others are compiled on demand."""
