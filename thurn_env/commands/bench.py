"""`thurn bench`: how fast the engine and its faces are, as figures of one run on one core.

Machines differ and are busy, so every figure also stands as a ratio to a plain Python loop timed in the same run.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from json import dumps
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from thurn_env import __version__
from thurn_env.game import Game
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.kernels import copy_records


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes:
        name: what was measured.
        value: the figure.
        unit: `decisions/s`, `us` (microseconds) or `s`.
        ratio: rates: the figure divided by that of the calibration loop; None for times.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None


def rate(work: Callable[[int], Any], seconds: float, repetitions: int = 3) -> float:
    """Units of work per second: the best of several runs of about `seconds`. `work(n)` does n units."""
    number, spent = 1, 0.0
    while spent < seconds / 4:
        number *= 2
        start = time.perf_counter()
        work(number)
        spent = time.perf_counter() - start
    number = max(1, int(number * seconds / spent))
    best = 0.0
    for _ in range(repetitions):
        start = time.perf_counter()
        work(number)
        best = max(best, number / (time.perf_counter() - start))
    return best


def calibration(rounds: int) -> int:
    """The yardstick: a loop of plain Python over small lists and integers, nothing of this package."""
    total = 0
    row = list(range(22))
    for turn in range(rounds):
        index = (turn * 7 + total) % 22
        row[index] += 1
        total = (total + row[index] * 3) & 0xFFFF
    return total


def environment_loop(environment: Any, seed: int) -> Callable[[int], None]:
    """A function that plays so many random legal decisions in an AEC environment."""
    generator = np.random.default_rng(seed)
    environment.reset(seed=seed)

    def play(decisions: int) -> None:
        for draw in generator.random(decisions):
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.reset()
                observation = environment.last()[0]
            legal = observation["action_mask"].nonzero()[0]
            environment.step(int(legal[int(draw * len(legal))]))

    return play


def seconds_of(code: str, **variables: str) -> float:
    """The time that `code` takes in a fresh Python, as it measures it itself."""
    output = subprocess.run(
        [sys.executable, "-c", f"import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(output.stdout.splitlines()[-1])


def engine_figures(rules: GameRules, games: int, seconds: float) -> Iterator[Figure]:
    """The engine alone, with masks, with observations; and copies of a state."""
    states = rules.new_states(games)
    for index in range(games):
        rules.deal(states, index, index)
    loops = rules.benchmark_loops(states)
    names = {"engine": "engine alone", "mask": "with mask", "observation": "with mask and observation"}
    for key, name in names.items():
        loops[key](500)  # compiles, and brings the games into all phases
        yield Figure(name, games * rate(loops[key], seconds), "decisions/s")
    loops["copy"](1)
    yield Figure("state copy in a kernel", 1e6 / (games * rate(loops["copy"], seconds)), "us")


def python_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Copies and views from Python."""
    game = Game.from_rules(rules, 1)

    def times(action: Callable[[], Any]) -> Callable[[int], None]:
        def work(number: int) -> None:
            for _ in range(number):
                action()

        return work

    for name, action in (
        ("state copy from Python", lambda: copy_records(game.states)),
        ("Game.copy()", game.copy),
        ("Game.view().observation", lambda: game.view().observation),
    ):
        yield Figure(name, 1e6 / rate(times(action), seconds / 4), "us")


def environment_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """The PettingZoo faces; forced decisions that the environment plays itself are not counted."""
    from thurn_env.envs.aec import GameEnv
    from thurn_env.envs.wrapping import wrapped

    for name, environment in (
        ("AEC raw_env", GameEnv(rules.name, rules.players, rules.board_name)),
        ("AEC env with wrappers", wrapped(GameEnv(rules.name, rules.players, rules.board_name))),
    ):
        yield Figure(name, rate(environment_loop(environment, 1), seconds), "decisions/s")


def start_figures(rules: GameRules, compile_too: bool) -> Iterator[Figure]:
    """Import and first game in a fresh Python, with kernels on disk and, if asked, without."""
    yield Figure("import thurn_env", seconds_of("import thurn_env"), "s")
    code = f"import thurn_env; thurn_env.Game({rules.players}, {rules.board_name!r}, 1).view().observation"
    yield Figure("import and first game", seconds_of(code), "s")
    if compile_too:
        with tempfile.TemporaryDirectory() as folder:
            yield Figure("the same, compiling everything", seconds_of(code, THURN_CACHE_DIR=folder), "s")


def machine() -> dict[str, Any]:
    """What the figures were measured on, and how busy it was."""
    import numba

    return {
        "thurn-env": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def processor_name() -> str:
    """The processor's name as the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def measure(rules: GameRules, games: int, seconds: float, compile_too: bool, console: Console) -> list[Figure]:
    """All figures, the calibration loop first."""
    loop = rate(calibration, seconds)
    figures = [Figure("plain Python loop", loop, "rounds/s", 1.0)]
    with console.status("measuring ...") as status:
        for part in (
            engine_figures(rules, games, seconds),
            python_figures(rules, seconds),
            environment_figures(rules, seconds),
            start_figures(rules, compile_too),
        ):
            for figure in part:
                ratio = figure.value / loop if figure.unit == "decisions/s" else None
                figures.append(Figure(figure.name, figure.value, figure.unit, ratio))
                status.update(f"measured {figure.name} ...")
    return figures


def bench(
    *,
    board: str | None = None,
    players: int = 2,
    games: int = 1024,
    seconds: float = 1.0,
    compile: bool = False,
    json: bool = False,
    game: str = "thurn_und_taxis",
) -> int:
    """Measure how fast the engine and its faces are on one core, with sensible-random play.

    Every rate is also given as a ratio to a loop of plain Python timed in the same run.

    Args:
        board: the name of a shipped board, or the path of a board file.
        players: number of players.
        games: how many games the engine plays side by side.
        seconds: about how long each figure is measured, three times over; the best counts.
        compile: also time a start without any compiled kernels, which takes half a minute.
        json: print JSON instead of a table.
        game: the name of the game.
    """
    rules = make_rules(game, players, board)
    console = Console(stderr=json)
    before = machine()
    figures = measure(rules, games, seconds, compile, console)
    what = {"game": rules.name, "board": rules.board_name, "players": players, "games": games}
    if json:
        print(dumps({**what, "machine": before, "figures": [asdict(figure) for figure in figures]}, indent=1))
        return 0
    table = Table(title=f"{rules.title}, {rules.board_name}, {players} players, {games} games at a time, one core")
    table.add_column("")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    table.add_column("x plain Python", justify="right")
    for figure in figures:
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        table.add_row(figure.name, value, figure.unit, f"{figure.ratio:.3g}" if figure.ratio else "")
    console.print(table)
    load = before["load"]
    console.print(
        f"{before['processor']}, {before['cores']} cores, load {load[0] if load else '?'} at the start; "
        f"Python {before['python']}, NumPy {before['numpy']}, Numba {before['numba']}, "
        f"thurn-env {before['thurn-env']}"
    )
    return 0
