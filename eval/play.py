"""Playing the games of a tournament: what the worker processes do."""

from __future__ import annotations

import json
import traceback
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from eval.config import Config
from eval.schedule import Slot
from thurn_env.agent import Agent, make_agent
from thurn_env.errors import AgentError
from thurn_env.game import Game
from thurn_env.games.contract import GameRules
from thurn_env.match import all_scripted, run_match, run_scripted
from thurn_env.view import View

SCRIPTED_CHUNK = 64


class Played(NamedTuple):
    """A finished game: its record and its line of the index, both as JSON."""

    record: str
    line: str


class Blamed:
    """An agent whose errors name it."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.agent = agent
        self.name = name

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Pass on the new game."""
        try:
            self.agent.reset(seat, rules, seed)
        except Exception as error:
            raise self._blame(error) from error

    def act(self, view: View) -> int | str:
        """The agent's choice."""
        try:
            return self.agent.act(view)
        except Exception as error:
            raise self._blame(error) from error

    def _blame(self, error: Exception) -> AgentError:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        return AgentError(f"agent {self.name!r} raised {type(error).__name__}: {error} ({place})")


@lru_cache(maxsize=256)
def _agent(spec: str, bots: tuple[str, ...], seat: int) -> Agent:
    """The agent of a spec, made once for every seat of this process."""
    return make_agent(spec, bots)


def agents_at(config: Config, seats: tuple[int, ...]) -> list[Agent]:
    """The agents of the entrants in these seats."""
    bots = config.rules.bots
    return [_agent(config.agents[entrant], bots, seat) for seat, entrant in enumerate(seats)]


def chunk_size(config: Config, table: tuple[int, ...]) -> int:
    """How many games of a table a worker plays before it reports: one, unless they take next to no time."""
    return SCRIPTED_CHUNK if all_scripted(agents_at(config, table)) else 1


def play_chunk(config: Config, table: tuple[int, ...], start: int, stop: int) -> list[Played]:
    """The games `start` to `stop - 1` of a table."""
    return [play_slot(config, config.schedule.slot(table, number)) for number in range(start, stop)]


def play_slot(config: Config, slot: Slot) -> Played:
    """Play one game; `AgentError` with table, deck and rotation if an agent fails."""
    rules = config.rules
    names = [config.names[entrant] for entrant in slot.seats]
    try:
        agents = agents_at(config, slot.seats)
        if all_scripted(agents):
            game = run_scripted(rules, [agent.name for agent in agents], slot.seed)
        else:
            blamed = [Blamed(agent, name) for agent, name in zip(agents, names, strict=True)]
            game = run_match(rules, blamed, slot.seed)
    except AgentError as error:
        place = f"table {' - '.join(names)}, deck {slot.deck}, rotation {slot.rotation}, seed {slot.seed}"
        raise AgentError(f"{error} [{place}]") from error
    return Played(game.record(names).to_json(), index_line(game, slot, names))


def index_line(game: Game, slot: Slot, names: list[str]) -> str:
    """What the tables need of a game, without its moves."""
    facts = {
        "deck": slot.deck,
        "rotation": slot.rotation,
        "agents": names,
        "scores": game.scores,
        "ranks": game.ranks,
        "rounds": game.rounds,
        "moves": len(game.moves),
        "truncated": game.truncated,
    }
    return json.dumps(facts, ensure_ascii=False)
