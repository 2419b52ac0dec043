"""Time per decision of an agent, alone and beside a busy process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thurn_env.commands.measure import Figure, rate
from thurn_env.engine.generator import seeded
from thurn_env.engine.library_threads import one_thread
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, agent_seed, make_agent
from thurn_env.table.game import Game, View

POSITIONS = 32
"""Number of positions with a choice that the agent decides in turn."""
SEED = 0


@contextmanager
def busy_process() -> Iterator[None]:
    """Keep one core busy with another process while the context is open."""
    process = subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.communicate()


def views_of(rules: GameRules, bot: str) -> list[View]:
    """Return the start player's views at its first decisions in games of a scripted bot."""
    views: list[View] = []
    number, generator = rules.bots.index(bot), seeded(SEED)
    game = Game.from_rules(rules, SEED, start_player=0)
    while len(views) < POSITIONS:
        if game.over:
            game = Game.from_rules(rules, SEED + len(views), start_player=0)
        if game.seat == 0 and len(game.legal_actions) > 1:
            views.append(game.view())
        game.play(rules.bot_action(game.states, 0, number, generator))
    return views


def agent_figures(rules: GameRules, spec: str, seconds: float) -> Iterator[Figure]:
    """Measure the time per decision with one thread for NumPy and torch, as in a tournament.

    Raises:
        AgentError: there is no such agent, or it does not play this game.
    """
    agent = make_agent(spec, rules.bots)
    agent.reset(0, rules, agent_seed(SEED, 0))
    work = decisions_of(agent, views_of(rules, rules.bots[-1]))
    with one_thread():
        work(POSITIONS)  # compiles
        yield Figure(f"decision of {spec}", 1e6 / rate(work, seconds), "us")
        with busy_process():
            figure = 1e6 / rate(work, seconds)
        yield Figure(f"decision of {spec} beside a busy process", figure, "us")


def decisions_of(agent: Agent, views: list[View]) -> Callable[[int], None]:
    """Return a function that lets the agent make `number` decisions."""

    def work(number: int) -> None:
        for index in range(number):
            agent.act(views[index % len(views)])

    return work
