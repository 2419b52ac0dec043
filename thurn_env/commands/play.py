"""`thurn play`: play a game in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thurn_env.checks import checked_seed, quoted
from thurn_env.commands.arguments import INTERRUPTED, chosen_sandbox
from thurn_env.commands.dialogue import SHORT_HELP, Dialogue, Left, unsafe
from thurn_env.commands.show import output_console, print_result
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import AgentError, OptionError
from thurn_env.files import check_replaceable
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.players.agent import Agent, make_agent
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.players.session import HUMAN, Session
from thurn_env.table.game import Game
from thurn_env.table.record import BEGINNING, Record
from thurn_env.table.replay import resume as resume_record

USUAL = (HUMAN, "heuristic")


def play(
    agents: tuple[str, ...] = (),
    seed: int | None = None,
    board: str | None = None,
    save: Path | None = None,
    resume: Path | None = None,
    option: tuple[str, ...] = (),
    sandbox: tuple[str, ...] | None = None,
    game: str | None = None,
) -> int:
    """Play a game in the terminal. A game that is left early, also with Ctrl-C, is saved in a file.

    Args:
        agents: one for every seat: human, or an agent; thurn info --agents lists them. By default: human heuristic.
        seed: seed of the cards and the agents; by default a random one. In a resumed game, seed of all further
            randomness.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        save: write the game to this file, even if it is left early.
        resume: continue the game in this file, with its agents if no others are given, and save it there.
        option: options of the game as name=value.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
        game: name of the game; by default thurn_und_taxis.
    """
    checked_seed(seed)
    place = chosen_sandbox(sandbox)
    if save is not None:
        check_replaceable(save, BEGINNING, "a saved game")
    if resume is None:
        names = agents or USUAL
        rules = make_rules(game or DEFAULT_GAME, len(names), board, **parse_options(option))
        # Make the agents first: a wrong name should not have to wait until the deal is compiled.
        players = seated(names, rules.bots, place)
        started = Game.from_rules(rules, checked_seed(seed))
        about = f"seed {started.seed}"
    else:
        if board is not None or option or game is not None:
            raise OptionError("a resumed game keeps its board and its options; leave out --game, --board and --option")
        record, names = _resumed(resume, agents)
        rules = record.rules
        players = seated(names, rules.bots, place)
        started = resume_record(record, seed)
        about = f"after {len(started.moves)} moves"
    session = Session(started, players)
    console = output_console()
    console.print(f"{rules.title}, board {rules.board_name}, {about}\n{SHORT_HELP}", markup=False)
    dialogue = Dialogue(console, session, names, save or resume, sandbox)
    try:
        with one_thread():
            dialogue.run()
    except Left:
        console.print("You left the game.")
        dialogue.keep()
        session.finish(reason="the game was left")
        return 0
    except KeyboardInterrupt:
        console.print("\nYou stopped the game.")
        dialogue.keep()
        return INTERRUPTED
    except BaseException:  # an agent may fail in any way
        dialogue.keep()
        raise
    print_result(console, session.game, names)
    if dialogue.file is not None:
        dialogue.save(dialogue.file)
    return 0


def seated(names: Sequence[str], bots: tuple[str, ...], sandbox: Sandbox | None = None) -> list[Agent | None]:
    """Return the agents by name, None for people; raise `AgentError` if one does not exist or nobody is human."""
    if HUMAN not in names:
        raise AgentError("nobody at the table is human; thurn watch shows a game between agents")
    return [None if name == HUMAN else make_agent(name, bots, sandbox) for name in names]


def _resumed(file: Path, agents: tuple[str, ...]) -> tuple[Record, tuple[str, ...]]:
    """Return the unfinished record in a file, and its agents."""
    record = Record.load(file)
    if record.result is not None:
        raise OptionError(f"{file}: the game is over; thurn replay shows it")
    names = agents or tuple(record.agents)
    if not agents and (others := unsafe(names, record.rules.bots)):
        raise AgentError(
            f"{file}: the agent {quoted(others[0])} could run any code, so that no file starts it; "
            "name all agents with --agents"
        )
    if len(names) != record.players:
        raise AgentError(f"{file}: the game has {record.players} players; name one agent for each with --agents")
    return record, names
