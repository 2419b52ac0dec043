"""Play the games of a tournament in worker processes."""

from __future__ import annotations

import json
from functools import lru_cache, partial
from typing import Any, NamedTuple

from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, ScriptedAgent, is_own, is_program, make_agent
from thurn_env.players.following import followers
from thurn_env.players.match import play_out, run_match, run_scripted, seat_agents
from thurn_env.players.programs.sandbox import Sandbox, require_sandbox
from thurn_env.table.game import Game
from thurn_env.table.style import style_of
from thurn_env.tournament import notes
from thurn_env.tournament.config import Config
from thurn_env.tournament.referee import Forfeit, Guarded, made, too_slow
from thurn_env.tournament.schedule import Slot, Table
from thurn_env.tournament.workers import Loss, give_up

SCRIPTED_CHUNK = 64

Task = tuple[Config, tuple[Slot, ...]]
"""Games of one table. The configuration lacks the secret, since agents play in the process that gets the task."""


class Played(NamedTuple):
    """A finished game: its record, its line of the index, its line of the times if decisions were timed, and logs.

    A log has the name of its agent, and begins with a line that names the game.
    """

    record: str
    line: str
    times: str | None = None
    logs: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=256)
def _agent(spec: str, bots: tuple[str, ...], sandbox: Sandbox | None, seat: int) -> Agent:
    """Return the agent of a spec, made once per seat in this process."""
    return make_agent(spec, bots, sandbox)


def forget_agents() -> None:
    """Drop cached agents: an agent's class, in a notebook for example, may have changed since the last tournament."""
    _agent.cache_clear()


def check_agents(config: Config) -> None:
    """Make every agent once.

    Raises:
        AgentError: an agent cannot be made, or one of this package's agents does not fit the game.
        OptionError: the agents are to play in a sandbox, and there is none on this machine.
    """
    if config.sandbox is not None:
        require_sandbox()
    for spec in config.agents:
        made(spec, config.rules.bots, config.time_limit, sandbox=config.sandbox)
    # Agents of other packages check for themselves; a policy or search that does not fit is a slip in the command.
    for spec in filter(is_own, config.agents):
        _warm_up_searcher(config.rules, spec)
    for spec in filter(is_program, config.agents):
        made(spec, config.rules.bots, config.time_limit, config.rules, config.sandbox)


def chunk_size(config: Config, table: Table) -> int:
    """Return the number of games that a worker plays per task: 1, unless only scripted bots play."""
    return SCRIPTED_CHUNK if config.scripted(table) else 1


def task(config: Config, table: Table, start: int, stop: int) -> Task:
    """Return the task of playing the games `start` to `stop - 1` of a table."""
    return config.without_secret(), tuple(config.schedule.slot(table, number) for number in range(start, stop))


def play_chunk(config: Config, slots: tuple[Slot, ...]) -> list[Played]:
    """Play the games of a task."""
    play = play_scripted_slot if config.scripted(slots[0].seats) else play_slot
    return [play(config, slot) for slot in slots]


def play_scripted_slot(config: Config, slot: Slot) -> Played:
    """Play a game of scripted bots in compiled code."""
    bots = [config.agents[entrant] for entrant in slot.seats]
    game = run_scripted(config.rules, bots, slot.seeds.cards, agent_seeds=slot.seeds.agents)
    return _played(config, slot, game)


