"""The part of `GameRules` that is the same for every game with kernels of the standard names and arguments.

A game passes its kernels, see `thurn_env.engine.game_kernels`, and its declarations, and adds its material, recorded
chance, the bots' weights, and texts.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from thurn_env.engine.copies import copy_states
from thurn_env.engine.game_kernels import Kernels
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import announce_compilation, compiled_before, new_records
from thurn_env.engine.lanes import Lanes
from thurn_env.engine.network_rules import Network
from thurn_env.engine.sharing import Share
from thurn_env.engine.trees import Tree
from thurn_env.games.action_table import ActionTable
from thurn_env.games.contract import (
    Float32Array,
    Float64Array,
    GameRules,
    Int8Array,
    Int16Array,
    Int64Array,
    Records,
    Table,
    UInt64Array,
)
from thurn_env.games.observation_table import ObservationTable
from thurn_env.games.options import RuleOptions
from thurn_env.games.stages import STAGES


class KernelRules(GameRules):
    """Rules backed by kernels.

    The state record has the fields `seat`, `start_player`, `rounds`, `phase` and `truncated`.

    Attributes:
        phases: names of the phases by number; the last one means that the game is over.
        rule_options: options as the game declares them.
        actions: declared actions.
        observation: declared observation.
    """

    phases: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        kernels: Kernels,
        players: int,
        board_name: str,
        options: RuleOptions,
        actions: ActionTable[Any],
        observation: ObservationTable[Any],
    ) -> None:
        self.players = players
        self.board_name = board_name
        self.rule_options = options
        self.options = MappingProxyType(options.as_dict())
        self.actions = actions
        self.action_texts = actions.texts
        self.action_indices = actions.indices
        self.observation = observation
        self.observation_slices = observation.slices
        self.observation_shapes = observation.shapes
        self.observation_places = observation.places
        self.action_places = observation.places_of_actions(actions)
        self.things = observation.things(actions)
        self.observation_size = observation.size
        self.observation_scale = observation.scale
        self.count_dtype = observation.count_dtype
        self.kernels = kernels
        self.entry = kernels.entry
        self._local = threading.local()
        self._prepared: set[str] = set()

    def _workspace(self) -> tuple[Int16Array, Int16Array]:
        """Return the calling thread's buffers for kernels: the action list and the observation row."""
        try:
            return self._local.actions, self._local.row
        except AttributeError:
            self._local.actions = np.zeros(self.action_size, np.int16)
            self._local.row = np.zeros(self.observation_size, np.int16)
            return self._local.actions, self._local.row

    def new_states(self, count: int) -> Records:
        return new_records(count, self.state_dtype)

    def deal(self, states: Records, index: int, seed: int | None, start_player: int = -1) -> None:
        self.prepare("game")
        self.entry.deal(states, index, self.record, seeded(seed)[0], start_player)

    def prepare(self, stage: str) -> None:
        if stage in self._prepared:
            return
        self._prepared.add(stage)  # first: the calls that compile the stage need it, too
        try:
            with announce_compilation(self._label(stage), STAGES[stage].seconds, *self._layouts()) as needed:
                if needed:
                    STAGES[stage].compile(self)
        except BaseException:
            self._prepared.discard(stage)
            raise

    def prepared(self, stage: str) -> bool:
        return compiled_before(self._label(stage), *self._layouts())

    def _label(self, stage: str) -> str:
        return f"{STAGES[stage].title} on the {self.board_name} board with {self.players} players"

    def _layouts(self) -> tuple[np.dtype[Any], np.dtype[Any]]:
        return self.state_dtype, self.record.dtype

    def play(self, states: Records, index: int, action: int) -> None:
        self.entry.play(states, index, self.record, action)

    def legal_mask(self, states: Records, index: int) -> Int8Array:
        mask = np.empty(self.action_size, np.int8)
        self.entry.legal_mask(states, index, self.record, self._workspace()[0], mask)
        return mask

    def step(
        self,
        states: Records,
        index: int,
        action: int,
        skip_forced: bool,
        mask: Int8Array,
        observation: Float32Array,
    ) -> int:
        actions, row = self._workspace()
        seat: int = self.entry.step(states, index, self.record, action, skip_forced, actions, mask, row, observation)
        return seat

    def observe(self, states: Records, index: int, seat: int, observation: Float32Array) -> None:
        self.entry.observe_seat(states, index, self.record, seat, self._workspace()[1], observation)

    def redeal(self, states: Records, index: int, seat: int, generator: UInt64Array) -> None:
        self.entry.redeal_for(states, index, self.record, seat, generator)

    def seat(self, states: Records, index: int) -> int:
        return int(states[index]["seat"])

    def start_player(self, states: Records, index: int) -> int:
        return int(states[index]["start_player"])

    def rounds(self, states: Records, index: int) -> int:
        return int(states[index]["rounds"])

    def over(self, states: Records, index: int) -> bool:
        return bool(states[index]["phase"] == len(self.phases) - 1)

    def truncated(self, states: Records, index: int) -> bool:
        return bool(states[index]["truncated"])

    def phase(self, states: Records, index: int) -> str:
        return self.phases[states[index]["phase"]]

    def _results(self, states: Records, index: int) -> tuple[list[int], list[int]]:
        scores, ranks = np.zeros(self.players, np.int64), np.zeros(self.players, np.int64)
        self.entry.results(states, index, self.record, scores, ranks)
        return scores.tolist(), ranks.tolist()

    def scores(self, states: Records, index: int) -> list[int]:
        return self._results(states, index)[0]

    def ranks(self, states: Records, index: int) -> list[int]:
        return self._results(states, index)[1]

    def rewards(self, states: Records, index: int, mode: int) -> Float64Array:
        out = np.zeros(self.players)
        self.entry.rewards(states, index, self.record, mode, out)
        return out

    def potentials(self, states: Records, index: int) -> Float64Array:
        out = np.zeros(self.players)
        self.entry.potentials(states, index, self.record, out)
        return out

    def bot_action(self, states: Records, index: int, bot: int, generator: UInt64Array) -> int:
        return int(self.bot_actions(states[index : index + 1], bot, generator)[0])

    def bot_actions(self, states: Records, bot: int, generator: UInt64Array) -> Int64Array:
        self.prepare("bots")
        chosen = np.empty(len(states), np.int64)
        self.entry.bot_actions(states, self.record, bot, generator, self._workspace()[0], chosen)
        return chosen

    def search(self, states: Records, index: int, seat: int, iterations: int, tree: Tree) -> None:
        self.prepare("search")
        self.kernels.search.search(states, index, self.record, seat, iterations, tree, self._workspace()[0])

    def guided_search(
        self, states: Records, index: int, seat: int, iterations: int, tree: Tree, network: Network
    ) -> None:
        self.prepare("guided-search")
        actions = self._workspace()[0]
        self.kernels.search.guided_search(states, index, self.record, seat, iterations, tree, network, actions)

    def step_lanes(
        self, lanes: Lanes, mode: int, selected: Int64Array, chosen: Int64Array, bots: bool, share: Share
    ) -> None:
        scaled = lanes.observations.dtype == np.float32
        self.prepare(("batch" if scaled else "counts") + ("-with-bots" if bots else ""))
        kernels = self.kernels.lanes if scaled else self.kernels.count_lanes
        step = kernels.step_lanes_with_bots if bots else kernels.step_lanes
        step(share.helper, mode, share.chunk, selected, chosen, self.record, lanes, share.fields)

    def observe_lanes(
        self, states: Records, selected: Int64Array, seats: Int64Array, dtype: Any = np.float32
    ) -> np.ndarray[Any, Any]:
        kernels = self.kernels.lanes if dtype == np.float32 else self.kernels.count_lanes
        observations = np.empty((len(selected), self.observation_size), dtype)
        kernels.observe_lanes(states, selected, seats, self.record, self._workspace()[1], observations)
        return observations

    def benchmark_loops(self, states: Records) -> dict[str, Callable[[int], int]]:
        actions, row = self._workspace()
        masks = np.zeros((len(states), self.action_size), np.int8)
        observations = np.zeros((len(states), self.observation_size), np.float32)
        generator, twins = seeded(0), self.new_states(len(states))
        self.prepare("benchmark")
        loops = self.kernels.loops
        return {
            "engine": lambda n: loops.play_bare(states, self.record, n, generator, actions),
            "mask": lambda n: loops.play_with_masks(states, self.record, n, generator, actions, masks),
            "observation": lambda n: loops.play_with_observations(
                states, self.record, n, generator, actions, masks, row, observations
            ),
            "copy": lambda n: copy_states(states, twins, n),
        }

    def tables(self) -> dict[str, Table]:
        return {
            **self.board_tables(),
            "options": Table("Options", ("option", "value", "default", "meaning"), self.rule_options.rows()),
            "actions": Table("Actions", ("index", "action", "meaning"), self.actions.rows()),
            "observation": Table(
                "Observation", ("index", "name", "shape", "scale", "meaning"), self.observation.rows()
            ),
        }

    @abstractmethod
    def board_tables(self) -> dict[str, Table]:
        """Return the facts of the board as tables by name."""
