"""What tests may ask for by name."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# pytest-xdist sets the width of its own terminal in the workers; commands would take it for theirs.
os.environ.pop("COLUMNS", None)
# Ray's workers give way to all other processes; beside the other tests they would wait for minutes.
os.environ.setdefault("RAY_worker_niceness", "0")


# Collecting the tests makes hundreds of thousands of objects, and no garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of tests and all imported modules stay until the end; nobody need look through them for garbage."""
    gc.freeze()
    # What tests leave behind is small, and full collections would take more time than many tests.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, also in children, as in a terminal: what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def quickly_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pictures that are equal only if the documents are: drawing would take most of the time, and what is drawn
    has tests of its own."""

    def stand_in(document: str) -> np.ndarray[Any, Any]:
        return np.resize(np.frombuffer(sha256(document.encode()).digest()[:30], np.uint8), (80, 64, 3)).copy()

    monkeypatch.setattr("thurn_env.envs.rendering.pixels", stand_in)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of one file; expectations of its pages wait for up to `TIMEOUT`.

    It ends with the file, because no test can use asyncio in this process while Playwright runs.
    """
    # Only tests of pages need Playwright.
    from playwright.sync_api import expect

    from tests.chromium import TIMEOUT, chromium

    expect.set_options(timeout=TIMEOUT)
    with chromium() as launched:
        yield launched
