"""`thurn serve`: play on a web page."""

from __future__ import annotations

import socket

from thurn_env.checks import MOST_GAMES, checked_number, checked_whole, quoted
from thurn_env.commands.arguments import chosen_sandbox
from thurn_env.engine.kernel_cache import cache_folder
from thurn_env.engine.library_threads import limit_process
from thurn_env.errors import MissingExtra, ThurnError
from thurn_env.players.agent import make_agent

INSTALL = 'pip install "thurn-env[serve]"'
LOOPBACK = "127.0.0.1"
LONGEST_EXPIRY = 366 * 24 * 60
"""Longest `expiry` in minutes: a year."""


def serve(
    agents: tuple[str, ...] = (),
    boards: tuple[str, ...] = (),
    host: str = LOOPBACK,
    port: int = 8000,
    names: tuple[str, ...] = (),
    games: int = 100,
    expiry: float = 120.0,
    adviser: str | None = None,
    sandbox: tuple[str, ...] | None = None,
) -> int:
    """Play on a web page, against any agents. By default only this machine can connect.

    Args:
        agents: agents to offer in addition to the scripted bots, mcts:1000 and published models.
        boards: board files to offer in addition to the shipped boards.
        host: address to listen at; 0.0.0.0 accepts connections from every machine that can reach this one.
        port: port to listen at; 0 takes a free one.
        names: host names by which other machines reach this one; localhost and numeric addresses need not be given.
        games: maximum number of games at a time.
        expiry: minutes without a request after which a game is deleted.
        adviser: agent for hints and reviews; by default mcts:4000.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
    """
    checked_whole("--port", port, 0, 65_535)
    checked_whole("--games", games, 1, MOST_GAMES)
    checked_number("--expiry", expiry, 0, LONGEST_EXPIRY, above=True)
    try:
        import uvicorn

        from thurn_env.serve.app import make_app
        from thurn_env.serve.live_games import LiveGames
        from thurn_env.serve.menu import Menu
    except ModuleNotFoundError as error:
        raise MissingExtra(f"thurn serve needs {error.name}: {INSTALL}") from None
    menu = Menu.usual(agents, boards, chosen_sandbox(sandbox))
    if adviser is not None:
        make_agent(adviser, menu.bots, menu.sandbox)
    app = make_app(menu, LiveGames(games, 60 * expiry), adviser, names)
    limit_process()  # Agents of several games think at the same time.
    cache_folder()  # Takes a second once; do not delay the first request.
    listener = _listener(host, port)
    quoted = f"[{host}]" if ":" in host else host
    print(f"Play at http://{quoted}:{listener.getsockname()[1]}/ (Ctrl-C stops the server)", flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1, ws="none"
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `ThurnError` with the reason if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # Python encodes the name like this to resolve it, but would raise another error and leave the socket open.
        host.encode("idna")
        return socket.create_server((host, port), family=family)
    except UnicodeError:
        raise ThurnError(f"cannot listen at {quoted(host)}: this is not a host name; try another --host") from None
    except OSError as error:
        raise ThurnError(f"cannot listen at {host}, port {port}: {error.strerror}; try another --port") from None
