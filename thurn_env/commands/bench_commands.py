"""Time until commands show something, each in a process of its own: a first move, or a board on a page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from thurn_env.commands.measure import Figure
from thurn_env.errors import ThurnError
from thurn_env.games.contract import Rules
from thurn_env.table.changed_options import option_words

AGENT = "heuristic"
"""The agent whose first move is awaited; it needs the kernels of single games and of scripted bots."""
FIRST_TURN = re.compile(r"^\s+1\s")
"""Beginning of a line that tells a turn of the first round."""
ADDRESS = re.compile(r"http://\S+(?=/ )")
"""Address in the line that `thurn serve` begins with."""
PAUSE = 0.05
"""Seconds between two requests for a page that has no board yet."""


def command_figures(rules: Rules) -> Iterator[Figure]:
    """Measure the seconds until commands show their first move or board, with kernels on disk and without.

    The figures of `thurn serve` are left out without its libraries and for the board of a file.
    """
    seats = {"watch": [AGENT] * rules.players, "play": [AGENT, "human", *[AGENT] * (rules.players - 2)]}
    for command, agents in seats.items():
        yield Figure(f"thurn {command}: first move", first_move(command, agents, rules), "s")
        with tempfile.TemporaryDirectory() as empty:
            seconds = first_move(command, agents, rules, empty)
        yield Figure(f"thurn {command}: first move, nothing compiled", seconds, "s")
    if rules.board_name in rules.boards and find_spec("uvicorn") and find_spec("starlette"):
        with tempfile.TemporaryDirectory() as empty:
            answer, board = first_board(seats["play"], rules, empty)
        yield Figure("thurn serve: answer to a new game, nothing compiled", answer, "s")
        yield Figure("thurn serve: board on the page, nothing compiled", board, "s")


@contextmanager
def running(words: list[str], cache: str | None) -> Iterator[subprocess.Popen[str]]:
    """Run a command of `thurn`, with kernels in the folder `cache`, and end it."""
    environment = os.environ if cache is None else {**os.environ, "THURN_CACHE_DIR": cache}
    with subprocess.Popen(
        [sys.executable, "-m", "thurn_env", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
        start_new_session=True,  # Ctrl-C reaches only the benchmark: `thurn play` would save its game
    ) as process:
        try:
            yield process
        finally:
            process.terminate()  # and not killed: `thurn serve` ends its compiler then


def first_match(process: subprocess.Popen[str], pattern: re.Pattern[str]) -> str:
    """Wait until a process prints a line with a pattern, and return what the pattern matched.

    Raises:
        ThurnError: the process ended without such a line.
    """
    assert process.stdout is not None
    for line in process.stdout:
        if found := pattern.search(line):
            return found[0]
    raise ThurnError("a command to be measured ended too early; does it run by itself?")


def first_move(command: str, agents: list[str], rules: Rules, cache: str | None = None) -> float:
    """Return the seconds until `thurn watch` or `thurn play` shows the first turn of an agent.

    Args:
        command: the command, "watch" or "play".
        agents: an agent for every seat.
        rules: rules of the table.
        cache: folder of compiled kernels; by default the usual one.
    """
    options = option_words(rules)
    named = ["--option", *options] if options else []
    words = [command, "--agents", *agents, "--seed", "1", "--game", rules.name, "--board", rules.board_name, *named]
    start = time.perf_counter()
    with running(words, cache) as process:
        first_match(process, FIRST_TURN)
        return time.perf_counter() - start


def first_board(agents: list[str], rules: Rules, cache: str) -> tuple[float, float]:
    """Return the seconds until `thurn serve` answers the order for a game, and until the page shows the board.

    Raises:
        ThurnError: the server refuses the game, or ends.
    """
    with running(["serve", "--port", "0"], cache) as server:
        host = first_match(server, ADDRESS)
        order = {"game": rules.name, "board": rules.board_name, "options": dict(rules.options), "agents": agents}
        request = Request(f"{host}/games", json.dumps(order).encode(), {"content-type": "application/json"})
        start = time.perf_counter()
        try:
            with urlopen(request) as answer:
                address = json.load(answer)["address"]
            answered = time.perf_counter() - start
            while not _is_ready(f"{host}{address}/state"):
                time.sleep(PAUSE)
        except URLError as error:
            raise ThurnError(f"thurn serve cannot be measured: {error}") from None
        return answered, time.perf_counter() - start


def _is_ready(address: str) -> bool:
    """Return whether the server has a position; while it compiles, it answers 503."""
    try:
        with urlopen(address):
            return True
    except HTTPError as error:
        if error.code != 503:
            raise
        return False
