"""Matches: single games between agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from thurn_env.checks import checked_seed, quoted
from thurn_env.engine.generator import seeded
from thurn_env.errors import AgentError, IllegalAction, OptionError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, agent_seed, copy_of_agent
from thurn_env.players.following import followers
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
    """Play one game between agents and return the finished game.

    Args:
        rules: rules of the game.
        agents: one agent per seat. If the same object occurs several times, every further seat gets a copy.
        seed: seed of the cards and of the agents; None draws one.
        start_player: seat that begins; None draws one.
        on_move: called with the game before every move and the move as text.

    Raises:
        AgentError: the number of agents is wrong, or an agent answered illegally.
    """
    game = Game.from_rules(rules, seed, start_player)
    agents = one_for_every_seat(agents)
    seat_agents(game, agents)
    play_out(game, agents, on_move)
    return game


def one_for_every_seat(agents: Sequence[Agent]) -> list[Agent]:
    """Return the agents, with copies in place of repeated objects."""
    seated: list[Agent] = []
    for agent in agents:
        seated.append(copy_of_agent(agent) if any(agent is other for other in seated) else agent)
    return seated


def seeds_of_agents(game: Game, seeds: Sequence[int] | None) -> list[int]:
    """Return the seeds of the agents by seat: the given ones, or seeds derived from the game's seed.

    Raises:
        OptionError: there is not one seed per seat, or a seed is not an integer from 0 up.
    """
    if seeds is None:
        return [agent_seed(game.seed, seat) for seat in range(game.players)]
    if not isinstance(seeds, Sequence) or isinstance(seeds, str) or len(seeds) != game.players:
        raise OptionError(f"give a seed for each of {game.players} agents, not {quoted(seeds)}")
    return [checked_seed(seed) for seed in seeds]


def seat_agents(game: Game, agents: Sequence[Agent | None], seeds: Sequence[int] | None = None) -> None:
    """Reset the agents for a game.

    Args:
        game: the game.
        agents: one agent per seat; None for a person.
        seeds: one seed per seat for the agents; None derives them from the game's seed.

    Raises:
        AgentError: the number of agents is wrong, or one is no agent.
    """
    if len(agents) != game.players:
        raise AgentError(f"{len(agents)} agents for {game.players} players")
    for agent in agents:
        if agent is not None and not isinstance(agent, Agent):
            name = quoted(agent)
            raise AgentError(f"{name} is no agent; make_agent(NAME, rules.bots) makes one from a name")
    own = seeds_of_agents(game, seeds)
    for seat, agent in enumerate(agents):
        if agent is not None:
            agent.reset(seat, game.rules, own[seat])


def play_out(game: Game, agents: Sequence[Agent], on_move: Callable[[Game, str], None] | None = None) -> None:
    """Play a game to its end with agents that were reset for it; agents that follow their games get to know all moves.

    Raises:
        AgentError: an agent answered illegally. Its cause is the reason; the game is in the position before the answer,
            with the agent at `game.seat`.
    """
    following = followers(agents)
    for follower in following:
        follower.begin(game)
    while not game.over:
        mover = game.seat
        index = chosen(game, agents[mover])
        if on_move is not None:
            on_move(game, game.rules.action_texts[index])
        game.play(index)
        for follower in following:
            follower.tell(mover, game)
    for follower in following:
        with follower.at_the_end():
            follower.end(game)


def chosen(game: Game, agent: Agent) -> int:
    """Return the index of an agent's action; a forced action is returned without calling the agent.

    Raises:
        AgentError: the agent answered illegally.
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
    """Play one game between agents and return its record.

    Args:
        rules: the rules.
        agents: one agent per seat, see `run_match`.
        seed: seed of the cards and of the agents.
        start_player: the seat that begins; None leaves it to chance.
        on_move: called with the game before every move, and the move as text.

    Raises:
        AgentError: as `run_match`.
    """
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
    """Play one game between scripted bots in compiled code: the same game as `run_match`, but much faster.

    Args:
        rules: the rules.
        bots: the name of a scripted bot for every seat.
        seed: seed of the cards and of the bots.
        start_player: the seat that begins; None leaves it to chance.
        agent_seeds: one seed per seat for the bots; None derives them from the game's seed.

    Raises:
        AgentError: there is no such bot, or the number of bots is wrong.
    """
    unknown = [name for name in bots if name not in rules.bots]
    if unknown or len(bots) != rules.players:
        wrong = f"no bot {unknown[0]!r}" if unknown else f"{len(bots)} bots for {rules.players} players"
        raise AgentError(f"{rules.title}: {wrong}; the bots are {', '.join(rules.bots)}")
    game = Game.from_rules(rules, seed, start_player)
    generators = np.array([seeded(seed) for seed in seeds_of_agents(game, agent_seeds)])
    game.let_bots_finish(bots, generators)
    return game


def play_scripted(
    rules: GameRules, bots: Sequence[str], seed: int | None = None, *, start_player: int | None = None
) -> Record:
    """Play one game between scripted bots in compiled code and return its record.

    Args:
        rules: the rules.
        bots: the name of a scripted bot for every seat.
        seed: seed of the cards and of the bots.
        start_player: the seat that begins; None leaves it to chance.

    Raises:
        AgentError: there is no such bot, or the number of bots is wrong.
    """
    return run_scripted(rules, bots, seed, start_player=start_player).record(bots)
