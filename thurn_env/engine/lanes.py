"""Records and arrays of many games, which a game's lane kernels read and write.

A *lane* is the place of one game; when it is over, the next one begins in the same lane. Every seat has a role: a
learner, whose actions come from outside; a scripted bot, which compiled code plays; or a guest, whose actions come from
outside, too, but are not used for learning.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from thurn_env.engine.kernels import Float32Array, Float64Array, Int8Array, States, new_records

LEARNER: Final = -1
"""Role of a learner's seat. Roles from 0 up are scripted bots; for guests see `guest_role`."""

RAISE: Final = 0
PENALISE: Final = 1
REPLACE: Final = 2
ILLEGAL_MODES = ("raise", "penalise", "replace")
"""Treatments of an illegal action, by number: see `thurn_env.table.batch`."""

BEGIN: Final = 0
STEP: Final = 1
GO_ON: Final = 2

OVER: Final = -1
"""Seat to move in a lane whose game is over."""
STUCK: Final = -2
"""Seat to move in a lane where too many consecutive games ended without a decision of a learner."""

BoolArray = np.ndarray[Any, np.dtype[np.bool_]]
Int32Array = np.ndarray[Any, np.dtype[np.int32]]


def guest_role(guest: int) -> int:
    """Return the role of guest number `guest`, from 0."""
    return -2 - guest


def is_bot(role: int) -> bool:
    """Return whether a role is that of a scripted bot; the role is then the bot's number."""
    return role >= 0


def settings_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of the settings of all lanes."""
    return np.dtype(
        [
            ("shaping", np.float64),
            ("reward", np.int8),
            ("illegal", np.int8),
            ("skip_forced", np.int8),
            ("autoreset", np.int8),
            ("opponents", np.int8, (players - 1,)),  # roles, clockwise from the learner
        ],
        align=True,
    )


def lane_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of a lane's record."""
    return np.dtype(
        [
            ("seed", np.uint64),  # of the first game
            ("resets", np.int64),  # games since
            ("chance", np.uint64, (1,)),  # of replaced actions
            ("generators", np.uint64, (players, 1)),  # of the bots, by seat
            ("potentials", np.float64, (players,)),
            ("returns", np.float64, (players,)),  # so far
            ("last_returns", np.float64, (players,)),  # of the last finished game
            ("moves", np.int32),  # of all seats so far, forced ones included
            ("decisions", np.int32),  # of learners, so far
            ("last_decisions", np.int32),
            ("learner", np.int8),  # the seat that `opponents` counts from
            ("first_learner", np.int8),  # that seat in every game; -1: it changes from game to game
            ("start_player", np.int8),  # of the next game to begin; -1: drawn at random
            ("roles", np.int8, (players,)),
            ("illegal", np.int8),  # whether the last action was illegal
        ],
        align=True,
    )


class Lanes(NamedTuple):
    """All lanes of a batch. N lanes, P players, O observation values, A actions, S statistics per seat.

    Attributes:
        states: N state records.
        final_states: N state records, of the last finished game of every lane.
        memory: N records of `lane_dtype`.
        settings: one record of `settings_dtype`.
        observations: float32, or int8 or int16 counts, (N, O), observation of the player to move.
        masks: int8 (N, A), its legal actions.
        rewards: float64 (N, P), rewards of all seats in the last step.
        terminated: bool (N,), whether a game ended in the last step.
        truncated: bool (N,), whether a game was cut off in the last step.
        seats: int8 (N,), seat to move.
        statistics: int32 (N, P, S), statistics of the last finished game, see `GameRules.statistics`.
    """

    states: States
    final_states: States
    memory: States
    settings: States
    observations: Float32Array
    masks: Int8Array
    rewards: Float64Array
    terminated: BoolArray
    truncated: BoolArray
    seats: Int8Array
    statistics: Int32Array


def new_memory(count: int, players: int) -> tuple[States, States]:
    """Return the records of `count` lanes and the settings, with learners in all seats."""
    memory, settings = new_records(count, lane_dtype(players)), new_records(1, settings_dtype(players))
    memory["start_player"] = -1
    settings["opponents"] = LEARNER
    return memory, settings
