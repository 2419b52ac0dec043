"""`thurn play`: a game in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thurn_env.checks import checked_seed
from thurn_env.commands.arguments import INTERRUPTED
from thurn_env.commands.dialogue import SHORT_HELP, Dialogue, Left
from thurn_env.commands.show import output_console, result_table
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import AgentError, OptionError
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.players.agent import Agent, make_agent
from thurn_env.players.session import Session
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import resume as resume_record

HUMAN = "human"
USUAL = (HUMAN, "heuristic")


def play(
    agents: tuple[str, ...] = (),
    seed: int | None = None,
    board: str | None = None,
    save: Path | None = None,
    resume: Path | None = None,
    option: tuple[str, ...] = (),
    game: str = DEFAULT_GAME,
) -> int:
    """Play a game in the terminal. Who leaves early, or stops with Ctrl-C, finds it in a file.

    Args:
        agents: who sits in every seat: human, or an agent; thurn info --agents lists them. Without: human heuristic.
        seed: of the cards and the agents; a fresh one if not given. In a resumed game, of what is still to come.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        save: write the game to this file, even when it is left early.
        resume: go on with the game in this file, with the agents in it if no others are given, and save it there.
        option: the game's own options as name=value.
        game: the name of the game.
    """
    checked_seed(seed)
    if resume is None:
        names = agents or USUAL
        rules = make_rules(game, len(names), board, **parse_options(option))
        # Agents first: dealing may have to compile, and a wrong name should not wait for that.
        players = seated(names, rules.bots)
        started = Game.from_rules(rules, checked_seed(seed))
        about = f"seed {started.seed}"
    else:
        if board is not None or option:
            raise OptionError("a resumed game has its board and its options already; leave --board and --option out")
        record, names = _resumed(resume, agents)
        rules = record.rules
        players = seated(names, rules.bots)
        started = resume_record(record, seed)
        about = f"after {len(started.moves)} moves"
    session = Session(started, players)
    console = output_console()
    console.print(f"{rules.title}, board {rules.board_name}, {about}\n{SHORT_HELP}", markup=False)
    dialogue = Dialogue(console, session, names, save or resume)
    try:
        with one_thread():
            dialogue.run()
    except Left:
        console.print("You left the game.")
        dialogue.keep()
        return 0
    except KeyboardInterrupt:
        console.print("\nYou stopped the game.")
        dialogue.keep()
        return INTERRUPTED
    except AgentError:
        dialogue.keep()
        raise
    console.print(result_table(session.game, names))
    if dialogue.file is not None:
        dialogue.save(dialogue.file)
    return 0


def seated(names: Sequence[str], bots: tuple[str, ...]) -> list[Agent | None]:
    """The agents of these names, None for people; `AgentError` if there is no such agent, or nobody is human."""
    if HUMAN not in names:
        raise AgentError("nobody at the table is human; thurn watch shows a game between agents")
    return [None if name == HUMAN else make_agent(name, bots) for name in names]


def _resumed(file: Path, agents: tuple[str, ...]) -> tuple[Record, tuple[str, ...]]:
    """The record of a file, which goes on, and who plays it."""
    record = Record.load(file)
    if record.result is not None:
        raise OptionError(f"{file}: the game is over; thurn replay shows it")
    names = agents or tuple(record.agents)
    if len(names) != record.players:
        raise AgentError(f"{file}: {record.players} play this game; name them all with --agents")
    return record, names
