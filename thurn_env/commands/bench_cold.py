"""Compile time of all stages, one after the other, in a fresh Python process with an empty cache."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from thurn_env.commands.compilers import described
from thurn_env.commands.measure import Figure
from thurn_env.engine.kernel_cache import prebuilt_for
from thurn_env.errors import ThurnError
from thurn_env.games import make_rules
from thurn_env.games.contract import Rules
from thurn_env.games.stages import PLAYED, STAGES
from thurn_env.tournament.workers import ending

WORK = """
import pickle, sys, time
rules = pickle.loads(sys.stdin.buffer.read())
for stage in {stages}:
    start = time.process_time()
    rules.prepare(stage)
    print(stage, time.process_time() - start, flush=True)
"""


def cold_figures(rules: Rules) -> Iterator[Figure]:
    """Measure the CPU seconds of every stage, with the earlier ones already compiled, and their sums.

    There are no figures where the package brings kernels for this machine: nothing would be compiled.
    """
    if prebuilt_for() is not None:
        return
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for stage, seconds in compile_times(rules, folder):
            total += seconds
            yield Figure(f"compiling {STAGES[stage].title}", seconds, "s of CPU")
        yield Figure("compiling all of these", total, "s of CPU")
        for players in rules.player_numbers:
            if players != rules.players:
                table = make_rules(rules.name, players, rules.board_name, **rules.options)
                total += sum(seconds for _, seconds in compile_times(table, folder))
    yield Figure("compiling all of these for all numbers of players", total, "s of CPU")


def compile_times(rules: Rules, folder: str) -> Iterator[tuple[str, float]]:
    """Compile all stages in a new process whose cache is `folder`, and yield the CPU seconds of each.

    Raises:
        ThurnError: the process ended before it had compiled all of them.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", WORK.format(stages=PLAYED)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "THURN_CACHE_DIR": folder},
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(pickle.dumps(rules))
        process.stdin.close()
        left = list(PLAYED)
        for line in process.stdout:
            stage, seconds = line.decode().split()
            left.remove(stage)
            yield stage, float(seconds)
    if left:
        what, how = described(rules, left[0]), ending(process.returncode)
        raise ThurnError(f"a process died while it compiled {what} ({how}); out of memory?")
