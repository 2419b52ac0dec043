"""The socket of the web server, and the server, which answers waiting pages when it ends."""

from __future__ import annotations

import asyncio
import socket
from types import FrameType

import uvicorn

from thurn_env.checks import quoted
from thurn_env.errors import ThurnError
from thurn_env.serve.tables import Tables

DELAY = 0.05
"""Seconds after which pages are answered: by then no connection takes a further request."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens for pages.

    Args:
        host: name or address to listen at.
        port: the port; 0 chooses a free one.

    Raises:
        ThurnError: nobody can listen there; the message says why.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # Python encodes the name like this to resolve it, but would raise another error and leave the socket open.
        host.encode("idna")
        listener = socket.create_server((host, port), family=family)
    except UnicodeError:
        raise ThurnError(f"cannot listen at {quoted(host)}: this is not a host name; try another --host") from None
    except OSError as error:
        raise ThurnError(
            f"cannot listen at {host}, port {port}: {error.strerror}; try another --port or --host"
        ) from None
    # Otherwise the body of an answer waits for 40 ms until the other side confirms the headers. All connections
    # inherit this; asyncio sets it only for sockets that it makes itself.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class WebServer(uvicorn.Server):
    """The web server. All pages wait for news, and would keep it from ending.

    Args:
        config: its configuration.
        tables: the tables whose pages wait.
    """

    def __init__(self, config: uvicorn.Config, tables: Tables) -> None:
        super().__init__(config)
        self._tables = tables

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, which takes a second. Another Ctrl-C changes nothing; Uvicorn would print a traceback."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer waiting requests, and end."""
        asyncio.get_running_loop().call_later(DELAY, self._tables.wake)
        await super().shutdown(sockets)
