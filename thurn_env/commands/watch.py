"""`thurn watch`: watch agents play a game."""

from __future__ import annotations

from pathlib import Path

from thurn_env.checks import LONGEST_WAIT, checked_number, checked_seed
from thurn_env.commands.arguments import chosen_sandbox
from thurn_env.commands.show import TurnPrinter, output_console, print_result
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import AgentError
from thurn_env.files import check_replaceable
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.players.agent import make_agent
from thurn_env.players.match import run_match
from thurn_env.table.record import BEGINNING


def watch(
    agents: tuple[str, ...],
    seed: int | None = None,
    board: str | None = None,
    delay: float = 0.0,
    tables: bool = False,
    save: Path | None = None,
    option: tuple[str, ...] = (),
    sandbox: tuple[str, ...] | None = None,
    game: str = DEFAULT_GAME,
) -> int:
    """Watch agents play a game: a line for every turn with its round, seat, moves and score.

    Args:
        agents: one agent for every seat; thurn info --agents lists them.
        seed: seed of the cards and the agents; by default a random one.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        delay: seconds to wait after every turn.
        tables: show the whole table after every turn.
        save: write the game to this file.
        option: options of the game as name=value.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
        game: name of the game.
    """
    if not agents:
        raise AgentError("name the agents, one for every seat, for example: --agents heuristic greedy")
    checked_number("--delay", delay, 0, LONGEST_WAIT)
    if save is not None:
        check_replaceable(save, BEGINNING, "a saved game")
    chosen = checked_seed(seed)
    rules = make_rules(game, len(agents), board, **parse_options(option))
    place = chosen_sandbox(sandbox)
    players = [make_agent(agent, rules.bots, place) for agent in agents]
    console = output_console()
    console.print(f"{rules.title}, board {rules.board_name}, seed {chosen}", markup=False)
    printer = TurnPrinter(console, agents, delay=delay, tables=tables)
    with one_thread():
        played = run_match(rules, players, chosen, on_move=printer)
    printer.finish(played)
    print_result(console, played, agents)
    if save is not None:
        played.record(agents).save(save)
        console.print(f"saved to {save}", markup=False)
    return 0
