"""Cost of the protocol for programs: the same agent as a program and in this process."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
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
    answer = {
        "hello": {"type": "hello", "protocol": "thurn-agent/1", "name": "echo", "version": "1"},
        "game_start": {"type": "ready"},
        "ping": {"type": "pong", "ping": message.get("ping")},
        "request": {"type": "action", "request": message.get("request"), "action": 0},
    }.get(message["type"])
    if message["type"] == "request":
        answer["action"] = message["legal"][0]["index"]
    if answer is not None:
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
        decisions, events: number and seconds of each.
    """

    name = "stopwatch"

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self.watches = isinstance(agent, Watching)
        self.clear()

    def clear(self) -> None:
        """Begin to count again."""
        self.decisions, self.decision_seconds = 0, 0.0
        self.events, self.event_seconds = 0, 0.0

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game."""
        self._agent.reset(seat, rules, seed)

    def act(self, view: View) -> int | str:
        """Return the agent's action."""
        begun = time.perf_counter()
        action: int | str = self._agent.act(view)
        self.decision_seconds += time.perf_counter() - begun
        self.decisions += 1
        return action

    def began(self, view: View) -> None:
        """Show the agent the deal."""
        self._agent.began(view)

    def saw(self, mover: int, action: int | None, view: View) -> None:
        """Tell the agent a move."""
        begun = time.perf_counter()
        self._agent.saw(mover, action, view)
        self.event_seconds += time.perf_counter() - begun
        self.events += 1

    def ended(self, game: Game, record: dict[str, Any] | None, reason: str | None) -> None:
        """Tell the agent the end."""
        self._agent.ended(game, record, reason)


def program_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Measure decisions of an agent as a program and in this process, in games against the best scripted bot.

    The program is told all moves as events before its decision; their cost is a figure of its own.
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
    """Return microseconds per decision and per event: each the best of several runs of about `seconds`."""
    table = [agent, *(make_agent(rules.bots[-1], rules.bots) for _ in range(rules.players - 1))]
    run_match(rules, table, 0)  # compiles, and starts the program
    decisions, events = [], []
    for _ in range(REPETITIONS):
        agent.clear()
        begun, seed = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            run_match(rules, table, seed)
            seed += 1
        decisions.append(1e6 * agent.decision_seconds / agent.decisions)
        events.append(1e6 * agent.event_seconds / max(1, agent.events))
    return min(decisions), min(events)
