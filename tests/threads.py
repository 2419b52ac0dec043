"""An agent that notes how many threads libraries may use where it plays, for tests."""

from __future__ import annotations

import json
import os
from pathlib import Path

from threadpoolctl import threadpool_info

from tests.failing import First
from thurn_env.games.contract import GameRules


def threads() -> list[int]:
    """The number of threads of every loaded library for matrices, and the one that a library would find set now."""
    found = [int(library["num_threads"]) for library in threadpool_info() if library["user_api"] == "blas"]
    return [*found, int(os.environ.get("OMP_NUM_THREADS", 0))]


class Counting(First):
    """It leaves the numbers in the folder that the environment variable `MARKS` names."""

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        super().reset(seat, rules, seed)
        (Path(os.environ["MARKS"]) / f"threads-{os.getpid()}").write_text(json.dumps(threads()))
