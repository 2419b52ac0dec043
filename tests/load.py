"""Browsers in numbers: people who play and others who watch, and how long the server takes to answer them.

python -m tests.load TABLES SECONDS THINKING    200 tables: python -m tests.load 200 60 5
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.real_server import RealServer
from tests.serving import prepare

BOTS = ("heuristic", "greedy", "sensible-random")
IDLE = 3.0
"""Seconds after which an idle connection is not used again; the server closes it after 5."""
LONGER = 10
"""How many times as long people play at most on a busy machine."""


@dataclass
class Figures:
    """What happened.

    Attributes:
        moves: seconds until the answers to moves.
        pages: seconds until the answers to requests for a whole position.
        news: number of answers to requests for news.
        errors: answers that are no success.
    """

    moves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    news: int = 0
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.news} answers with news, {len(self.errors)} errors"]
        for name, times in (("moves", self.moves), ("positions", self.pages)):
            middle, late = 1000 * statistics.median(times), 1000 * statistics.quantiles(times, n=20)[-1]
            lines.append(f"{len(times)} {name}: median {middle:.1f} ms, 95 % within {late:.1f} ms")
        return "; ".join(lines)


class Connection:
    """One connection of a browser, which is kept open."""

    def __init__(self, port: int, figures: Figures) -> None:
        self.port, self.figures = port, figures
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def ask(self, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer."""
        if self._streams is None or time.monotonic() - self._used > IDLE:
            self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        method = "GET" if body is None else "POST"
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        writer.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
        header = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        answer = await reader.readexactly(int(header.partition("content-length:")[2].split("\r\n")[0]))
        if not 200 <= int(header.split()[1]) < 300:
            self.figures.errors.append(f"{path}: {answer.decode()}")
        self._used = time.monotonic()
        return json.loads(answer)

    async def timed(self, times: list[float], path: str, body: Any = None) -> Any:
        """Return the same, and note how long it took."""
        start = time.perf_counter()
        answer = await self.ask(path, body)
        times.append(time.perf_counter() - start)
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()


async def browser(port: int, address: str, figures: Figures, random: Random, thinking: float) -> None:
    """Play at a seat or watch, as the page does, until the game is over or this task is cancelled."""
    polling, playing = Connection(port, figures), Connection(port, figures)
    try:
        news = await polling.timed(figures.pages, f"{address}/state")
        while not news["over"]:
            if news["turn"]:
                await asyncio.sleep(random.uniform(0, 2 * thinking))
                body = {"move": news["move"], "action": random.choice(news["turn"]["legal"]), "since": news["moment"]}
                news = await playing.timed(figures.moves, f"{address}/moves", body)
            else:
                news = await polling.ask(f"{address}/state?since={news['moment']}")
                figures.news += 1
    finally:
        polling.close()
        playing.close()


async def sitting(port: int, order: dict[str, Any], figures: Figures, random: Random, thinking: float) -> None:
    """Sit at table after table with a bot, with somebody who watches."""
    opening = Connection(port, figures)
    try:
        while True:
            links = await opening.ask("/games", order)
            ends = (links["address"], links["watching"])
            await asyncio.gather(*(browser(port, each, figures, random, thinking) for each in ends))
    finally:
        opening.close()


async def load(port: int, orders: Sequence[dict[str, Any]], seconds: float, thinking: float, moves: int = 0) -> Figures:
    """Let two browsers for every order play and watch for some seconds; on a busy machine, until `moves` are made."""
    figures, random = Figures(), Random(1)
    tasks = []
    for order in orders:
        tasks.append(asyncio.create_task(sitting(port, order, figures, random, thinking)))
        await asyncio.sleep(thinking / len(orders))  # people do not come all at once
    for _ in range(LONGER):
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        if done or len(figures.moves) >= moves:
            break
    for task in tasks:
        task.cancel()
    await asyncio.gather(*(task for task in tasks if task not in done), return_exceptions=True)
    for task in done:
        task.result()
    return figures


def orders_for(tables: int, games: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the orders of tables with one person and a bot."""
    return [{**games[n % len(games)], "agents": ["human", BOTS[n % len(BOTS)]], "name": f"P{n}"} for n in range(tables)]


def main() -> None:
    """Start a server and print the figures."""
    tables, seconds, thinking = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    games: list[dict[str, Any]] = [{"game": "thurn_und_taxis"}, {"game": "zug_um_zug_deutschland"}]
    for game in games:
        prepare({**game, "agents": ["human", "heuristic"]})
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        server = RealServer(Path(folder), options=("--games", str(2 * tables)))
        try:
            print(asyncio.run(load(server.port, orders_for(tables, games), seconds, thinking)))
        finally:
            server.close()


if __name__ == "__main__":
    main()