def play_slot(config: Config, slot: Slot) -> Played:
    """Play a game with agents that may fail; one that fails loses by forfeit."""
    if config.sandbox is not None:
        # On a cluster, a machine may lack it, which is no agent's fault.
        require_sandbox()
    warm_up(config, slot.seats)
    bots = config.rules.bots
    game = Game.from_rules(config.rules, slot.seeds.cards)
    # The seeds of views derive from the game's seed, so it must not be the seed of the cards.
    game.seed = slot.seeds.views
    seats = [
        Guarded(
            config.names[entrant],
            seat,
            partial(_agent, config.agents[entrant], bots, config.sandbox, seat),
            game.moves,
            config.time_limit,
        )
        for seat, entrant in enumerate(slot.seats)
    ]
    forfeit = None
    notes.current.clear()
    try:
        seat_agents(game, seats, slot.seeds.agents)
        play_out(game, seats)
    except Forfeit as failure:
        # Without the traceback, which would keep all agents of the game and their programs alive.
        forfeit = Forfeit(failure.seat, failure.reason)
    except AgentError as error:
        forfeit = Forfeit(game.seat, f"answered illegally: {error.__cause__}")
    figures = [seat.figures() for seat in seats]
    texts = {seat: seat.log() for seat in seats}
    if forfeit is not None:
        for follower in followers(seats):
            if follower.seat != forfeit.seat:
                follower.end(game, reason=f"seat {forfeit.seat} lost by forfeit")
        # The next game must not depend on the state that the agents are left in.
        forget_agents()
    times: dict[str, Any] = {
        "deck": slot.deck,
        "rotation": slot.rotation,
        "agents": [seat.name for seat in seats],
        "seconds": [round(seat.seconds, 6) for seat in seats],
        "decisions": [seat.decisions for seat in seats],
    }
    if any(figures):
        times["figures"] = figures
    place = f"== deck {slot.deck}, rotation {slot.rotation}, seat"
    logs = tuple((seat.name, f"{place} {seat.seat} ==\n{text}") for seat, text in texts.items() if text)
    return _played(config, slot, game, forfeit, json.dumps(times, ensure_ascii=False))._replace(logs=logs)


def lost_game(task: Task, loss: Loss) -> list[Played]:
    """Return the game whose worker process was lost: a forfeit of the agent that had to choose."""
    config, (slot, *_) = task
    if loss.seat == notes.NOBODY:
        give_up(task, loss)
    reason = f"its process died twice: {loss.how}"
    if loss.hung and config.time_limit is not None:
        reason = f"{too_slow(config.time_limit)} and could not be interrupted"
    game = Game.from_rules(config.rules, slot.seeds.cards)
    for move in loss.moves:
        game.play(move)
    return [_played(config, slot, game, Forfeit(loss.seat, reason))]


def _played(config: Config, slot: Slot, game: Game, forfeit: Forfeit | None = None, times: str | None = None) -> Played:
    names = [config.names[entrant] for entrant in slot.seats]
    facts = {
        "deck": slot.deck,
        "rotation": slot.rotation,
        "agents": names,
        "start_player": game.start_player,
        "scores": game.scores,
        "ranks": game.ranks if forfeit is None else ranks_after_forfeit(game.ranks, forfeit.seat),
        "rounds": game.rounds,
        "moves": len(game.moves),
        "truncated": game.truncated,
        "breakdown": game.breakdown(),
        "style": style_of(game) if forfeit is None else None,
        "forfeit": forfeit and {"seat": forfeit.seat, "agent": names[forfeit.seat], "reason": forfeit.reason},
    }
    return Played(game.record(names).to_json(), json.dumps(facts, ensure_ascii=False), times)


def ranks_after_forfeit(ranks: list[int], loser: int) -> list[int]:
    """Return the ranks after a forfeit: the loser is last, the others keep their order."""
    return [
        len(ranks) if seat == loser else 1 + sum(ranks[other] < own for other in range(len(ranks)) if other != loser)
        for seat, own in enumerate(ranks)
    ]


def warm_up(config: Config, table: Table) -> None:
    """Load or compile the kernels, so that this does not count as an agent's time."""
    bots = config.rules.bots
    specs = [config.agents[entrant] for entrant in table]
    _warm_up(config.rules, tuple(spec if spec in bots else bots[0] for spec in specs))
    for spec in filter(is_own, specs):
        _warm_up_searcher(config.rules, spec)


@lru_cache(maxsize=256)
def _warm_up_searcher(rules: GameRules, spec: str) -> None:
    make_agent(spec, rules.bots).reset(0, rules, 0)


@lru_cache(maxsize=256)
def _warm_up(rules: GameRules, bots: tuple[str, ...]) -> None:
    def look(game: Game, move: str) -> None:
        view = game.view()
        _ = view.observation, view.action_mask, view.text

    run_match(rules, [ScriptedAgent(bot) for bot in bots], 0, on_move=look)
