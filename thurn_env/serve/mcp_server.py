"""A server of the Model Context Protocol: the tools of a `ToolGame`. Needs the extra `mcp`."""

from __future__ import annotations

from collections.abc import Callable

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from thurn_env import __version__
from thurn_env.errors import ThurnError, sentence
from thurn_env.serve.tool_game import ToolGame

__all__ = ["make_server"]

INSTRUCTIONS = (
    "Play a board game against other agents: call new_game, then play with one of the legal actions until the result "
    "is shown."
)


def make_server(tools: ToolGame) -> MCPServer:
    """Return a server with the tools of a game; `hint` is among them only if hints are allowed."""
    server: MCPServer = MCPServer("thurn", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    offered = "; ".join(
        f"{entry['name']} on {', '.join(entry['boards'])} for {entry['players'][0]} to {entry['players'][-1]} players "
        f"against {', '.join(entry['agents'])}"
        for entry in tools.menu.for_page()
    )

    def new_game(game: str | None = None, board: str | None = None, opponents: list[str] = [], seat: int = 0) -> str:  # noqa: B006
        return _answered(lambda: tools.new_game(game, board, opponents, seat))

    def view() -> str:
        return _answered(tools.view)

    def legal_actions() -> str:
        return _answered(lambda: "\n".join(tools.legal_actions()) or "none: the game is over")

    def play(action: str) -> str:
        return _answered(lambda: tools.play(action))

    def hint() -> str:
        return _answered(tools.hint)

    offers: list[tuple[Callable[..., str], str]] = [
        (
            new_game,
            "Begin a game, which replaces the current one. game: name of the game. board: name of the board. "
            "opponents: agents of the other seats, in order. seat: your seat, from 0. All arguments are optional. "
            f"Available: {offered}.",
        ),
        (view, "Show what you see: the table, your hand, the legal actions."),
        (legal_actions, "List your legal actions, one per line."),
        (play, "Play one of your legal actions; the other players then play until it is your turn again."),
        *([(hint, "Ask for the move of a strong player in your place, with reasons.")] if tools.hints else []),
    ]
    for tool, words in offers:
        server.add_tool(tool, description=words, structured_output=False)
    return server


def _answered(call: Callable[[], str]) -> str:
    """Return the result of a tool; what is wrong with a call becomes an answer that the client can correct."""
    try:
        return call()
    except ThurnError as error:
        raise ToolError(sentence(error)) from None
