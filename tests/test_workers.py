"""Worker processes: what happens to a task whose process dies."""

from __future__ import annotations

import os
import threading

import pytest

from thurn_env.errors import ThurnError
from thurn_env.tournament.workers import Crew, give_up


def test_a_task_that_kills_its_process_twice_is_an_error() -> None:
    """Nobody waits for it, whatever the exit code, and the tasks before it are there."""
    with Crew(1) as crew:
        found = crew.in_order(dying, [(1, None), (2, 0)], give_up)
        assert next(found) == 1
        with pytest.raises(ThurnError, match=r"died twice on the same task \(exit code 0\); .*Try fewer --jobs"):
            next(found)


def dying(number: int, code: int | None) -> int:
    """The number, unless the process is to end with an exit code."""
    if code is not None:
        os._exit(code)
    return number


def test_workers_can_be_started_from_any_thread() -> None:
    """And beside threads that hold locks, which a forked process would wait for without end."""
    found: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        with Crew(1) as crew:
            found.extend(crew.in_order(dying, [(3, None)], give_up))

    with lock:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found == [3]
