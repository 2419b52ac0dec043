"""The web server, which answers waiting pages when it ends."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from thurn_env.serve.tables import Tables

DELAY = 0.05
"""Seconds after which pages are answered: by then no connection takes a further request."""


class WebServer(uvicorn.Server):
    """The web server. All pages wait for news, and would keep it from ending.

    Args:
        config: its configuration.
        tables: the tables whose pages wait.
    """

    def __init__(self, config: uvicorn.Config, tables: Tables) -> None:
        super().__init__(config)
        self._tables = tables

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer waiting requests, and end."""
        asyncio.get_running_loop().call_later(DELAY, self._tables.wake)
        await super().shutdown(sockets)
