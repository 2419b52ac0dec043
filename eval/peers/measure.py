"""Measures the environments in turn, round after round, each in a process of its own."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from json import loads
from pathlib import Path

from eval.peers.catalogue import Peer
from eval.peers.environments import PeerFailed, output_of, python_with
from eval.peers.scripts.loop import Measurement
from thurn_env.progress import Progress

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds that a program may take beside measuring: it imports, and ours may compile its kernels."""


@dataclass
class Result:
    """What was found out about one environment.

    Attributes:
        peer: the environment.
        measurements: one of every round.
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
        """Decisions per second, the median of the rounds; None if it could not be measured."""
        return statistics.median(self.rates) if self.rates and not self.problem else None


def measured_once(peer: Peer, python: Path, seconds: float) -> Measurement:
    """One measurement of about so many seconds.

    Raises:
        PeerFailed: its program fails or prints something else.
    """
    command = [str(python), "-P", str(peer.script), str(seconds), *peer.words]
    output = output_of(command, {"PYTHONPATH": str(ROOT)}, PATIENCE + 10 * seconds)
    try:
        measurement = Measurement(**loads(output.splitlines()[-1]))
    except (IndexError, TypeError, ValueError):
        raise PeerFailed("its program printed no measurement") from None
    if not (measurement.decisions > 0 and measurement.seconds > 0):
        raise PeerFailed("its program measured nothing")
    return measurement


def pythons(results: Sequence[Result], folder: Path | None) -> dict[str, Path]:
    """The Python for every project; notes what cannot be installed.

    Args:
        results: of all environments.
        folder: where virtual environments are made; None: all are measured in this Python.
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
            except (PeerFailed, OSError) as error:
                problems[project] = f"cannot be installed: {error}"
        result.problem = problems.get(project, "")
    return found


def measured(peers: Sequence[Peer], folder: Path | None, rounds: int, seconds: float) -> list[Result]:
    """Measure everything: in every round each environment once, for the same time.

    Args:
        peers: what to measure.
        folder: where virtual environments are made; None: all are measured in this Python.
        rounds: number of rounds.
        seconds: time of one measurement.
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
                    except PeerFailed as error:
                        result.problem = str(error)
                progress.advance()
    return results


def load_average() -> list[float] | None:
    """The machine's load over 1, 5 and 15 minutes, where the system tells it."""
    return [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None
