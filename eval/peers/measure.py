"""Measure the environments in turn, in rounds, each in its own process."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from json import loads
from pathlib import Path

from eval.environments import ProgramFailed, python_with, run_script
from eval.peers.catalogue import Peer
from eval.peers.scripts.loop import Measurement
from thurn_env.progress import Progress

STARTUP_TIMEOUT = 600.0
"""Timeout of a program in seconds, in addition to measuring: imports, and compiling kernels."""


@dataclass
class Result:
    """Measurements of one environment.

    Attributes:
        peer: the environment.
        measurements: one measurement per round.
        problem: why it could not be measured; empty if it could.
    """

    peer: Peer
    measurements: list[Measurement] = field(default_factory=list)
    problem: str = ""

    @property
    def rates(self) -> list[float]:
        """Decisions per second in every round."""
        return [measurement.decisions / measurement.seconds for measurement in self.measurements]

    @property
    def rate(self) -> float | None:
        """Median of the decisions per second; None if it could not be measured."""
        return statistics.median(self.rates) if self.rates and not self.problem else None


def measured_once(peer: Peer, python: Path, seconds: float) -> Measurement:
    """Measure an environment for about `seconds` seconds.

    Raises:
        ProgramFailed: the program fails or prints something else.
    """
    output = run_script(python, peer.script, (str(seconds), *peer.words), STARTUP_TIMEOUT + 10 * seconds)
    try:
        measurement = Measurement(**loads(output.splitlines()[-1]))
    except (IndexError, TypeError, ValueError):
        raise ProgramFailed("its program printed no measurement") from None
    if not (measurement.decisions > 0 and measurement.seconds > 0):
        raise ProgramFailed("its program measured nothing")
    return measurement


def pythons(results: Sequence[Result], folder: Path | None) -> dict[str, Path]:
    """Return the Python for every project, and note failed installations in the results.

    Args:
        results: results of all environments.
        folder: folder of the virtual environments; None measures all in this Python.
    """
    found: dict[str, Path] = {}
    problems: dict[str, str] = {}
    for result in results:
        project, requirements = result.peer.project, result.peer.requirements
        if project not in found and project not in problems:
            try:
                if folder is None or requirements is None:
                    found[project] = Path(sys.executable)
                else:
                    found[project] = python_with(requirements, folder)
            except (ProgramFailed, OSError) as error:
                problems[project] = f"cannot be installed: {error}"
        result.problem = problems.get(project, "")
    return found


def measured(peers: Sequence[Peer], folder: Path | None, rounds: int, seconds: float) -> list[Result]:
    """Measure everything: every environment once per round, for the same time.

    Args:
        peers: environments to measure.
        folder: folder of the virtual environments; None measures all in this Python.
        rounds: number of rounds.
        seconds: length of one measurement.
    """
    results = [Result(peer) for peer in peers]
    found = pythons(results, folder)
    with Progress("peers", rounds * len(peers), "measurements") as progress:
        for _ in range(rounds):
            for result in results:
                if not result.problem:
                    try:
                        python = found[result.peer.project]
                        result.measurements.append(measured_once(result.peer, python, seconds))
                    except ProgramFailed as error:
                        result.problem = str(error)
                progress.advance()
    return results
