"""Thurn und Taxis behind the contract that every game keeps: arrays in, kernels do the work, words come out."""

import difflib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

import numpy as np

from thurn_env.errors import OptionError, RecordError
from thurn_env.games.contract import (
    Chance,
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
from thurn_env.games.lanes import Lanes
from thurn_env.games.thurn_und_taxis import entry, loops, reasons, tables, words
from thurn_env.games.thurn_und_taxis import lanes as lane_kernels
from thurn_env.games.thurn_und_taxis import search as search_kernel
from thurn_env.games.thurn_und_taxis.actions import ActionTable
from thurn_env.games.thurn_und_taxis.board import Board, board_names, load_board
from thurn_env.games.thurn_und_taxis.bots.choose import BOTS
from thurn_env.games.thurn_und_taxis.bots.weighted import play_weighted
from thurn_env.games.thurn_und_taxis.bots.weights import (
    ONLY_WITH_CARRIAGES,
    ONLY_WITH_HORSES,
    WEIGHTS,
    WEIGHTS_WITH_HORSES,
    Weights,
)
from thurn_env.games.thurn_und_taxis.lanes import STATISTICS
from thurn_env.games.thurn_und_taxis.layout import rules_records, state_dtype
from thurn_env.games.thurn_und_taxis.observation import ObservationTable
from thurn_env.games.thurn_und_taxis.options import Options
from thurn_env.games.thurn_und_taxis.phases import OVER, PHASES
from thurn_env.games.thurn_und_taxis.picture import drawn, position_of
from thurn_env.games.thurn_und_taxis.variant import Variant
from thurn_env.games.trees import Network, Tree
from thurn_env.generator import seeded
from thurn_env.kernels import announce_compilation, new_records, thread_count
from thurn_env.render.picture import Picture

PIECES_PER_THREAD = 4
"""Pieces of work for every thread, so that none waits long for the others."""
LANE_KERNELS: dict[tuple[bool, bool], Callable[..., None]] = {
    (False, False): lane_kernels.step_lanes,
    (True, False): lane_kernels.step_lanes_with_bots,
    (False, True): lane_kernels.step_lanes_in_threads,
    (True, True): lane_kernels.step_lanes_with_bots_in_threads,
}
"""Whether there are bots, and whether there are threads, to the kernel."""
NO_LANES = np.empty(0, np.int64)


class ThurnUndTaxis(GameRules):
    """The rules of one board, one set of options and one number of players."""

    name = "thurn_und_taxis"
    title = "Thurn und Taxis"
    player_numbers = (2, 3, 4)
    chance_forms = {"decks": list}  # noqa: RUF012
    bots = BOTS
    statistics = STATISTICS

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        self.players = players
        self.board = board
        self.boards = board_names()
        self.board_name = board_name
        self.board_digest = board.digest
        self.rule_options = options
        self.options = options.as_dict()
        self.variant = Variant(board, options.horses)
        self.actions = ActionTable(self.variant)
        self.action_texts = self.actions.texts
        self.action_indices = self.actions.indices
        self.observation = ObservationTable(self.variant, players)
        self.observation_slices = self.observation.slices
        self.observation_shapes = {piece.name: self.observation.shape(piece) for piece in self.observation.pieces}
        self.observation_size = self.observation.size
        self.kinds = self.variant.kind_names
        self.kind_indices = {name: kind for kind, name in enumerate(self.kinds)}
        self.state_vector_size = self.observation_size + (players - 1) * len(self.kinds)
        self.state_dtype = state_dtype(self.variant, players)
        self.record = rules_records(self.variant, players, options)
        self._local = threading.local()
        self._compiled = False
        self._compiled_lanes: set[tuple[bool, bool]] = set()

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_rules, (self.players, self.board, self.board_name, self.rule_options)

    def _workspace(self) -> tuple[Int16Array, Int16Array]:
        """Working space of the kernels, one for each thread: the action list and the observation row."""
        try:
            return self._local.actions, self._local.row
        except AttributeError:
            self._local.actions = np.zeros(self.action_size, np.int16)
            self._local.row = np.zeros(self.observation_size, np.int16)
            return self._local.actions, self._local.row

    def new_states(self, count: int) -> Records:
        return new_records(count, self.state_dtype)

    def deal(self, states: Records, index: int, seed: int | None, start_player: int = -1) -> None:
        if not self._compiled:
            self._compiled = True
            label = f"the {self.board.name} board with {self.players} players"
            with announce_compilation(label, self.state_dtype) as first:
                if first:
                    self._compile()
        entry.deal(states, index, self.record, seeded(seed)[0], start_player)

    def _compile(self) -> None:
        """Call every kernel that a game needs once, so that the wait comes at one time and with a message."""
        states = self.new_states(1)
        entry.deal(states, 0, self.record, seeded(0)[0], -1)
        mask, observation = self.legal_mask(states, 0), np.zeros(self.observation_size, np.float32)
        self.step(states, 0, -1, True, mask, observation)
        self.play(states, 0, int(mask.argmax()))
        self.observe(states, 0, 0, observation)
        self.redeal(states, 0, 0, seeded(0))
        self._results(states, 0)
        self.rewards(states, 0, 0)
        self.potentials(states, 0)

    def play(self, states: Records, index: int, action: int) -> None:
        entry.play(states, index, self.record, action)

    def legal_mask(self, states: Records, index: int) -> Int8Array:
        mask = np.empty(self.action_size, np.int8)
        entry.legal_mask(states, index, self.record, self._workspace()[0], mask)
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
        return entry.step(states, index, self.record, action, skip_forced, actions, mask, row, observation)

    def observe(self, states: Records, index: int, seat: int, observation: Float32Array) -> None:
        entry.observe_seat(states, index, self.record, seat, self._workspace()[1], observation)

    def state_vector(self, states: Records, index: int) -> Float32Array:
        vector = np.zeros(self.state_vector_size, np.float32)
        self.observe(states, index, 0, vector[: self.observation_size])
        vector[self.observation_size :] = states[index]["hand"][1:].ravel() / self.variant.most_copies
        return vector

    def redeal(self, states: Records, index: int, seat: int, generator: UInt64Array) -> None:
        entry.redeal_for(states, index, self.record, seat, generator)

    def seat(self, states: Records, index: int) -> int:
        return int(states[index]["seat"])

    def start_player(self, states: Records, index: int) -> int:
        return int(states[index]["start_player"])

    def rounds(self, states: Records, index: int) -> int:
        return int(states[index]["rounds"])

    def over(self, states: Records, index: int) -> bool:
        return bool(states[index]["phase"] == OVER)

    def truncated(self, states: Records, index: int) -> bool:
        return bool(states[index]["truncated"])

    def _results(self, states: Records, index: int) -> tuple[list[int], list[int]]:
        scores, ranks = np.zeros(self.players, np.int64), np.zeros(self.players, np.int64)
        entry.results(states, index, self.record, scores, ranks)
        return scores.tolist(), ranks.tolist()

    def scores(self, states: Records, index: int) -> list[int]:
        return self._results(states, index)[0]

    def ranks(self, states: Records, index: int) -> list[int]:
        return self._results(states, index)[1]

    def rewards(self, states: Records, index: int, mode: int) -> Float64Array:
        out = np.zeros(self.players)
        entry.rewards(states, index, self.record, mode, out)
        return out

    def potentials(self, states: Records, index: int) -> Float64Array:
        out = np.zeros(self.players)
        entry.potentials(states, index, self.record, out)
        return out

    def bot_action(self, states: Records, index: int, bot: int, generator: UInt64Array) -> int:
        return int(entry.bot_action(states, index, self.record, bot, generator, self._workspace()[0]))

    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        buffer = np.empty(4096, np.int16)
        decks = np.empty((64, len(states[index]["deck"])), np.int8)
        deck_sizes = np.empty(len(decks), np.int64)
        parts = []
        with announce_compilation(f"the bots of the {self.board.name} board", self.state_dtype):
            while not self.over(states, index):
                played = entry.play_bots(
                    states,
                    index,
                    self.record,
                    bots,
                    generators,
                    self._workspace()[0],
                    buffer,
                    decks,
                    deck_sizes,
                )
                parts.append(buffer[:played].copy())
                for deck, size in zip(decks, deck_sizes, strict=True):
                    if size == 0:
                        break
                    chance["decks"].append(self._deck_names(deck[:size]))
        return np.concatenate(parts) if parts else np.empty(0, np.int16)

    def neighbours(self) -> Int8Array:
        cities = range(len(self.board.cities))
        sets = self.record[0]["adjacent"].tolist()
        return np.array([[sets[city] >> other & 1 for other in cities] for city in cities], np.int8)

    def heuristic_weights(self) -> dict[str, float]:
        table = WEIGHTS_WITH_HORSES if self.rule_options.horses else WEIGHTS
        idle = ONLY_WITH_CARRIAGES if self.rule_options.horses else ONLY_WITH_HORSES
        return {name: value for name, value in table[self.players - 2]._asdict().items() if name not in idle}

    def play_weighted(self, seeds: Sequence[int], weights: Sequence[Mapping[str, float]], mode: int) -> Float64Array:
        generators = np.array([seeded(seed)[0] for seed in seeds], np.uint64)
        returns = np.empty((len(seeds), self.players), np.float64)
        table = tuple(Weights(**{name: float(seat.get(name, 0.0)) for name in Weights._fields}) for seat in weights)
        play_weighted(self.new_states(1), self.record, generators, table, mode, self._workspace()[0], returns)
        return returns

    def search(self, states: Records, index: int, seat: int, iterations: int, tree: Tree) -> None:
        label = f"searching on the {self.board.name} board with {self.players} players"
        with announce_compilation(label, self.state_dtype):
            search_kernel.search(states, index, self.record, seat, iterations, tree, self._workspace()[0])

    def guided_search(
        self, states: Records, index: int, seat: int, iterations: int, tree: Tree, network: Network
    ) -> None:
        label = f"guided search on the {self.board.name} board with {self.players} players"
        with announce_compilation(label, self.state_dtype):
            search_kernel.guided_search(
                states, index, self.record, seat, iterations, tree, network, self._workspace()[0]
            )

    def step_lanes(
        self, lanes: Lanes, mode: int, selected: Int64Array, chosen: Int64Array, bots: bool, threads: int | None = None
    ) -> None:
        variant = bots, threads is not None
        kernel = LANE_KERNELS[variant]
        if variant not in self._compiled_lanes:
            self._compiled_lanes.add(variant)
            players = f"{self.players} players{' and bots' if bots else ''}{' in threads' if threads else ''}"
            with announce_compilation(f"many games on the {self.board.name} board with {players}", self.state_dtype):
                kernel(1, mode, NO_LANES, NO_LANES, self.record, lanes)
        if threads is None:
            kernel(1, mode, selected, chosen, self.record, lanes)
        else:
            with thread_count(threads):
                kernel(threads * PIECES_PER_THREAD, mode, selected, chosen, self.record, lanes)

    def observe_lanes(self, states: Records, selected: Int64Array, seats: Int64Array) -> Float32Array:
        observations = np.empty((len(selected), self.observation_size), np.float32)
        lane_kernels.observe_lanes(states, selected, seats, self.record, self._workspace()[1], observations)
        return observations

    def sensible_actions(self, states: Records, generator: UInt64Array) -> Int64Array:
        chosen = np.empty(len(states), np.int64)
        loops.choose_actions(states, self.record, generator, self._workspace()[0], chosen)
        return chosen

    def benchmark_loops(self, states: Records) -> dict[str, Callable[[int], int]]:
        actions, row = self._workspace()
        masks = np.zeros((len(states), self.action_size), np.int8)
        observations = np.zeros((len(states), self.observation_size), np.float32)
        generator, twins = seeded(0), self.new_states(len(states))
        return {
            "engine": lambda n: loops.play_bare(states, self.record, n, generator, actions),
            "mask": lambda n: loops.play_with_masks(states, self.record, n, generator, actions, masks),
            "observation": lambda n: loops.play_with_observations(
                states, self.record, n, generator, actions, masks, row, observations
            ),
            "copy": lambda n: loops.copy_states(states, twins, n),
        }

    def phase(self, states: Records, index: int) -> str:
        return PHASES[states[index]["phase"]]

    def _deck_names(self, deck: Int8Array) -> list[str]:
        """A deck as records write it: top first, while the state keeps the top card last."""
        return [self.kinds[kind] for kind in deck[::-1]]

    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        return self._recorded(states, index, lambda: self.deal(states, index, seed, start_player), 0, given)

    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        shuffles = int(states[index]["shuffles"])
        return self._recorded(states, index, lambda: self.play(states, index, action), shuffles, given)

    def _recorded(
        self, states: Records, index: int, act: Callable[[], None], shuffles: int, given: Chance | None
    ) -> Chance:
        """Deal or play, which shuffles once at most, with the next of the given decks prepared; what chance brought."""
        state = states[index]
        if given is not None:
            self._prepare_deck(state, given["decks"][0] if given["decks"] else [])
        act()
        if state["next_deck_size"] < 0:
            raise RecordError("the deck order does not hold exactly the cards that were to be shuffled")
        if state["shuffles"] == shuffles:
            state["next_deck_size"] = 0
            return {}
        deck = self._deck_names(state["deck"][: state["shuffled_size"]])
        if given is not None:
            if not given["decks"]:
                raise RecordError("decks: cards are shuffled here, but the record gives no further order")
            if given["decks"].pop(0) != deck:
                raise RecordError("decks: the order for this shuffle is empty")
        return {"decks": [deck]}

    def _prepare_deck(self, state: Any, deck: list[str]) -> None:
        for name in deck:
            if name not in self.kind_indices:
                close = difflib.get_close_matches(str(name), self.kinds, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise RecordError(f"there is no card {name!r} on the board {self.board_name}{hint}")
        if len(deck) > len(state["next_deck"]):
            raise RecordError(f"a deck of {len(deck)} cards; the game has {len(state['next_deck'])}")
        state["next_deck"][: len(deck)] = [self.kind_indices[name] for name in reversed(deck)]
        state["next_deck_size"] = len(deck)

    def public(self, states: Records, index: int) -> dict[str, Any]:
        return words.public(self, states[index])

    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        return words.counts(self, states[index]["hand"][seat])

    def text(self, states: Records, index: int, seat: int | None) -> str:
        return words.table(self, states[index], self.scores(states, index), seat)

    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        scores, ranks = self._results(states, index)
        return drawn(self, position_of(self, states[index], scores, ranks, seat, names))

    def explain(self, states: Records, index: int) -> str:
        return reasons.explain(self, states[index], self.legal_mask(states, index))

    def why_illegal(self, states: Records, index: int, action: int) -> str:
        return reasons.why_illegal(self, states[index], action)

    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        return words.breakdown(self, states[index])

    def about(self) -> str:
        return tables.about(self)

    def tables(self) -> dict[str, Table]:
        return tables.tables(self)


@lru_cache(maxsize=64)
def _make_rules(players: int, board: Board, board_name: str, options: Options) -> ThurnUndTaxis:
    return ThurnUndTaxis(players, board, board_name, options)


def make_rules(players: int, board: Any = None, options: dict[str, Any] | None = None) -> ThurnUndTaxis:
    """The rules for a number of players, a board (name, file or `Board`; None: south) and options.

    Raises:
        OptionError: a wrong number of players, an unknown option or value.
        BoardError: an unknown or damaged board.
    """
    if isinstance(players, bool) or not isinstance(players, int | np.integer):
        raise OptionError(f"players must be a whole number, not {players!r}")
    numbers = ThurnUndTaxis.player_numbers
    if players not in numbers:
        raise OptionError(f"Thurn und Taxis is for {numbers[0]} to {numbers[-1]} players, not {players}")
    known = [field.name for field in fields(Options)]
    for name in options or {}:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else "."
            raise OptionError(f"unknown option {name!r}{hint} The options are {', '.join(known)}")
    chosen = Options(**(options or {}))
    loaded = load_board("south" if board is None else board)
    if chosen.all_provinces_without_baiern:
        if not any(stack.first_edition_without for stack in loaded.stacks):
            raise OptionError(
                f"option all_provinces_without_baiern: the board {loaded.name} does not say which province"
                " the first edition left out (first_edition_without)"
            )
    if chosen.horses and loaded.horses is None:
        raise OptionError(
            f"option horses: the board {loaded.name} has no horses on its cards; the online guide allows them only on"
            ' the north map (board="north")'
        )
    name = loaded.name if board is None or isinstance(board, Board) else str(board)
    return _make_rules(int(players), loaded, name, chosen)
