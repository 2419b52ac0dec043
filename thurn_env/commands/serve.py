"""`thurn serve`: a web page to play on."""

from __future__ import annotations

import socket

from thurn_env.checks import MOST_GAMES, checked_number, checked_whole, quoted
from thurn_env.engine.kernel_cache import cache_folder
from thurn_env.engine.library_threads import limit_process
from thurn_env.errors import MissingExtra, ThurnError
from thurn_env.players.agent import make_agent

INSTALL = 'pip install "thurn-env[serve]"'
LOOPBACK = "127.0.0.1"
LONGEST_EXPIRY = 366 * 24 * 60
"""Minutes after which every game is forgotten that nobody looks at: a year."""


def serve(
    agents: tuple[str, ...] = (),
    boards: tuple[str, ...] = (),
    host: str = LOOPBACK,
    port: int = 8000,
    names: tuple[str, ...] = (),
    games: int = 100,
    expiry: float = 120.0,
    adviser: str | None = None,
) -> int:
    """Play on a web page, against any agents. Without another word nobody but this machine can reach it.

    Args:
        agents: agents to offer besides the scripted bots and mcts:1000.
        boards: files of boards to offer besides those that come with the games.
        host: the address to listen at; 0.0.0.0 lets everyone in who can reach this machine.
        port: the port to listen at; 0 takes a free one.
        names: the names by which others reach this machine; localhost and addresses in digits need not be named.
        games: how many games there may be at a time.
        expiry: minutes after which a game is forgotten that nobody looks at.
        adviser: the agent that gives hints and reviews; mcts:4000 if not given.
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
        raise MissingExtra(f"the page to play on needs {error.name}: {INSTALL}") from None
    menu = Menu.usual(agents, boards)
    if adviser is not None:
        make_agent(adviser, menu.bots)
    app = make_app(menu, LiveGames(games, 60 * expiry), adviser, names)
    limit_process()  # Several games have their agents think at the same time.
    cache_folder()  # Takes a second once; requests ask at once what is compiled.
    listener = _listener(host, port)
    quoted = f"[{host}]" if ":" in host else host
    print(f"Play at http://{quoted}:{listener.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1, ws="none"
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens; `ThurnError` with the reason if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # As Python does it to look the name up, but it would raise another error and leave the socket open.
        host.encode("idna")
        return socket.create_server((host, port), family=family)
    except UnicodeError:
        raise ThurnError(f"cannot listen at {quoted(host)}: that is no name of a machine; try another --host") from None
    except OSError as error:
        raise ThurnError(f"cannot listen at {host}, port {port}: {error.strerror}; try another --port") from None
