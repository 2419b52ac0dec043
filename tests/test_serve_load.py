"""A small load on a real server; `python -m tests.load` measures a larger one."""

from __future__ import annotations

import asyncio
import statistics
from pathlib import Path

from tests.load import load, orders_for
from tests.real_server import RealServer
from tests.serving import prepare
from tests.slow_guests import BUSY, BUSY_SECONDS

TABLES, SECONDS, THINKING = 12, 8.0, 0.4


def test_tables_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Twelve people and as many spectators get their answers, beside a table whose agents compute all the time.

    Answers that wait for these agents would take half of their time on average. How fast answers are on an idle machine
    is measured, not tested.
    """
    prepare({"board": "tiny", "agents": ["human", "greedy"]})
    server = RealServer(tmp_path, options=("--agents", BUSY))
    try:
        slow = server("/games", {"board": "tiny", "agents": [BUSY, BUSY]})
        orders = orders_for(TABLES, [{"board": "tiny"}])
        figures = asyncio.run(load(server.port, orders, SECONDS, THINKING, moves=5 * TABLES + 1))
        assert figures.errors == []
        assert len(figures.moves) > 5 * TABLES
        assert statistics.median(figures.moves) < BUSY_SECONDS / 4, str(figures)
        assert server(f"{slow['address']}/state")["move"] >= 2
    finally:
        server.close()
