"""Protocols that a game implements; environments, agents, training and tournaments use games only through them.

A `GameRules` is one game with its board, options and number of players: a constant that all its games and agents
share. Its mappings and arrays are read-only, and its attributes cannot be set after construction. The games themselves
are records in NumPy arrays, so every method takes `states`, an array of state records, and `index`, the game in it. A
function takes the part that it needs: `Rules` to play, `Shown` to draw.
"""

from thurn_env.engine.kernels import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    UInt64Array,
)
from thurn_env.games.contract.bots import WithBots
from thurn_env.games.contract.chance import Chance, RecordedChance, add_outcomes
from thurn_env.games.contract.compiled import Compiled
from thurn_env.games.contract.lanes import InLanes
from thurn_env.games.contract.rules import (
    REWARD_MODES,
    Records,
    RewardMode,
    Rules,
    reward_mode,
    unknown_action,
)
from thurn_env.games.contract.searched import Searched, Things
from thurn_env.games.contract.shown import HIDDEN_MOVE, SECRET, Shown, Table


class GameRules(RecordedChance, Shown, WithBots, Searched, InLanes, Compiled):
    """A complete game: its rules and all further parts."""


__all__ = [
    "HIDDEN_MOVE",
    "REWARD_MODES",
    "SECRET",
    "Chance",
    "Compiled",
    "Float32Array",
    "Float64Array",
    "GameRules",
    "InLanes",
    "Int8Array",
    "Int16Array",
    "Int64Array",
    "RecordedChance",
    "Records",
    "RewardMode",
    "Rules",
    "Searched",
    "Shown",
    "Table",
    "Things",
    "UInt64Array",
    "WithBots",
    "add_outcomes",
    "reward_mode",
    "unknown_action",
]
