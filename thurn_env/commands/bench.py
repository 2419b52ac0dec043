"""`thurn bench`: speed of the engine and the environments, as figures of one run.

Machines differ and may be busy, so every rate is also given relative to a plain Python loop and to the engine alone,
both timed in the same run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from json import dumps
from typing import Any

from rich.console import Console
from rich.table import Table

from thurn_env.checks import MOST_LANES, checked_number, checked_whole
from thurn_env.commands.bench_agent import agent_figures
from thurn_env.commands.bench_cold import cold_figures
from thurn_env.commands.bench_commands import command_figures
from thurn_env.commands.bench_faces import batch_figures, single_figures, vector_figures
from thurn_env.commands.bench_program import program_figures
from thurn_env.commands.bench_search import search_figures
from thurn_env.commands.measure import Figure, calibration, rate
from thurn_env.engine.kernels import copy_records
from thurn_env.engine.provenance import machine
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.contract import Compiled, GameRules, Rules
from thurn_env.games.options import parse_options
from thurn_env.table.game import Game
from thurn_env.training.extra import training_extra

ROLLOUTS = 3
"""Number of measured training rollouts."""
LONGEST_MEASUREMENT = 3600
"""Largest number of seconds per figure."""


def seconds_of(code: str) -> float:
    """Return the seconds that `code` takes in a fresh Python process, measured inside it."""
    output = subprocess.run(
        [sys.executable, "-c", f"import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(output.stdout.splitlines()[-1])


def engine_figures(rules: Compiled, games: int, seconds: float) -> Iterator[Figure]:
    """Measure the engine alone, with masks and with observations, and copies of a state."""
    states = rules.new_states(games)
    for index in range(games):
        rules.deal(states, index, index)
    loops = rules.benchmark_loops(states)
    names = {"engine": "engine alone", "mask": "with mask", "observation": "with mask and observation"}
    for key, name in names.items():
        loops[key](500)  # compiles, and spreads the games over all phases
        yield Figure(name, games * rate(loops[key], seconds), "decisions/s")
    loops["copy"](1)
    yield Figure("state copy in a kernel", 1e6 / (games * rate(loops["copy"], seconds)), "us")


def python_figures(rules: GameRules, seconds: float) -> Iterator[Figure]:
    """Measure copies and views from Python."""
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


def start_figures(rules: Rules) -> Iterator[Figure]:
    """Measure the import and the first game in a fresh Python process, with kernels on disk."""
    yield Figure("import thurn_env", seconds_of("import thurn_env"), "s")
    code = (
        "import thurn_env; "
        f"thurn_env.Game({rules.players}, {rules.board_name!r}, 1, game={rules.name!r}, **{dict(rules.options)!r})"
        ".view().observation"
    )
    yield Figure("import and first game", seconds_of(code), "s")


def measure(
    rules: GameRules,
    games: int,
    seconds: float,
    cold: bool,
    search: bool,
    training: bool,
    agents: tuple[str, ...],
    programs: bool,
    console: Console,
) -> list[Figure]:
    """Measure all figures, the calibration loop first."""
    parts = [
        engine_figures(rules, games, seconds),
        batch_figures(rules, games, seconds),
        vector_figures(rules, games, seconds),
        single_figures(rules, seconds),
        python_figures(rules, seconds),
        start_figures(rules),
    ]
    if cold:
        parts += [cold_figures(rules), command_figures(rules)]
    if search:
        parts.append(search_figures(rules, seconds))
    parts += [agent_figures(rules, spec, seconds) for spec in agents]
    if programs:
        parts.append(program_figures(rules, seconds))
    if training:
        with training_extra():
            from thurn_env.commands.bench_learning import learning_figures
            from thurn_env.commands.bench_training import training_figures

        parts += [training_figures(rules, ROLLOUTS), learning_figures(rules, seconds)]
    figures = [Figure("plain Python loop", rate(calibration, seconds), "rounds/s")]
    with console.status("measuring ...") as status:
        for part in parts:
            for figure in part:
                figures.append(figure)
                status.update(f"measured {figure.name} ...")
    return figures


def bench(
    *,
    board: str | None = None,
    players: int = 2,
    games: int = 1024,
    seconds: float = 1.0,
    cold: bool = False,
    search: bool = False,
    training: bool = False,
    agents: tuple[str, ...] = (),
    programs: bool = False,
    json: bool = False,
    option: tuple[str, ...] = (),
    game: str = DEFAULT_GAME,
) -> int:
    """Measure the speed of the engine and the environments in sensible-random play.

    Every rate is also given relative to a loop of plain Python and to the engine alone, timed in the same run. Unless a
    figure says otherwise, it is measured with one thread.

    Args:
        board: name of a shipped board, or path of a board file.
        players: number of players.
        games: number of games that the engine plays in one batch.
        seconds: approximate length of each measurement; the best of three counts.
        cold: also measure how long compiling takes, unless the wheel brings kernels, and commands with nothing
            compiled; together this takes minutes.
        search: also measure the rollouts of mcts from the first decision of a game to its end.
        training: also measure MaskablePPO, and how fast networks learn with and without --bfloat16 of thurn train (a
            minute; needs the extra "train").
        agents: also measure the time per decision of these agents, alone and beside another process that keeps one core
            busy, for example ppo:thurn_und_taxis-south-2.
        programs: also measure the cost of the protocol for agents that are programs (exec:COMMAND).
        json: print JSON instead of a table.
        option: options of the game as name=value, for example horses=true.
        game: name of the game.
    """
    checked_whole("--games", games, 1, MOST_LANES)
    checked_number("--seconds", seconds, 0, LONGEST_MEASUREMENT, above=True)
    rules = make_rules(game, players, board, **parse_options(option))
    console = Console(stderr=json)
    before = machine()
    figures = measure(rules, games, seconds, cold, search, training, agents, programs, console)
    what = {"game": rules.name, "board": rules.board_name, "options": list(option), "players": players, "games": games}
    if json:
        print(dumps({**what, "machine": before, "figures": [asdict(figure) for figure in figures]}, indent=1))
        return 0
    options = "".join(f", {pair}" for pair in option)
    title = f"{rules.title}, {rules.board_name}{options}, {players} players, {games} games at a time"
    console.print(table_of(figures, title))
    load = before["load"]
    console.print(
        f"{before['processor']}, {before['cores']} cores, load {load[0] if load else '?'} at the start; "
        f"Python {before['python']}, NumPy {before['numpy']}, Numba {before['numba']}, "
        f"thurn-env {before['thurn-env']}"
    )
    return 0


def table_of(figures: list[Figure], title: str) -> Table:
    """Return the table of all figures; rates also relative to the plain Python loop and to the engine alone."""
    values = {figure.name: figure.value for figure in figures}
    table = Table(title=title)
    for heading in ("", "figure", "unit", "x plain Python", "x engine"):
        table.add_column(heading, justify="left" if heading in ("", "unit") else "right", overflow="fold")
    for figure in figures:
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        ratios = [""] * 2
        if figure.unit == "decisions/s":
            ratios = [f"{figure.value / values[name]:.3g}" for name in ("plain Python loop", "engine alone")]
        table.add_row(figure.name, value, figure.unit, *ratios)
    return table
