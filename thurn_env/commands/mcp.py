"""`thurn mcp`: let a program play, by the Model Context Protocol over standard input and output."""

from __future__ import annotations

from thurn_env.checks import checked_seed
from thurn_env.commands.arguments import chosen_sandbox
from thurn_env.engine.library_threads import limit_process
from thurn_env.errors import MissingExtra
from thurn_env.serve.menu import Menu
from thurn_env.serve.tool_game import ToolGame

INSTALL = 'pip install "thurn-env[mcp]"'


def mcp(
    agents: tuple[str, ...] = (),
    boards: tuple[str, ...] = (),
    hints: bool = False,
    adviser: str | None = None,
    seed: int | None = None,
    sandbox: tuple[str, ...] | None = None,
) -> int:
    """Let a program, such as a language model's client, play by the Model Context Protocol.

    The program starts this command and calls its tools over standard input and output: new_game, view, legal_actions,
    play and, if allowed, hint. Cards that its seat cannot know are never sent.

    Args:
        agents: agents to offer as opponents in addition to the scripted bots and mcts:1000.
        boards: board files to offer in addition to the shipped boards.
        hints: offer hints, too.
        adviser: agent for hints; by default mcts:4000.
        seed: seed of the first game; every further game takes the next number. By default seeds are random.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
    """
    if seed is not None:
        checked_seed(seed)
    menu = Menu.usual(agents, boards, chosen_sandbox(sandbox))
    if adviser is not None:
        menu.check(adviser)
    _run(ToolGame(menu, hints=hints, adviser=adviser, seed=seed))
    return 0


def _run(tools: ToolGame) -> None:
    """Answer calls of tools until the client closes standard input."""
    try:
        from thurn_env.serve.mcp_server import make_server
    except ModuleNotFoundError as error:
        raise MissingExtra(f"thurn mcp needs {error.name}: {INSTALL}") from None
    limit_process()
    make_server(tools).run("stdio")
