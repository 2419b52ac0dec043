"""thurn-env: modern German route-building games as reinforcement-learning environments.

`Game` is a single game, `Batch` steps many games at once, `Record` stores a game as text.
`thurn_env.thurn_und_taxis_v0` is the PettingZoo environment; `gymnasium.make("thurn_env/ThurnUndTaxis-v0")` makes the
single-learner environment.
"""

from thurn_env.envs import register_environments
from thurn_env.errors import AgentError, IllegalAction, MissingExtra, OptionError, RecordError, ThurnError
from thurn_env.games import make_rules
from thurn_env.table.batch import Batch
from thurn_env.table.game import Game, View
from thurn_env.table.legal_actions import LegalActions
from thurn_env.table.record import Record
from thurn_env.table.replay import replay, verify

__version__ = "0.2.0"

__all__ = [
    "AgentError",
    "Batch",
    "Game",
    "IllegalAction",
    "LegalActions",
    "MissingExtra",
    "OptionError",
    "Record",
    "RecordError",
    "ThurnError",
    "View",
    "make_rules",
    "replay",
    "verify",
]

register_environments()
