"""Records of one game, for tests: whole, as data to be damaged, or cut short."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

from thurn_env import Game, Record, make_rules
from thurn_env.players.match import play_scripted

Data = dict[str, Any]
Damage = Callable[[Data], Any]


@cache
def played(seed: int = 1, players: int = 2, board: str = "tiny") -> Record:
    """A finished game with reshuffles and agents."""
    rules = make_rules("thurn_und_taxis", players, board)
    return play_scripted(rules, ["sensible-random"] * players, seed)


def finished() -> Data:
    """Its record as data, to be damaged."""
    return deepcopy(json.loads(played().to_json()))


def unfinished(moves: int) -> Record:
    """The first moves of the game, recorded as a game under way."""
    record = played()
    game = Game(players=2, board="tiny", seed=1)
    for move in record.moves[:moves]:
        game.play(move)
    return game.record()
