"""The rules bound to a board, options and a number of players; arrays in, kernels do the work."""

from collections.abc import Mapping, Sequence

import numpy as np

from thurn_env.engine.generator import seeded
from thurn_env.engine.way_rules import Ways
from thurn_env.games.contract import (
    Chance,
    Float32Array,
    Int8Array,
    Int16Array,
    Records,
    UInt64Array,
    add_outcomes,
)
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.shipped import BOARDS
from thurn_env.games.zug_um_zug_deutschland.bots.choose import BOTS
from thurn_env.games.zug_um_zug_deutschland.bots.weights import WEIGHTS, Weights
from thurn_env.games.zug_um_zug_deutschland.rules import chance as outcomes
from thurn_env.games.zug_um_zug_deutschland.rules import kernels
from thurn_env.games.zug_um_zug_deutschland.rules.actions import action_table
from thurn_env.games.zug_um_zug_deutschland.rules.kernels import play_weighted
from thurn_env.games.zug_um_zug_deutschland.rules.layout import rules_records, state_dtype
from thurn_env.games.zug_um_zug_deutschland.rules.members import members
from thurn_env.games.zug_um_zug_deutschland.rules.names import MAX_PLAYERS, MIN_PLAYERS
from thurn_env.games.zug_um_zug_deutschland.rules.observation import observation_table
from thurn_env.games.zug_um_zug_deutschland.rules.options import Options
from thurn_env.games.zug_um_zug_deutschland.rules.phases import NOTHING, PHASES, PILES
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks
from thurn_env.games.zug_um_zug_deutschland.rules.ways import ways_of


class BoundRules(KernelRules):
    """The rules with one board, one set of options and one number of players, without texts and pictures."""

    name = "zug_um_zug_deutschland"
    title = "Zug um Zug: Deutschland"
    player_numbers = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
    chance_forms = outcomes.FORMS
    bots = BOTS
    statistics = kernels.STATISTICS
    phases = PHASES
    board: Board

    def __init__(self, players: int, board: Board, board_name: str, options: Options) -> None:
        self.tracks = Tracks(board)
        super().__init__(
            kernels.KERNELS,
            players,
            board_name,
            options,
            action_table(self.tracks),
            observation_table(self.tracks, players),
        )
        self.board = board
        self.boards = BOARDS.names()
        self.board_digest = board.digest
        self.kinds = outcomes.kinds_of(board)
        self.secret_actions = frozenset(
            index for index, text in enumerate(self.action_texts) if text.startswith(("keep ", "return "))
        )
        hidden = len(self.kinds) + len(board.tickets)
        self.state_vector_size = self.observation_size + (players - 1) * hidden
        self.state_dtype = state_dtype(self.tracks, players)
        self.record = rules_records(self.tracks, players, options)

    def state_vector(self, states: Records, index: int) -> Float32Array:
        """Return the observation of seat 0, then the hand and tickets of every other seat, scaled in the same way."""
        vector = np.zeros(self.state_vector_size, np.float32)
        self.observe(states, index, 0, vector[: self.observation_size])
        state = states[index]
        parts = []
        for seat in range(1, self.players):
            parts.append(state["hand"][seat] * self.observation.scales["hand"])
            tickets = np.zeros(len(self.board.tickets))
            tickets[members(state["held"][seat])] -= 1.0
            tickets[members(state["done"][seat])] += 2.0
            parts.append(tickets)
        vector[self.observation_size :] = np.concatenate(parts)
        return vector

    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        self.prepare("game")
        state = states[index]
        kernels.begin_deal(states, index, self.record, seeded(seed)[0], start_player)
        if given is not None:
            outcomes.put_passengers(self.board, state, given)
            outcomes.put_piles(self.board, state, given, "tickets")
        brought = {
            "passengers": outcomes.placed_passengers(self.board, state),
            "tickets": outcomes.piles(self.board, state),
        }
        return brought | self._let_chance(states, index, given)

    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        kernels.begin_play(states, index, self.record, action)
        return self._let_chance(states, index, given)

    def _let_chance(self, states: Records, index: int, given: Chance | None) -> Chance:
        """Resolve all pending chance events; return their outcomes."""
        state = states[index]
        brought: Chance = {}
        while (due := state["due"]) != NOTHING:
            order = outcomes.NO_ORDER
            if due != PILES and given is not None:
                order = outcomes.next_deck(self.board, state, given)
            kernels.go_on(states, index, self.record, order)
            if due != PILES:
                brought.setdefault("decks", []).append(outcomes.deck(self.board, state))
            else:
                if given is not None:
                    outcomes.put_piles(self.board, state, given, "ticket_shuffles")
                brought["ticket_shuffles"] = outcomes.piles(self.board, state)
        return brought

    def play_bots(
        self, states: Records, index: int, bots: Int8Array, generators: UInt64Array, chance: Chance
    ) -> Int16Array:
        self.prepare("bot-games")
        moves = np.empty(4096, np.int16)
        parts = [moves[:0]]
        while not self.over(states, index):
            actions = self._workspace()[0]
            played = kernels.play_bots(states, index, self.record, bots, generators, actions, moves)
            parts.append(moves[:played].copy())
            add_outcomes(chance, self._let_chance(states, index, None))
        return np.concatenate(parts)

    def neighbours(self) -> Int8Array:
        joined = np.zeros((len(self.board.places),) * 2, np.int8)
        for pair in self.board.pairs:
            one, other = map(self.board.place_index, pair.ends)
            joined[one, other] = joined[other, one] = 1
        return joined

    def ways(self) -> Ways:
        weights = WEIGHTS[self.players - MIN_PLAYERS]
        return ways_of(self.record[0], self.observation, weights.way_claim, weights.way_points, weights.way_card)

    def heuristic_weights(self) -> dict[str, float]:
        return WEIGHTS[self.players - MIN_PLAYERS]._asdict()

    def play_weighted(self, states: Records, index: int, weights: Sequence[Mapping[str, float]]) -> Int16Array:
        self.prepare("weights")
        table = tuple(Weights(**{name: float(seat[name]) for name in Weights._fields}) for seat in weights)
        moves = np.empty(4096, np.int16)
        parts = [moves[:0]]
        while not self.over(states, index):
            played = play_weighted(states, index, self.record, table, self._workspace()[0], moves)
            parts.append(moves[:played].copy())
        return np.concatenate(parts)
