"""An agent for single games as the opponent in many games: every seat of every game has its own one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from thurn_env.games.contract import Int64Array
from thurn_env.players.agent import Agent, agent_seed, make_agent
from thurn_env.players.programs.program import Program
from thurn_env.table.batch import Batch

__all__ = ["Copies"]


class Seated(NamedTuple):
    """An agent in one seat of one game: the game's seed, and the number of moves at its last decision.

    A seed of -1 stands for a game that has been replaced by another one.
    """

    agent: Agent
    seed: int
    moves: int


class Copies:
    """Agents of one spec, one for every seat and game of a `LearnerBatch`.

    Any agent with `act` can so be an opponent in many games. It is asked for one game after the other, which takes
    about a tenth of a millisecond per decision, and the time that the agent itself needs.

    Args:
        spec: spec of the agent.
    """

    def __init__(self, spec: str) -> None:
        self.name = spec
        self._seated: dict[tuple[int, int], Seated] = {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A program cannot go on in the middle of a game. Its place is taken by another one, as at a game's beginning.
        seated = {place: one for place, one in state["_seated"].items() if not isinstance(one.agent, Program)}
        self.__dict__ |= state | {"_seated": seated}

    def act(self, batch: Batch, lanes: Int64Array) -> Int64Array:
        """Return the choice of the seat to move in each of these lanes: int64 (lanes,).

        Raises:
            IllegalAction: an agent chose an illegal action.
        """
        return np.array([self._choice(batch, lane) for lane in lanes.tolist()], np.int64)

    def begin(self, lanes: Int64Array) -> None:
        """Take note that new games begin in these lanes."""
        begun = set(lanes.tolist())
        for place, seated in self._seated.items():
            if place[0] in begun:
                self._seated[place] = seated._replace(seed=-1)

    def close(self) -> None:
        """End agents that have a `close`, such as programs."""
        for seated in self._seated.values():
            if hasattr(seated.agent, "close"):
                seated.agent.close()
        self._seated = {}

    def _choice(self, batch: Batch, lane: int) -> int:
        game = batch.game(lane)
        place, moves = (lane, game.seat), game.moves_played
        seated = self._seated.get(place)
        agent = seated.agent if seated else make_agent(self.name, batch.rules.bots)
        if not seated or seated.seed != game.seed or seated.moves >= moves:
            agent.reset(game.seat, batch.rules, agent_seed(game.seed, game.seat))
        self._seated[place] = Seated(agent, game.seed, moves)
        return game.legal_index(agent.act(game.view()))
