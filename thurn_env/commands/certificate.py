"""`thurn certificate`: test whether choices of agents depend on hidden information."""

from __future__ import annotations

from rich.table import Table

from thurn_env.checks import MOST_GAMES, checked_seed, checked_whole
from thurn_env.commands.arguments import chosen_sandbox
from thurn_env.commands.show import output_console
from thurn_env.engine.library_threads import one_thread
from thurn_env.errors import AgentError
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.options import parse_options
from thurn_env.tournament.certificate import MOST_DEALS, certified

FAILED = 1
"""Exit code unless all agents use only what they may know."""


def certificate(
    agents: tuple[str, ...],
    players: int = 2,
    board: str | None = None,
    option: tuple[str, ...] = (),
    positions: int = 300,
    deals: int = 3,
    seed: int = 1,
    sandbox: tuple[str, ...] | None = None,
    game: str = DEFAULT_GAME,
) -> int:
    """Test whether the choices of agents depend on cards that they cannot know.

    Args:
        agents: the agents, for example: heuristic mcts:200 my_package.my_module:MyAgent.
        players: number of players.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        positions: number of positions per agent.
        deals: number of deals of the hidden cards per position.
        seed: seed of the positions and the deals.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
        game: name of the game.
    """
    if not agents:
        raise AgentError("name the agents, for example: --agents heuristic mcts:200")
    checked_whole("--positions", positions, 1, MOST_GAMES)
    checked_whole("--deals", deals, 2, MOST_DEALS)
    checked_seed(seed)
    rules = make_rules(game, players, board, **parse_options(option))
    place = chosen_sandbox(sandbox)
    with one_thread():
        found = [certified(spec, rules, positions, deals, seed, place) for spec in agents]
    table = Table(title=f"Choices in positions with {deals} deals each")
    table.add_column("agent", overflow="fold")
    table.add_column("positions", justify="right")
    table.add_column("changed", justify="right")
    table.add_column("not repeatable", justify="right")
    table.add_column("independent of hidden cards")
    for row in found:
        counts = (row.positions, row.changed, row.unrepeatable)
        table.add_row(row.agent, *("" if row.failure else f"{count:,}" for count in counts), row.verdict)
    console = output_console()
    console.print(table)
    for row in found:
        if row.example:
            console.print(row.example, markup=False)
    if failures := [row.failure for row in found if row.failure]:
        raise AgentError("; ".join(failures))
    return 0 if all(row.verdict == "yes" for row in found) else FAILED
