"""Cost of the protocol for programs: the same agent as a program and in this process."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from thurn_env.commands.measure import Figure
from thurn_env.engine.library_threads import one_thread
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.following import Watching
from thurn_env.players.match import run_match
from thurn_env.players.programs.program import Program
from thurn_env.table.game import Game, View

ECHO = """
import json, sys
for line in sys.stdin.buffer:
    message = json.loads(line)
    kind = message["type"]
    if kind == "request":
        answer = {"type": "action", "request": message["request"], "action": message["legal"][0]["index"]}
    elif kind == "ping":
        answer = {"type": "pong", "ping": message["ping"]}
    elif kind == "hello":
        answer = {"type": "hello", "protocol": "thurn-agent/1", "name": "echo", "version": "1"}
    elif kind == "game_start":
        answer = {"type": "ready"}
    else:
        continue
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""
"""A program that plays the first legal action."""
REPETITIONS = 3


class Echo:
    """The agent of `ECHO` in this process."""

    name = "echo"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game."""

    def act(self, view: View) -> int:
        """Return the first legal action."""
        return int(view.legal_actions[0])


class Stopwatch:
    """An agent whose decisions and events are timed.

    Attributes:
        decisions: seconds of every decision.
        events: seconds of every event.
    """

    name = "stopwatch"

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self.watches = isinstance(agent, Watching)
        self.decisions: list[float] = []
        self.events: list[float] = []

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game."""
        self._agent.reset(seat, rules, seed)

    def act(self, view: View) -> int | str:
        """Return the agent's action."""
        begun = time.perf_counter()
        action: int | str = self._agent.act(view)
        self.decisions.append(time.perf_counter() - begun)
        return action

    def began(self, view: View) -> None:
        """Show the agent the deal."""
        self._agent.began(view)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Tell the agent a move."""
        begun = time.perf_counter()
        self._agent.saw(mover, action, view)
        self.events.append(time.perf_counter() - begun)

    def ended(self, game: Game, record: dict[str, Any] | None, reason: str | None) -> None:
        """Tell the agent the end."""
        self._agent.ended(game, record, reason)


def program_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Measure decisions of an agent as a program and in this process, in games against the best scripted bot.

    The program is told all moves as events before its decision; their cost is a figure of its own. All figures are
    medians.
    """
    program = Program(shlex.join([sys.executable, "-I", "-S", "-c", ECHO]))
    with one_thread():
        there, event = _best(Stopwatch(program), rules, seconds)
        here, _ = _best(Stopwatch(Echo()), rules, seconds)
    program.close()
    yield Figure("decision of a program", there, "us")
    yield Figure("the same agent in this process", here, "us")
    yield Figure("cost of the protocol per decision", there - here, "us")
    yield Figure("event to a program", event, "us")


def _best(agent: Stopwatch, rules: GameRules, seconds: float) -> tuple[float, float]:
    """Return microseconds of a decision and of an event: of several runs of about `seconds`, the best median."""
    table = [agent, *(make_agent(rules.bots[-1], rules.bots) for _ in range(rules.players - 1))]
    run_match(rules, table, 0)  # compiles, and starts the program
    decisions, events = [], []
    for _ in range(REPETITIONS):
        agent.decisions.clear()
        agent.events.clear()
        begun, seed = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            run_match(rules, table, seed)
            seed += 1
        decisions.append(1e6 * median(agent.decisions))
        events.append(1e6 * median(agent.events or [0.0]))
    return min(decisions), min(events)
