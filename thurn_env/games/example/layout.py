"""The two records that the kernels work on: the constant rules and the state of a game."""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import new_records
from thurn_env.engine.read_only import sealed
from thurn_env.games.example.board import Board
from thurn_env.games.example.declarations import Options, action_table, observation_table

Records = np.ndarray[Any, Any]


def rules_records(board: Board, players: int, options: Options) -> Records:
    """The constant record, as a read-only array of shape (1,)."""
    actions, observation = action_table(board), observation_table(board, players)
    dtype = np.dtype(
        [
            ("weight", np.int8, (len(board.weights),)),
            ("copies", np.int8),
            ("dealt", np.int8),
            ("capacity", np.int16),
            ("refill", np.int8),
            *actions.fields(),
            *observation.fields(),
        ],
        align=True,
    )
    records = new_records(1, dtype)
    rules = records[0]
    rules["weight"] = board.weights
    rules["copies"], rules["dealt"], rules["capacity"] = board.copies, board.hand_size, board.capacity
    rules["refill"] = options.refill
    actions.write(rules)
    observation.write(rules)
    return sealed(records)


def state_dtype(board: Board, players: int) -> np.dtype[Any]:
    """The layout of one game's state. Hidden: the generator, the order of the deck, the hands of others."""
    kinds = len(board.weights)
    return np.dtype(
        [
            ("generator", np.uint64, (1,)),
            ("rounds", np.int32),
            ("load", np.int16, (players,)),
            ("deck_size", np.int16),
            ("seat", np.int8),
            ("start_player", np.int8),
            ("phase", np.int8),
            ("truncated", np.int8),
            ("departed", np.int8, (players,)),
            ("hand_size", np.int8, (players,)),
            ("hand", np.int8, (players, kinds)),
            ("loaded", np.int8, (players, kinds)),
            ("deck", np.int8, (board.cards,)),  # kinds of cards, top card last
        ],
        align=True,
    )
