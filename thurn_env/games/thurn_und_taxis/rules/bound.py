"""The rules bound to a board, options and a number of players; arrays in, kernels do the work."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from thurn_env.checks import quoted
from thurn_env.errors import RecordError, clipped
from thurn_env.games.board_files import LONGEST_PATH
from thurn_env.games.contract import (
    Chance,
    Float32Array,
    Int8Array,
    Int16Array,
    Records,
    UInt64Array,
)
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import BOARDS
from thurn_env.games.thurn_und_taxis.bots.choose import BOTS
from thurn_env.games.thurn_und_taxis.bots.weights import (
    ONLY_WITH_CARRIAGES,
    ONLY_WITH_HORSES,
    WEIGHTS,
    WEIGHTS_WITH_HORSES,
    Weights,
)
from thurn_env.games.thurn_und_taxis.rules import kernels
from thurn_env.games.thurn_und_taxis.rules.actions import action_table
from thurn_env.games.thurn_und_taxis.rules.kernels import play_weighted
from thurn_env.games.thurn_und_taxis.rules.layout import rules_records, state_dtype
from thurn_env.games.thurn_und_taxis.rules.observation import observation_table
from thurn_env.games.thurn_und_taxis.rules.options import Options
from thurn_env.games.thurn_und_taxis.rules.phases import PHASES
from thurn_env.games.thurn_und_taxis.rules.variant import Variant


class BoundRules(KernelRules):
    """The rules with one board, one set of options and one number of players, without texts and pictures."""

    name = "thurn_und_taxis"
    title = "Thurn und Taxis"
    player_numbers = (2, 3, 4)
    chance_forms = MappingProxyType({"decks": list})
    bots = BOTS
    statistics = kernels.STATISTICS
    phases = PHASES
    board: Board

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        self.variant = Variant(board, options.horses)
        super().__init__(
            kernels.KERNELS,
            players,
            board_name,
            options,
            action_table(self.variant),
            observation_table(self.variant, players),
        )
        self.board = board
        self.boards = BOARDS.names()
        self.board_digest = board.digest
        self.kinds = self.variant.kind_names
        self.kind_indices = MappingProxyType({name: kind for kind, name in enumerate(self.kinds)})
        self.state_vector_size = self.observation_size + (players - 1) * len(self.kinds)
        self.state_dtype = state_dtype(self.variant, players)
        self.record = rules_records(self.variant, players, options)

    def state_vector(self, states: Records, index: int) -> Float32Array:
        vector = np.zeros(self.state_vector_size, np.float32)
        self.observe(states, index, 0, vector[: self.observation_size])
        vector[self.observation_size :] = states[index]["hand"][1:].ravel() / self.variant.most_copies
        return vector

    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        self.prepare("bot-games")
        buffer = np.empty(4096, np.int16)
        decks = np.empty((64, len(states[index]["deck"])), np.int8)
        deck_sizes = np.empty(len(decks), np.int64)
        parts = []
        while not self.over(states, index):
            played = kernels.play_bots(
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
        table = WEIGHTS_WITH_HORSES if self.variant.horses else WEIGHTS
        idle = ONLY_WITH_CARRIAGES if self.variant.horses else ONLY_WITH_HORSES
        return {name: value for name, value in table[self.players - 2]._asdict().items() if name not in idle}

    def play_weighted(self, states: Records, index: int, weights: Sequence[Mapping[str, float]]) -> Int16Array:
        self.prepare("weights")
        table = tuple(Weights(**{name: float(seat.get(name, 0.0)) for name in Weights._fields}) for seat in weights)
        moves = np.empty(4096, np.int16)
        parts = [moves[:0]]
        while not self.over(states, index):
            played = play_weighted(states, index, self.record, table, self._workspace()[0], moves)
            parts.append(moves[:played].copy())
        return np.concatenate(parts)

    def _deck_names(self, deck: Int8Array) -> list[str]:
        """Return a deck as records write it: top card first, while the state has the top card last."""
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
        """Deal or play with the next given deck prepared for a shuffle, at most one; return the outcomes of chance."""
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
                close = difflib.get_close_matches(clipped(name), self.kinds, 1)
                hint = f"; did you mean {quoted(close[0])}?" if close else ""
                board = clipped(self.board_name, LONGEST_PATH)
                raise RecordError(f"there is no card {quoted(name)} on the board {board}{hint}")
        if len(deck) > len(state["next_deck"]):
            raise RecordError(f"a deck of {len(deck)} cards; the game has {len(state['next_deck'])}")
        state["next_deck"][: len(deck)] = [self.kind_indices[name] for name in reversed(deck)]
        state["next_deck_size"] = len(deck)
