"""Threads that share a step do every lane exactly once."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from thurn_env.engine.kernels import Int64Array, kernel
from thurn_env.engine.sharing import COUNT, FIELDS, MODE, MOST_SPINS, Share, first_chunk, new_fields, next_chunk
from thurn_env.engine.step_threads import CHUNK, Threads

SECONDS = 60


@kernel
def count_visits(helper: bool, mode: int, size: int, chunk: int, visits: Int64Array, share: Int64Array) -> int:
    """Add the mode to the number of every position; return the number of chunks of this thread."""
    chunks = 0
    first = first_chunk(helper, 1, mode, size, chunk, share)
    while first >= 0:
        chunks += 1
        for position in range(first, min(first + chunk, share[COUNT])):
            visits[position] += share[MODE]
        first = next_chunk(helper, 1, share)
    return chunks


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_lane_is_done_once_in_every_step(count: int) -> None:
    threads, visits = Threads(count), np.zeros(50 * CHUNK, np.int64)
    expected = visits.copy()
    rng = np.random.default_rng(count)
    for step in range(2000):
        size, mode = int(rng.integers(1, len(visits) + 1)), step % 3

        def work(share: Share, mode: int = mode, size: int = size) -> None:
            count_visits(share.helper, mode, size, share.chunk, visits, share.fields)

        threads.share(work, size, int(rng.integers(1, count + 1)))
        expected[:size] += mode
        assert np.array_equal(visits, expected)


def test_a_step_that_is_not_shared_is_done_by_its_caller_alone() -> None:
    fields, visits = new_fields(), np.zeros(1000, np.int64)
    assert count_visits(False, 1, 1000, 1000, visits, fields) == 1
    assert visits.tolist() == [1] * 1000


def test_a_caller_needs_no_helper() -> None:
    """It takes all chunks itself while the others are asleep."""
    fields, visits = new_fields(), np.zeros(1000, np.int64)
    assert count_visits(False, 1, 1000, 100, visits, fields) == 10
    assert visits.tolist() == [1] * 1000


def test_a_helper_without_a_step_returns_soon() -> None:
    fields = new_fields()
    start = time.perf_counter()
    assert count_visits(True, 1, 0, 1, np.zeros(1, np.int64), fields) == 0
    assert time.perf_counter() - start < 1.0, f"{MOST_SPINS} looks must not take a second"
    assert fields.tolist() == [0] * FIELDS


def test_an_error_of_a_helper_is_raised_after_the_step() -> None:
    threads, failed = Threads(2), threading.Event()

    def step(share: Share) -> None:
        if share.helper:
            failed.set()
            raise ValueError("no memory")
        assert failed.wait(SECONDS)

    def some_steps() -> None:
        for _ in range(SECONDS):
            threads.share(step, 2 * CHUNK, 2)

    with pytest.raises(ValueError, match="no memory"):
        some_steps()
    threads.share(lambda share: None, 2 * CHUNK, 2)


def test_threads_end_with_what_they_work_for() -> None:
    before = set(threading.enumerate())
    threads = Threads(3)
    threads.share(lambda share: None, 3 * CHUNK, 3)
    started = set(threading.enumerate()) - before
    assert len(started) == 2
    del threads
    for thread in started:
        thread.join(SECONDS)
        assert not thread.is_alive()


def test_a_copy_has_threads_of_its_own() -> None:
    threads = Threads(2)
    threads.share(lambda share: None, 2 * CHUNK, 2)
    kind, arguments = threads.__reduce__()
    copied = kind(*arguments)
    assert copied.count == 2
    assert copied._fields is not threads._fields
