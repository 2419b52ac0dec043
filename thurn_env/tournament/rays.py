"""Run the games of a tournament on Ray.

Ray sends tasks to processes on one or more machines and retries tasks whose process or machine was lost. Agents other
than scripted bots play in a separate process beside Ray's, as they do without Ray. A crash of that process counts as a
failure of the agent; a crash of a Ray process does not.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any

from thurn_env.errors import MissingExtra, ThurnError
from thurn_env.tournament.config import Config
from thurn_env.tournament.play import Played, Task, lost_game, play_chunk
from thurn_env.tournament.schedule import Slot
from thurn_env.tournament.workers import AHEAD, Crew

RETRIES = 3
"""Number of retries of a task that Ray loses."""

CONNECT_TIMEOUT = 10.0
"""Timeout in seconds for connecting to a cluster."""


def require_ray() -> Any:
    """Return the module `ray`; raise `MissingExtra` if it is not installed."""
    try:
        import ray
    except ImportError:
        raise MissingExtra('tournaments on a cluster need Ray: pip install "thurn-env[ray]"') from None
    return ray


def in_order(
    tasks: Iterable[Task], jobs: int, address: str, note: Callable[[dict[str, Any]], None]
) -> Generator[list[Played], None, None]:
    """Yield the games of the tasks, in order, from the cluster at `address` or a local one with `jobs` processes.

    Args:
        tasks: tasks to play.
        jobs: number of processes of a local cluster.
        address: address of the cluster; empty starts a local one.
        note: called once with the machines of the cluster.

    Raises:
        ThurnError: there is no such cluster, or a task was lost repeatedly.
    """
    ray = require_ray()
    connect(ray, address, max(1, jobs))
    note({"ray": machines(ray)})
    play = ray.remote(max_retries=RETRIES, num_cpus=1)(play_beside)
    try:
        waiting = iter(tasks)
        room = int(ray.cluster_resources().get("CPU", jobs)) * AHEAD
        under_way = deque(play.remote(*task) for task in islice(waiting, room))
        while under_way:
            with plain_errors(ray, "games"):
                games: list[Played] = ray.get(under_way.popleft())
            under_way.extend(play.remote(*task) for task in islice(waiting, 1))
            yield games
    finally:
        ray.shutdown()


@contextmanager
def plain_errors(ray: Any, what: str) -> Iterator[None]:
    """Convert errors of Ray tasks: re-raise a `ThurnError` from the task, or report that Ray lost it."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ThurnError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        reason = str(error).split("\n")[0]
        raise ThurnError(f"Ray lost {what} {RETRIES + 1} times: {reason}; try again to continue") from None


def connect(ray: Any, address: str, jobs: int) -> None:
    """Connect to the cluster at `address`, or start one with `jobs` processes; raise `ThurnError` if that fails."""
    # Workers import the user's agents from the same places as this process.
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}}
    try:
        host, _, port = address.rpartition(":")
        if host and port.isdigit() and "://" not in address:
            # Ray itself would retry for minutes.
            socket.create_connection((host, int(port)), CONNECT_TIMEOUT).close()
        if address:
            ray.init(address=address, log_to_driver=False, runtime_env=environment)
        else:
            # Without "local", Ray would connect to any cluster that already runs on this machine.
            ray.init("local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).split("\n")[0]
        hint = "; if the cluster requires a token, set RAY_AUTH_MODE=token here, too" if address else ""
        raise ThurnError(f"cannot connect to Ray at {address or 'this machine'}: {reason}{hint}") from None


def machines(ray: Any) -> dict[str, int]:
    """Return the number of machines that accept games, `nodes`, and of games they play at once, `cpus`."""
    cpus = [node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]]
    return {"nodes": sum(number > 0 for number in cpus), "cpus": int(sum(cpus))}


def play_beside(config: Config, slots: tuple[Slot, ...]) -> list[Played]:
    """Play the games of a task in a Ray process, or in a process beside it if an agent may crash it."""
    if config.scripted(slots[0].seats):
        return play_chunk(config, slots)
    return next(_crew().in_order(play_chunk, [(config, slots)], lost_game))


@lru_cache(maxsize=1)
def _crew() -> Crew:
    """Return the process beside this one; it serves all games and ends with this one."""
    crew = Crew(1)
    atexit.register(crew.close)
    return crew
