"""The game behind the contract: arrays in, kernels do the work, words come out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from thurn_env.drawing.picture import Picture
from thurn_env.errors import RecordError
from thurn_env.games.contract import (
    Chance,
    Float32Array,
    Int8Array,
    Int16Array,
    Records,
    Table,
    UInt64Array,
)
from thurn_env.games.example import kernels, words
from thurn_env.games.example.board import BOARDS, Board
from thurn_env.games.example.bots import BOTS, WEIGHTS, Weights
from thurn_env.games.example.declarations import Options, action_table, observation_table
from thurn_env.games.example.layout import rules_records, state_dtype
from thurn_env.games.example.phases import PHASES
from thurn_env.games.example.picture import drawn
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.options import checked_players, chosen_options
from thurn_env.games.show.position import Position, all_names


class Example(KernelRules):
    """The rules of one board, one set of options and one number of players."""

    name = "example"
    title = "Coaches"
    player_numbers = (2, 3, 4)
    chance_forms = MappingProxyType({"decks": list})
    bots = BOTS
    statistics = kernels.STATISTICS
    phases = PHASES
    board: Board

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        tables = action_table(board), observation_table(board, players)
        super().__init__(kernels.KERNELS, players, board_name, options, *tables)
        self.board = board
        self.boards = BOARDS.names()
        self.board_digest = board.digest
        self.kinds = tuple(map(str, board.weights))
        self.state_vector_size = self.observation_size + (players - 1) * len(self.kinds)
        self.state_dtype = state_dtype(board, players)
        self.record = rules_records(board, players, options)
        self._seal()

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_rules, (self.players, self.board, self.board_name, self.rule_options)

    def state_vector(self, states: Records, index: int) -> Float32Array:
        vector = np.zeros(self.state_vector_size, np.float32)
        self.observe(states, index, 0, vector[: self.observation_size])
        vector[self.observation_size :] = states[index]["hand"][1:].ravel() / self.board.copies
        return vector

    def neighbours(self) -> Int8Array:
        return np.zeros((0, 0), np.int8)  # the board has no places

    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        # As the generator would deal; the deck is laid out from the bottom, and drawn from since.
        self.deal(states, index, seed, start_player)
        state = states[index]
        if given is None:
            return {"decks": [self._whole_deck(state)]}
        if not given["decks"]:
            raise RecordError("decks: the record gives no order of the deck")
        order = given["decks"].pop(0)
        if Counter(order) != Counter(self.kinds * self.board.copies):
            raise RecordError("decks: the order does not hold exactly the cards of the game")
        deck = np.array([self.kinds.index(name) for name in reversed(order)], np.int8)
        kernels.deal_from(states, index, self.record, deck, int(state["start_player"]))
        return {"decks": [order]}

    def _whole_deck(self, state: Any) -> list[str]:
        """The deck as it was before the hands were dealt, top card first."""
        return [self.kinds[kind] for kind in state["deck"][::-1]]

    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        self.play(states, index, action)
        return {}

    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        self.prepare("bot-games")
        moves = np.empty(self.board.cards + self.players, np.int16)
        actions = self._workspace()[0]
        played = kernels.play_bots(states, index, self.record, bots, generators, actions, moves)
        return moves[:played].copy()

    def heuristic_weights(self) -> dict[str, float]:
        return WEIGHTS._asdict()

    def play_weighted(self, states: Records, index: int, weights: Sequence[Mapping[str, float]]) -> Int16Array:
        self.prepare("weights")
        table = tuple(Weights(**{name: float(seat[name]) for name in Weights._fields}) for seat in weights)
        moves = np.empty(self.board.cards + self.players, np.int16)
        played = kernels.play_weighted(states, index, self.record, table, self._workspace()[0], moves)
        return moves[:played].copy()

    def public(self, states: Records, index: int) -> dict[str, Any]:
        return words.public(self.board, states[index])

    def hand(self, states: Records, index: int, seat: int) -> dict[str, int]:
        return words.cards(self.board, states[index]["hand"][seat])

    def text(self, states: Records, index: int, seat: int | None) -> str:
        return words.table(self.title, self.board, states[index], self.scores(states, index), seat)

    def picture(self, states: Records, index: int, seat: int | None, names: Sequence[str] = ()) -> Picture:
        state, over = states[index], self.over(states, index)
        hands = [self.hand(states, index, other) if seat in (None, other) else None for other in range(self.players)]
        position = Position(
            table=words.public(self.board, state),
            hands=hands,
            sources=words.breakdown(self.board, state),
            scores=self.scores(states, index),
            ranks=self.ranks(states, index),
            names=all_names(names, self.players),
            over=over,
            truncated=False,
            asked=words.QUESTION,
            when=words.round_in_words(state),
        )
        return drawn(self.title, self.board.name, self.kinds, position)

    def explain(self, states: Records, index: int) -> str:
        return words.explain(self.board, states[index], self.action_texts, self.legal_mask(states, index))

    def why_illegal(self, states: Records, index: int, action: int) -> str:
        return words.why_illegal(self.board, states[index], self.action_texts[action])

    def breakdown(self, states: Records, index: int) -> list[dict[str, int]]:
        return words.breakdown(self.board, states[index])

    def about(self) -> str:
        board = self.board
        return (
            f"{self.title}, the board {board.name}: {board.copies} cards of each weight {', '.join(self.kinds)}; "
            f"hands of {board.hand_size}; a coach carries {board.capacity}. A game to learn from, not a published one."
        )

    def board_facts(self) -> dict[str, Any] | None:
        return BOARDS.facts(self.board_name, self.board)

    def board_tables(self) -> dict[str, Table]:
        rows = [(name, str(self.board.copies)) for name in self.kinds]
        return {"cards": Table("Cards", ("weight", "copies"), rows)}


@lru_cache(maxsize=64)
def _make_rules(players: int, board: Board, board_name: str, options: Options) -> Example:
    return Example(players, board, board_name, options)


def make_rules(players: int, board: Any = None, options: dict[str, Any] | None = None) -> Example:
    """The rules for a number of players, a board (name, file or `Board`; None: standard) and options.

    Raises:
        OptionError: a wrong number of players, an unknown option or value.
        BoardError: an unknown or damaged board.
    """
    number = checked_players(Example.title, Example.player_numbers, players)
    name, loaded = BOARDS.named(board)
    return _make_rules(number, loaded, name, chosen_options(Options, options))
