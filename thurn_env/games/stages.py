"""Stages of compilation: kernels that are needed at the same time, and calls that compile all of them.

A process types a rule once, so a stage takes less time if the process has compiled other stages with the same rules
before. Kernels that are loaded from disk bring no typed rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.lane_rules import first_illegal
from thurn_env.engine.lanes import GO_ON, Lanes, new_memory
from thurn_env.engine.network_rules import NO_CITIES, Network, Scores
from thurn_env.engine.sharing import alone
from thurn_env.engine.trees import new_tree
from thurn_env.engine.way_rules import new_way_plan, no_ways, write_all_ways
from thurn_env.games.contract import GameRules

NO_LANES = np.empty(0, np.int64)


class Stage(NamedTuple):
    """Kernels that are compiled together.

    Attributes:
        name: name of the stage.
        title: what the kernels are for.
        alone: estimated compile time in seconds on one core, with nothing typed.
        after: the same in a process that has compiled the stages `follows`.
        follows: names of stages with the same rules.
        call: calls every kernel once.
    """

    name: str
    title: str
    alone: int
    after: int
    follows: tuple[str, ...]
    call: Callable[[GameRules], None]

    @property
    def seconds(self) -> int:
        """Estimated compile time in this process, in seconds."""
        # A stage that was compiled before is needed for another table, with other types.
        return self.alone if self.name in typed.stages else self.seconds_after(typed.stages)

    def seconds_after(self, stages: Collection[str]) -> int:
        """Return the estimated compile time in a process that has compiled these stages for the same table."""
        return self.after if all(name in stages for name in self.follows) else self.alone

    def compile(self, rules: GameRules) -> None:
        """Compile the stage."""
        self.call(rules)
        typed.add(rules, self.name)


class Typed:
    """Stages that this process has compiled for one table, the latest."""

    def __init__(self) -> None:
        self.rules: GameRules | None = None
        self.stages: set[str] = set()

    def add(self, rules: GameRules, stage: str) -> None:
        """Note that a stage has been compiled."""
        if rules is not self.rules:
            self.rules, self.stages = rules, set()
        self.stages.add(stage)


typed = Typed()
"""What this process has compiled."""


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
        ways=no_ways(),
        scores=Scores(np.zeros((0, 4), np.int64), np.zeros(0, np.int64), empty, np.zeros((3, 0), np.float32)),
        weights=empty,
        sizes=np.zeros(2, np.int64),
        city_hidden=np.zeros((3, 0, 0), np.float32),
        way_plans=new_way_plan(),
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


def call_ways(rules: GameRules) -> None:
    """Write the ways of no positions."""
    empty = np.zeros((0, 0), np.float32)
    write_all_ways(rules.ways() or no_ways(), empty, new_way_plan(), empty)


def call_weighted(rules: GameRules) -> None:
    """Let bots with weights play a game."""
    states = rules.new_states(1)
    rules.deal(states, 0, 0)
    rules.play_weighted(states, 0, [rules.heuristic_weights()] * rules.players)


def call_benchmark(rules: GameRules) -> None:
    """Play zero decisions."""
    for loop in rules.benchmark_loops(rules.new_states(1)).values():
        loop(0)


GAME, BOTS = ("game",), ("game", "bots")
ALL = (
    Stage("game", "single games", 12, 12, (), call_game),
    Stage("bots", "scripted bots", 11, 11, GAME, call_bots),
    Stage("bot-games", "whole games of scripted bots", 13, 4, BOTS, call_bot_games),
    Stage("batch", "many games at once", 12, 7, GAME, call_lanes(np.float32, False)),
    Stage("batch-with-bots", "many games at once with bots", 20, 8, BOTS, call_lanes(np.float32, True)),
    Stage("search", "search", 20, 6, BOTS, call_search),
    Stage("guided-search", "search with a policy", 20, 8, ("search",), call_guided_search),
    Stage("ways", "ways for tickets", 3, 3, (), call_ways),
    Stage("counts", "many games at once in whole numbers", 12, 7, GAME, call_lanes(None, False)),
    Stage("counts-with-bots", "many games at once in whole numbers with bots", 23, 9, BOTS, call_lanes(None, True)),
    Stage("weights", "bots with weights of their own", 14, 4, BOTS, call_weighted),
    Stage("benchmark", "the benchmark's loops", 12, 7, GAME, call_benchmark),
)
STAGES = MappingProxyType({stage.name: stage for stage in ALL})
"""All stages by name, in the order in which `thurn warm` compiles them."""
PLAYED = tuple(name for name in STAGES if name not in ("weights", "benchmark"))
"""Stages that playing, watching and training need; tuning and benchmarks compile the others on demand."""


def estimates(stages: Iterable[str]) -> dict[str, int]:
    """Return estimated compile times by stage, in seconds, for a new process that compiles them in this order."""
    found: dict[str, int] = {}
    for name in stages:
        found[name] = STAGES[name].seconds_after(found)
    return found
