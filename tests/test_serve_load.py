"""A small load on a real server; `python -m tests.load` measures a larger one."""

from __future__ import annotations

import asyncio
import statistics
from pathlib import Path

from tests.load import load, orders_for
from tests.real_server import RealServer
from tests.serving import prepare
from tests.slow_guests import BUSY

TABLES, SECONDS, THINKING = 12, 8.0, 0.4


def test_tables_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Twelve people and as many spectators get quick answers, beside a table whose agent computes all the time."""
    prepare({"board": "tiny", "agents": ["human", "greedy"]})
    server = RealServer(tmp_path, options=("--agents", BUSY))
    try:
        slow = server("/games", {"board": "tiny", "agents": [BUSY, BUSY]})
        figures = asyncio.run(load(server.port, orders_for(TABLES, [{"board": "tiny"}]), SECONDS, THINKING))
        assert figures.errors == []
        assert len(figures.moves) > 5 * TABLES
        assert statistics.median(figures.moves) < 0.1, str(figures)
        assert server(f"{slow['address']}/state")["move"] > 3
    finally:
        server.close()
