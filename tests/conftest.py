"""What tests may ask for by name."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

# pytest-xdist sets the width of its own terminal in the workers; commands would take it for theirs.
os.environ.pop("COLUMNS", None)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, also in children, as in a terminal: what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
