"""`thurn serve`: play on a web page."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from thurn_env.checks import MOST_GAMES, checked_number, checked_whole
from thurn_env.commands.arguments import chosen_sandbox
from thurn_env.engine.kernel_cache import cache_folder
from thurn_env.engine.library_threads import limit_process
from thurn_env.errors import MissingExtra, OptionError, ThurnError
from thurn_env.files import check_replaceable, locked, write_text
from thurn_env.table.record import BEGINNING

INSTALL = 'pip install "thurn-env[serve]"'
LOOPBACK = "127.0.0.1"
LONGEST_EXPIRY = 366 * 24 * 60
"""Longest `expiry` in minutes: a year."""
LONGEST_PATIENCE = 24 * 3600
"""Longest `patience` in seconds: a day."""
MOST_REQUESTS = 1_000_000
"""Largest limit of requests and of new tables."""


def serve(
    agents: tuple[str, ...] = (),
    boards: tuple[str, ...] = (),
    host: str = LOOPBACK,
    port: int = 8000,
    names: tuple[str, ...] = (),
    games: int = 100,
    expiry: float = 120.0,
    adviser: str | None = None,
    keep: Path | None = None,
    export: Path | None = None,
    patience: float = 120.0,
    requests: int = 40,
    new_tables: int = 10,
    sandbox: tuple[str, ...] | None = None,
) -> int:
    """Play on a web page, with other people and against any agents. By default only this machine can connect.

    Args:
        agents: agents to offer in addition to the scripted bots, mcts:1000 and published models.
        boards: board files to offer in addition to the shipped boards.
        host: address to listen at; 0.0.0.0 accepts connections from every machine that can reach this one.
        port: port to listen at; 0 takes a free one.
        names: host names by which other machines reach this one; localhost and numeric addresses need not be given.
        games: maximum number of tables in memory at a time.
        expiry: minutes without a request after which a table is closed; with --keep its links open it again.
        adviser: agent for hints and reviews; by default mcts:4000.
        keep: folder in which tables survive the end of the server, and finished games are kept as records.
        export: file to write with the finished games in the folder --keep, one record a line, instead of serving.
        patience: seconds for a decision of an agent, after which a scripted bot replaces it.
        requests: requests per second of one address, which this machine's own need not observe.
        new_tables: new tables per minute of one address, which this machine's own need not observe.
        sandbox: run exec agents under bubblewrap, see thurn tournament; limits may follow, such as memory=512.
    """
    checked_whole("--port", port, 0, 65_535)
    checked_whole("--games", games, 1, MOST_GAMES)
    checked_number("--expiry", expiry, 0, LONGEST_EXPIRY, above=True)
    checked_number("--patience", patience, 0, LONGEST_PATIENCE, above=True)
    checked_whole("--requests", requests, 1, MOST_REQUESTS)
    checked_whole("--new-tables", new_tables, 1, MOST_REQUESTS)
    try:
        import uvicorn

        from thurn_env.serve.app import make_app
        from thurn_env.serve.limits import Rates
        from thurn_env.serve.listening import WebServer, listening_socket
        from thurn_env.serve.menu import Menu
        from thurn_env.serve.store import BUSY, Store
        from thurn_env.serve.tables import Tables
    except ModuleNotFoundError as error:
        raise MissingExtra(f"thurn serve needs {error.name}: {INSTALL}") from None
    if export is not None:
        return _export(keep, export)
    menu = Menu.usual(agents, boards, chosen_sandbox(sandbox))
    if adviser is not None:
        menu.check(adviser)
    with ExitStack() as stack:
        listener = stack.enter_context(listening_socket(host, port))
        store = None
        if keep is not None:
            stack.enter_context(locked(keep, BUSY))
            store = Store(keep)
        tables = Tables(games, 60 * expiry, store=store)
        app = make_app(menu, tables, adviser, names, patience, Rates(requests, new_tables))
        limit_process()  # Agents of several games think at the same time.
        cache_folder()  # Takes a second once; do not delay the first request.
        quoted = f"[{host}]" if ":" in host else host
        print(f"Play at http://{quoted}:{listener.getsockname()[1]}/ (Ctrl-C stops the server)", flush=True)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1, ws="none"
        )
        WebServer(config, tables).run(sockets=[listener])
    return 0


def _export(keep: Path | None, file: Path) -> int:
    """Write all finished games as JSON lines."""
    from thurn_env.serve.store import FILE, Store

    if keep is None:
        raise OptionError("--export writes the games of a folder; name the folder with --keep")
    if not (keep / FILE).exists():
        raise ThurnError(f"{keep}: no games are kept in this folder")
    check_replaceable(file, BEGINNING, "an export of games")
    store = Store(keep)
    records = store.records()
    store.close()
    write_text(file, "".join(f"{record}\n" for record in records))
    print(f"Wrote {len(records)} games to {file}.")
    return 0
