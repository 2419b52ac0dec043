"""Playing games between agents, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from thurn_env.checks import checked_seed, quoted
from thurn_env.engine.generator import seeded
from thurn_env.errors import AgentError, IllegalAction, OptionError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, ScriptedAgent, agent_of_its_own, agent_seed
from thurn_env.table.game import Game
from thurn_env.table.record import Record

__all__ = ["play_match", "play_scripted", "run_match", "run_scripted"]


def run_match(
    rules: GameRules,
    agents: Sequence[Agent],
    seed: int | None = None,
    *,
    start_player: int | None = None,
    on_move: Callable[[Game, str], None] | None = None,
) -> Game:
    """Play one game between agents and return it, finished.

    Args:
        rules: the rules.
        agents: one agent per seat. Where the same object is given for several seats, every further seat gets a copy.
        seed: of the cards and of the agents' own randomness.
        start_player: the seat that begins; None leaves it to chance.
        on_move: called with the game (before the move) and every move in text form.

    Raises:
        AgentError: the wrong number of agents, or one that answered with something that is not legal.
    """
    game = Game.from_rules(rules, seed, start_player)
    agents = one_for_every_seat(agents)
    seat_agents(game, agents)
    play_out(game, agents, on_move)
    return game


def one_for_every_seat(agents: Sequence[Agent]) -> list[Agent]:
    """Return the agents, with a copy in the place of one that sits in an earlier seat already."""
    seated: list[Agent] = []
    for agent in agents:
        seated.append(agent_of_its_own(agent) if any(agent is other for other in seated) else agent)
    return seated


def seeds_of_agents(game: Game, seeds: Sequence[int] | None) -> list[int]:
    """Return the seeds of the agents by seat: the given ones, or those that follow from the game's seed.

    Raises:
        OptionError: there is not one seed for every seat, or one is no whole number from 0 up.
    """
    if seeds is None:
        return [agent_seed(game.seed, seat) for seat in range(game.players)]
    if not isinstance(seeds, Sequence) or isinstance(seeds, str) or len(seeds) != game.players:
        raise OptionError(f"give a seed for each of {game.players} agents, not {quoted(seeds)}")
    return [checked_seed(seed) for seed in seeds]


def seat_agents(game: Game, agents: Sequence[Agent | None], seeds: Sequence[int] | None = None) -> None:
    """Tell the agents that a game begins.

    Args:
        game: the game.
        agents: one agent per seat. None stands for a person, who sees it.
        seeds: one seed per seat for the agents' own randomness; None derives them from the game's seed.

    Raises:
        AgentError: the wrong number of agents.
    """
    if len(agents) != game.players:
        raise AgentError(f"{len(agents)} agents for {game.players} players")
    own = seeds_of_agents(game, seeds)
    for seat, agent in enumerate(agents):
        if agent is not None:
            agent.reset(seat, game.rules, own[seat])


def play_out(game: Game, agents: Sequence[Agent], on_move: Callable[[Game, str], None] | None = None) -> None:
    """Let agents that know of the game play it to its end.

    Raises:
        AgentError: an agent answered with something that is not legal. Its cause is the reason, and the game is as it
            was when the agent, at `game.seat`, was asked.
    """
    while not game.over:
        index = chosen(game, agents[game.seat])
        if on_move is not None:
            on_move(game, game.rules.action_texts[index])
        game.play(index)


def chosen(game: Game, agent: Agent) -> int:
    """The index of the action that an agent chooses where it is to move; it is not asked where there is no choice.

    Raises:
        AgentError: it answered with something that is not legal.
    """
    legal = game.legal_actions
    if len(legal) == 1:
        return int(legal[0])
    action = agent.act(game.view())
    try:
        return game.legal_index(action)
    except (IllegalAction, TypeError, ValueError) as error:
        raise AgentError(f"agent {agent.name!r} at seat {game.seat}: {error}") from error


def play_match(
    rules: GameRules,
    agents: Sequence[Agent],
    seed: int | None = None,
    *,
    start_player: int | None = None,
    on_move: Callable[[Game, str], None] | None = None,
) -> Record:
    """The record of `run_match`."""
    game = run_match(rules, agents, seed, start_player=start_player, on_move=on_move)
    return game.record([agent.name for agent in agents])


def run_scripted(
    rules: GameRules,
    bots: Sequence[str],
    seed: int | None = None,
    *,
    start_player: int | None = None,
    agent_seeds: Sequence[int] | None = None,
) -> Game:
    """Play one game between scripted bots in compiled code: the same game as `run_match`, much faster.

    `agent_seeds` has one seed per seat for the bots' own randomness; None derives them from the game's seed.
    """
    unknown = [name for name in bots if name not in rules.bots]
    if unknown or len(bots) != rules.players:
        wrong = f"no bot {unknown[0]!r}" if unknown else f"{len(bots)} bots for {rules.players} players"
        raise AgentError(f"{rules.title}: {wrong}; the bots are {', '.join(rules.bots)}")
    game = Game.from_rules(rules, seed, start_player)
    generators = np.array([seeded(seed) for seed in seeds_of_agents(game, agent_seeds)])
    game.let_bots_finish([rules.bots.index(name) for name in bots], generators)
    return game


def play_scripted(
    rules: GameRules, bots: Sequence[str], seed: int | None = None, *, start_player: int | None = None
) -> Record:
    """The record of `run_scripted`."""
    return run_scripted(rules, bots, seed, start_player=start_player).record(bots)


def all_scripted(agents: Sequence[Agent]) -> bool:
    """Whether a table can be played by `play_scripted`."""
    return all(type(agent) is ScriptedAgent for agent in agents)
